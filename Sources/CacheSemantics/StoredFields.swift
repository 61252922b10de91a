internal import HTTPTypes

/// Which fields of a response are stored and which an update takes over (RFC 9111 §3.1, §3.2).
struct StoredFields {
    /// The names that are not stored, each with the rule that says so.
    ///
    /// They are few, so looking through them costs less than hashing each field's name.
    let exclusions: [(rule: Rule, names: [HTTPField.Name])]

    private static let hopByHop: [HTTPField.Name] = [
        .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade,
    ]
    private static let ofProxy: [HTTPField.Name] = [
        .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization,
    ]
    /// The stored content is the coded one and complete, so these stay as they were stored with it.
    private static let ofContent: [HTTPField.Name] = [.contentEncoding, .contentRange]

    /// What a stored response cannot be used without: its age, its lifetime, whom it is for, and how to decode it.
    private static let indispensable: Set<HTTPField.Name> = [
        .age, .cacheControl, .contentEncoding, .date, .expires, .vary,
    ]

    static func isIndispensable(_ name: String) -> Bool {
        HTTPField.Name(name).map(indispensable.contains) ?? false
    }

    init(_ engine: CacheEngine, _ response: HTTPResponse) {
        let fields = response.headerFields
        let control = engine.control(of: fields).control
        var exclusions: [(rule: Rule, names: [HTTPField.Name])] = [
            (.dropConnectionFields, Self.ofConnection(fields)),
            (.dropHopByHopFields, Self.hopByHop),
            (.dropProxyFields, Self.ofProxy),
        ]
        if case .fields(let names) = control.noCache {
            exclusions.append((.dropNoCacheFields, Self.names(names)))
        }
        if engine.kind == .shared, case .fields(let names) = control.privateScope {
            exclusions.append((.dropPrivateFields, Self.names(names)))
        }
        self.exclusions = exclusions
    }

    /// `Connection` and what it lists.
    private static func ofConnection(_ fields: HTTPFields) -> [HTTPField.Name] {
        guard fields.contains(.connection) else { return [.connection] }
        let listed = FieldList.members(of: fields[values: .connection]) { ASCII.lowercased($0) }
        // RFC 9110 §7.6.1: Connection must not list a field that is meant for all recipients.
        return [.connection] + names(listed).filter { $0 != .connection && !indispensable.contains($0) }
    }

    /// Each once.
    private static func names(_ texts: [String]) -> [HTTPField.Name] {
        Array(Set(texts.compactMap { HTTPField.Name($0) }))
    }

    private func excludes(_ name: HTTPField.Name) -> Bool {
        exclusions.contains { $0.names.contains(name) }
    }

    /// The fields that are stored.
    func kept(of fields: HTTPFields) -> HTTPFields {
        var kept = HTTPFields()
        for field in fields where !excludes(field.name) { kept.append(field) }
        return kept
    }

    /// The stored fields, updated from those of the response that this was made for.
    ///
    /// `Age` and `Date` tell of the moment of one response, so those of the old one go.
    func updated(_ stored: HTTPFields, with new: HTTPFields, received: HTTPDate) -> HTTPFields {
        var taken = HTTPFields()
        for field in new where takesOver(field.name) { taken.append(field) }
        if !taken.contains(.date) { taken.append(HTTPField(name: .date, value: received.text)) }
        var result = HTTPFields()
        for field in stored where !taken.contains(field.name) && field.name != .age { result.append(field) }
        // A field that this answer declares to be no more for reuse goes, too.
        for name in namesNotForReuse { result[name] = nil }
        for field in taken { result.append(field) }
        return result
    }

    /// The names that a qualified no-cache or private lists; what Connection lists concerns one message only.
    var namesNotForReuse: Set<HTTPField.Name> {
        exclusions.filter { $0.rule == .dropNoCacheFields || $0.rule == .dropPrivateFields }
            .reduce(into: []) { $0.formUnion($1.names) }
    }

    private func takesOver(_ name: HTTPField.Name) -> Bool {
        name != .contentLength && !Self.ofContent.contains(name) && !excludes(name)
    }
}
