internal import HTTPTypes

extension CacheEngine {
    /// Returns the stored response that the request selects: the most recent one whose fields match (§4, §4.1).
    func select(
        _ request: HTTPRequest,
        among stored: [StoredResponse],
        _ trace: inout Trace
    ) -> StoredResponse? {
        var selected: StoredResponse?
        var matching = 0
        let method = request.storedMethod
        for candidate in stored where candidate.method == method {
            guard matches(candidate, request.headerFields, &trace) else { continue }
            matching += 1
            guard let current = selected else {
                selected = candidate
                continue
            }
            if Self.isPreferred(candidate, to: current) { selected = candidate }
        }
        if selected == nil, deviations.contains(.contentLanguage) {
            return selectByLanguage(request, among: stored, &trace)
        }
        if let selected, matching > 1 {
            trace.note(
                .mostRecentSelected,
                true,
                .named("\(matching) responses match; selected the one dated", selected.date.text)
            )
            if !selected.vary.isEmpty { trace.note(.varyPreferredOverNone, true, "it has Vary") }
        }
        return selected
    }

    /// Whether the stored response matches the request, so that it may be selected.
    func matches(_ candidate: StoredResponse, _ fields: HTTPFields) -> Bool {
        var ignored = Trace()
        return matches(candidate, fields, &ignored)
    }

    /// Whether every field that `Vary` nominates has the value it had in the original request.
    private func matches(_ candidate: StoredResponse, _ fields: HTTPFields, _ trace: inout Trace) -> Bool {
        let facts = candidate.facts
        if facts.vary.isEmpty { return true }
        if facts.vary.neverMatches { return trace.note(.varyStarNeverMatches, false, "Vary has a member *") }
        for index in facts.vary.names.indices {
            let name = facts.vary.names[index]
            if fields.presents(name, exactly: facts.presentedValues[index]) { continue }
            let presented = presented(name, in: fields)
            let value = facts.selectingValues[index]
            guard presented != value, !isSameInAnotherOrder(name, candidate, fields) else {
                noteMatch(of: name, candidate, fields, &trace)
                continue
            }
            let rule = presented == nil || value == nil ? Rule.varyAbsentMatchesAbsent : .varyMatches
            return trace.note(rule, false, .named("differs in", name.rawName))
        }
        return trace.note(.varyMatches, true, "all nominated fields match")
    }

    /// Whether both have the same language preferences, ignoring their order.
    func isSameInAnotherOrder(
        _ name: HTTPField.Name,
        _ candidate: StoredResponse,
        _ fields: HTTPFields
    ) -> Bool {
        guard deviations.contains(.languageOrder), name == .acceptLanguage,
            let asked = SelectingValue.unordered(name, in: fields)
        else { return false }
        return asked == SelectingValue.unordered(name, in: candidate.selectingFields)
    }

    /// Returns the value of a nominated field as it is compared and stored.
    private func presented(_ name: HTTPField.Name, in fields: HTTPFields) -> String? {
        Vary.value(of: name, in: activePartition == nil ? fields : kept(fields))
    }

    /// Returns the fields of a request as they are stored, with credentials replaced by digests if there is a partition.
    func kept(_ fields: HTTPFields) -> HTTPFields {
        guard let partition = activePartition else { return fields }
        var kept = HTTPFields()
        for field in fields {
            let digest = partition.stored(field).map { HTTPField(name: field.name, value: $0) }
            kept.append(digest ?? field)
        }
        return kept
    }

    /// Notes why a nominated field matches that is not the same single line in both requests.
    private func noteMatch(
        of name: HTTPField.Name,
        _ candidate: StoredResponse,
        _ fields: HTTPFields,
        _ trace: inout Trace
    ) {
        guard fields.contains(name) else {
            trace.note(.varyAbsentMatchesAbsent, true, .named("absent from both requests:", name.rawName))
            return
        }
        let lines = kept(fields)[values: name]
        let original = candidate.selectingFields[values: name]
        if lines == original { return }
        guard lines.count == original.count else {
            trace.note(.varyLinesCombined, true, .named("other lines, same value:", name.rawName))
            return
        }
        let rule = SelectingValue.isPreference(name) ? Rule.varyPreferences : .varyWhitespaceNormalised
        trace.note(rule, true, .named("different spelling, same meaning:", name.rawName))
    }

    /// Whether `candidate` is preferred: a response with Vary (§4.1), then the one with the later Date (§4).
    static func isPreferred(_ candidate: StoredResponse, to current: StoredResponse) -> Bool {
        if candidate.vary.isEmpty != current.vary.isEmpty { return current.vary.isEmpty }
        return isMoreRecent(candidate, than: current)
    }

    /// Whether `candidate` has the later Date, or the same Date and was received later.
    static func isMoreRecent(_ candidate: StoredResponse, than current: StoredResponse) -> Bool {
        (candidate.date, candidate.responseTime) > (current.date, current.responseTime)
    }
}

extension HTTPFields {
    /// Whether the field has exactly one line, `value`: the usual case, which needs no normalisation.
    fileprivate func presents(_ name: HTTPField.Name, exactly value: String?) -> Bool {
        guard let value else { return false }
        var isFound = false
        for field in self where field.name == name {
            guard !isFound, field.withUnsafeBytesOfValue({ $0.elementsEqual(value.utf8) }) else {
                return false
            }
            isFound = true
        }
        return isFound
    }
}
