public import HTTPTypes

/// The query parameters on which a response does not depend (draft-ietf-httpbis-no-vary-search).
///
/// A field that does not parse, or has a value of the wrong type, has no effect: every difference in the query is
/// significant then.
public struct NoVarySearch: Sendable, Hashable {
    private enum Ignored: Sendable, Hashable {
        case these(Set<[UInt8]>)
        case allBut(Set<[UInt8]>)
    }
    private let ignored: Ignored
    private let ignoresOrder: Bool
    /// Whether it has an effect in the drafts before December 2025 only: if `params` is a Boolean, or `key-order` is alone.
    public let isOfEarlierDraft: Bool
    /// Whether it has `key-order`, but neither `params` nor `except`.
    package var isOrderAlone: Bool { isOfEarlierDraft && ignored == .these([]) }
    /// Whether it has the `except` of the current draft, which those drafts ignore.
    public var isOfCurrentDraft: Bool {
        if case .allBut = ignored { !isOfEarlierDraft } else { false }
    }

    /// Parses the field of a response; `nil` if it is absent, malformed in all drafts, or states the default.
    public init?(_ fields: HTTPFields) {
        let lines = fields[values: .noVarySearch]
        guard !lines.isEmpty, let members = StructuredField.dictionary(lines),
            let order = Self.boolean("key-order", members), let (ignored, isEarlier) = Self.ignored(members)
        else { return nil }
        if !order, ignored == .these([]) { return nil }
        self.ignored = ignored
        ignoresOrder = order
        isOfEarlierDraft = isEarlier
    }

    /// Whether an engine obeys it.
    package func isObeyed(by engine: CacheEngine) -> Bool {
        !isOfEarlierDraft || engine.deviations.contains(.earlierNoVarySearch)
    }

    /// Splits a target URI at its query; the query is `nil` if there is none.
    public static func parts(of targetURI: String) -> (base: String, query: String?) {
        guard let mark = targetURI.utf8.firstIndex(of: ASCII.question) else { return (targetURI, nil) }
        return (String(targetURI[..<mark]), String(targetURI[targetURI.utf8.index(after: mark)...]))
    }

    /// Returns the canonical text of a query, which equivalent queries share.
    ///
    /// Compares bytes, because texts that are canonically equivalent in Unicode are different queries.
    public func canonical(_ query: String?) -> [UInt8] {
        var pairs = Self.pairs(query ?? "").filter { !isIgnored($0.name) }
        if ignoresOrder {
            // Sorted by name; parameters of the same name keep their order.
            pairs = pairs.enumerated().sorted {
                $0.element.name == $1.element.name
                    ? $0.offset < $1.offset : $0.element.name.lexicographicallyPrecedes($1.element.name)
            }.map(\.element)
        }
        return pairs.flatMap { Array("\($0.name.count):\($0.value.count):".utf8) + $0.name + $0.value }
    }

    private func isIgnored(_ name: [UInt8]) -> Bool {
        switch ignored {
        case .these(let names): names.contains(name)
        case .allBut(let names): !names.contains(name)
        }
    }

    // MARK: The field

    private static func value(_ name: String, _ members: [StructuredField.Member]) -> StructuredField.Value? {
        members.first { $0.name == name }?.value
    }

    /// Returns the value of a member, false if it is absent; `nil` if it is not a Boolean.
    private static func boolean(_ name: String, _ members: [StructuredField.Member]) -> Bool? {
        guard let value = value(name, members) else { return false }
        if case .boolean(let isTrue) = value { return isTrue }
        return nil
    }

    /// Returns the part that is ignored, and whether only earlier drafts require it.
    ///
    /// §4.1 of the draft gives `key-order` alone no effect, against its introduction and its examples; implementations follow
    /// the algorithm (§2). Without an effect, no response is reused that should not be. See
    /// `http/no-vary-search/search/key-order-alone`.
    private static func ignored(_ members: [StructuredField.Member]) -> (Ignored, isEarlier: Bool)? {
        let except = value("except", members)
        switch value("params", members) {
        case nil:
            guard let except else { return (.these([]), true) }
            return names(except).map { (.allBut($0), false) }
        case .boolean(true): return (except.map { names($0) } ?? []).map { (.allBut($0), true) }
        case .some(let value): return except == nil ? names(value).map { (.these($0), false) } : nil
        }
    }

