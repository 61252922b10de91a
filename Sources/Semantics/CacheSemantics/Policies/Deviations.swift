/// Deviations from the RFCs that a user may enable; none is enabled by default.
public struct Deviations: OptionSet, Sendable, Hashable {
    /// One bit for each deviation.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A stored response whose `Content-Language` is the request's first choice is used although `Accept-Language`
    /// differs from the original request's, against RFC 9111 §4.1.
    public static let contentLanguage = Deviations(rawValue: 1)

    /// Where `Vary` nominates `Accept-Language`, its members match in any order, although some servers treat the order
    /// as a preference (RFC 9110 §12.5.4).
    public static let languageOrder = Deviations(rawValue: 2)

    /// The observed or documented behaviour of Apple's URL loading, against RFC 9111 §4, §4.1, §4.2.4 and §4.4.
    ///
    /// A failure to reach the origin is the result even if a stale response is stored; the request's own If-None-Match
    /// and If-Modified-Since do not affect a response from the store; and the two policies that return cached data use
    /// a response regardless of its Vary, and even if an unsafe request has invalidated it.
    public static let apple = Deviations(rawValue: 4)

    /// A `No-Vary-Search` whose `params` is a Boolean is obeyed, as in the drafts before December 2025 and the browsers that
    /// implement them, although the current draft ignores it.
    public static let earlierNoVarySearch = Deviations(rawValue: 8)

    /// All deviations by their names on the command line and in scenarios.
    public static let named: KeyValuePairs<String, Deviations> = [
        "content-language": .contentLanguage, "language-order": .languageOrder, "apple": .apple,
        "no-vary-search-params": .earlierNoVarySearch,
    ]

    /// The names of all deviations.
    public static var names: [String] { named.map(\.key) }

    /// Creates the deviation with a name; `nil` if there is none.
    public init?(name: String) {
        guard let found = Self.named.first(where: { $0.key == name }) else { return nil }
        self = found.value
    }
}
