internal import HTTPTypes

/// The fields of a response that are stored, and those that an update replaces (RFC 9111 §3.1, §3.2).
struct StoredFields {
    /// The names that are not stored, each with its rule.
    ///
    /// They are usually few, so a linear search is faster than hashing each field's name.
    let exclusions: [(rule: Rule, names: [HTTPField.Name])]
    /// A bit for each length of a name in `exclusions`, which rules out most names.
    private let lengths: UInt64
    /// The names if they are many; `nil` for few.
    private let many: Set<HTTPField.Name>?

    private static let hopByHop: [HTTPField.Name] = [
        .keepAlive, .proxyConnection, .te, .transferEncoding, .upgrade,
    ]
    private static let ofProxy: [HTTPField.Name] = [
        .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization,
    ]
    /// The fields that describe the stored content, so an update does not replace them; Content-Digest covers the content
    /// of its message only (RFC 9530 §2).
    private static let ofContent: [HTTPField.Name] = [.contentEncoding, .contentRange, .contentDigest]

    /// Fields without which a stored response cannot be used: for its age, lifetime, variants and content coding.
    private static let indispensable: Set<HTTPField.Name> = [
        .age, .cacheControl, .contentEncoding, .date, .expires, .vary,
    ]

    static func isIndispensable(_ name: String) -> Bool {
        HTTPField.Name(name).map(indispensable.contains) ?? false
    }

    /// Fields that are kept although `Connection` lists them: also those without which the content is misread.
    static let keptForAll = indispensable.union([.contentLength, .contentRange, .contentType])

    private static let ofEveryResponse: [(rule: Rule, names: [HTTPField.Name])] = [
        (.dropConnectionFields, [.connection]), (.dropHopByHopFields, hopByHop), (.dropProxyFields, ofProxy),
    ]
    private static let lengthsOfEveryResponse = lengths(of: ofEveryResponse)

    init(_ engine: CacheEngine, _ response: HTTPResponse) { self.init(engine, response.headerFields) }

    /// Creates the fields of a response that updates a stored one.
    ///
    /// Directives that it does not replace remain in effect, so fields that the stored response excludes are excluded from
    /// it, too.
    init(_ engine: CacheEngine, _ response: HTTPResponse, updating stored: StoredResponse) {
        var merged = response.headerFields
        for field in stored.response.headerFields where !response.headerFields.contains(field.name) {
            merged.append(field)
        }
        self.init(engine, merged)
    }

    private init(_ engine: CacheEngine, _ fields: HTTPFields) {
        let epoch = HTTPDate(secondsSinceEpoch: 0)
        let metadata = ResponseMetadata(fields, received: epoch)
        self = .of(metadata, engine.control(of: metadata, fields).control, kind: engine.kind)
    }

    /// The fields of most responses, in which neither `Connection` nor a directive lists a name.
    private static let usual = StoredFields(ofEveryResponse, lengthsOfEveryResponse)

    private init(_ exclusions: [(rule: Rule, names: [HTTPField.Name])], _ lengths: UInt64) {
        self.exclusions = exclusions
        self.lengths = lengths
        let names = exclusions.lazy.flatMap(\.names)
        many = exclusions.contains { $0.names.count > 32 } ? Set(names) : nil
    }

    /// Returns the stored fields of a response; `control` contains the directives that apply to it.
    static func of(
        _ metadata: ResponseMetadata,
        _ control: ResponseCacheControl,
        kind: CacheKind
    ) -> StoredFields {
        let isUsual =
            metadata.connectionLines.isEmpty && !control.noCache.listsFields
            && (kind == .private || !control.privateScope.listsFields)
        return isUsual ? usual : StoredFields(kind: kind, metadata, control)
    }

    private init(kind: CacheKind, _ metadata: ResponseMetadata, _ control: ResponseCacheControl) {
        var exclusions = Self.ofEveryResponse
        if !metadata.connectionLines.isEmpty {
            exclusions[0] = (.dropConnectionFields, Self.ofConnection(metadata.connectionLines))
        }
        if case .fields(let names) = control.noCache {
            exclusions.append((.dropNoCacheFields, Self.names(names)))
        }
        if kind == .shared, case .fields(let names) = control.privateScope {
            exclusions.append((.dropPrivateFields, Self.names(names)))
        }
        self.init(exclusions, Self.lengths(of: exclusions))
    }

    private static func lengths(of exclusions: [(rule: Rule, names: [HTTPField.Name])]) -> UInt64 {
        exclusions.flatMap(\.names).reduce(0) { $0 | 1 << UInt64($1.rawName.utf8.count & 63) }
    }

    /// Returns `Connection` and the fields that it lists.
    private static func ofConnection(_ lines: [String]) -> [HTTPField.Name] {
        [.connection] + ConnectionOptions.names(lines).filter { $0 != .connection }
    }

    /// Returns each valid name once.
    private static func names(_ texts: [String]) -> [HTTPField.Name] {
        Array(Set(texts.compactMap { HTTPField.Name($0) }))
    }

    private func excludes(_ name: HTTPField.Name) -> Bool {
        guard lengths >> UInt64(name.canonicalName.utf8.count & 63) & 1 != 0 else { return false }
        return many?.contains(name) ?? exclusions.contains { $0.names.contains(name) }
    }

    /// Whether any of the fields is not stored.
    func excludesAny(of fields: HTTPFields) -> Bool {
        fields.contains { excludes($0.name) }
    }

    /// Returns the fields that are stored.
    func kept(of fields: HTTPFields) -> HTTPFields {
        var kept = HTTPFields()
        for field in fields where !excludes(field.name) { kept.append(field) }
        return kept
    }

    /// Returns the stored fields, updated from those of this response.
    ///
    /// `Age` and `Date` describe one message, so the old ones are removed.
    func updated(_ stored: HTTPFields, with new: HTTPFields, received: HTTPDate) -> HTTPFields {
        var taken = HTTPFields()
        for field in new where takesOver(field.name) { taken.append(field) }
        if !taken.contains(.date) { taken.append(HTTPField(name: .date, value: received.text)) }
        var result = HTTPFields()
        // Fields that this response excludes from reuse are also removed.
        let excluded = namesNotForReuse
        for field in stored
        where !taken.contains(field.name) && field.name != .age && !excluded.contains(field.name) {
            result.append(field)
        }
        for field in taken { result.append(field) }
        return result
    }

    /// The names that a qualified no-cache or private lists; those in Connection apply to one message only.
    var namesNotForReuse: Set<HTTPField.Name> {
        exclusions.filter { $0.rule == .dropNoCacheFields || $0.rule == .dropPrivateFields }
            .reduce(into: []) { $0.formUnion($1.names) }
    }

    private func takesOver(_ name: HTTPField.Name) -> Bool {
        name != .contentLength && !Self.ofContent.contains(name) && !excludes(name)
    }
}