    private static func names(_ value: StructuredField.Value) -> Set<[UInt8]>? {
        guard case .list(let members) = value else { return nil }
        var names: Set<[UInt8]> = []
        for member in members {
            guard case .string(let text) = member else { return nil }
            names.insert(decoded(Array(text.utf8)[...]))
        }
        return names
    }

    // MARK: The query, as application/x-www-form-urlencoded

    private static func pairs(_ query: String) -> [(name: [UInt8], value: [UInt8])] {
        Array(query.utf8).split(separator: 0x26).map { pair in
            guard let equals = pair.firstIndex(of: ASCII.equals) else { return (decoded(pair), []) }
            return (decoded(pair[..<equals]), decoded(pair[(equals + 1)...]))
        }
    }

    /// Returns the text of a name or a value in UTF-8; U+FFFD replaces bytes that are not UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = percentDecoded(bytes)
        return bytes.allSatisfy { $0 < 0x80 } ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if let octet = TargetURI.escaped(bytes, at: index) {
                result.append(octet)
                index += 3
            } else {
                result.append(bytes[index] == 0x2B ? ASCII.space : bytes[index])
                index += 1
            }
        }
        return result
    }
}

extension StoredResponse {
    /// The other queries that it may answer according to the current or an earlier draft; `nil` if there are none.
    public var noVarySearch: NoVarySearch? { facts.noVarySearch }

    /// Returns the other queries that it may answer by the rules of an engine; `nil` if there are none.
    public func noVarySearch(by engine: CacheEngine) -> NoVarySearch? {
        noVarySearch.flatMap { $0.isObeyed(by: engine) ? $0 : nil }
    }

    /// Whether a target URI in its normal form differs from its own, as normalized, at most in what it ignores according to any
    /// draft; false without No-Vary-Search.
    package func isMatched(byNormalizedTargetURI uri: String) -> Bool {
        guard let search = noVarySearch else { return false }
        let (asked, own) = (NoVarySearch.parts(of: uri), NoVarySearch.parts(of: key.normalizedTargetURI))
        return asked.base == own.base && search.canonical(asked.query) == search.canonical(own.query)
    }

    /// Whether it may answer requests for `key` by the rules of an engine, although it is stored under another key.
    public func answers(_ key: CacheKey, by engine: CacheEngine) -> Bool {
        guard let search = noVarySearch(by: engine), key.content == self.key.content else { return false }
        let (asked, own) = (NoVarySearch.parts(of: key.targetURI), NoVarySearch.parts(of: self.key.targetURI))
        return asked.base == own.base && search.canonical(asked.query) == search.canonical(own.query)
    }
}

extension CacheEngine {
    /// Whether one of the stored responses matches a request (RFC 9111 §4.1).
    package func matches(_ request: HTTPRequest, among stored: [StoredResponse]) -> Bool {
        var ignored = Trace()
        return select(request, among: stored, &ignored) != nil
    }

    /// Returns the key whose stored responses are considered for a request: its own if one of them matches the request
    /// (RFC 9111 §4.1), otherwise the key of the most recent match among those that answer for it by their
    /// No-Vary-Search.
    ///
    /// If nothing matches, returns its own key if something is stored there, otherwise the key of the newest. Of equally
    /// recent ones the first in `stored` counts.
    package func consideredKey(for request: HTTPRequest, _ key: CacheKey, among stored: [StoredResponse])
        -> CacheKey
    {
        let own = stored.filter { $0.key == key }
        if matches(request, among: own) { return key }
        var ignored = Trace()
        let equivalent = stored.filter { $0.key != key && $0.answers(key, by: self) }
        if let selected = select(request, among: equivalent, &ignored) { return selected.key }
        guard own.isEmpty else { return key }
        return equivalent.max { ($0.responseTime, $0.date) < ($1.responseTime, $1.date) }?.key ?? key
    }
}
