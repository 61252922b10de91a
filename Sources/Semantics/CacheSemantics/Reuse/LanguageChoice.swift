internal import HTTPTypes

extension CacheEngine {
    /// Returns the stored response in the request's preferred language if none matches according to §4.1.
    ///
    /// Deviation: §4.1 requires the Accept-Language of the original request; see
    /// `http/4.1-vary/content-language/first-choice`. Disabled unless `deviations` contains it.
    func selectByLanguage(
        _ request: HTTPRequest,
        among stored: [StoredResponse],
        _ trace: inout Trace
    ) -> StoredResponse? {
        let lines = request.headerFields[values: .acceptLanguage]
        guard let choices = QualityList(lines)?.firstChoices, !choices.isEmpty else { return nil }
        var selected: StoredResponse?
        for candidate in stored where candidate.method == request.storedMethod {
            guard let language = candidate.language, Self.isOneOf(choices, language),
                matches(candidate, request.headerFields, but: .acceptLanguage)
            else { continue }
            if let current = selected, !Self.isPreferred(candidate, to: current) { continue }
            selected = candidate
        }
        if let language = selected?.language {
            trace.note(.languageChosen, true, .named("deviation from §4.1, first choice", language))
        }
        return selected
    }

    /// Whether a range matches the tag: it is equal to the tag, or the tag begins with it and a hyphen (RFC 4647 §3.3.1).
    private static func isOneOf(_ ranges: [String], _ tag: String) -> Bool {
        ranges.contains { tag == $0 || tag.hasPrefix($0 + "-") }
    }

    /// Whether the fields that `Vary` nominates match, ignoring one of them.
    private func matches(_ candidate: StoredResponse, _ fields: HTTPFields, but name: HTTPField.Name) -> Bool
    {
        let vary = candidate.vary
        guard !vary.neverMatches, vary.names.contains(name) else { return false }
        var fields = fields
        fields[fields: name] = candidate.selectingFields[fields: name]
        return matches(candidate, fields)
    }
}

extension StoredResponse {
    /// The language of its content in lower case; `nil` if there is none, or several.
    fileprivate var language: String? {
        let lines = response.headerFields[values: .contentLanguage]
        let members = FieldList.members(of: lines) { ASCII.lowercased($0) }
        return members.count == 1 ? members.first : nil
    }
}
