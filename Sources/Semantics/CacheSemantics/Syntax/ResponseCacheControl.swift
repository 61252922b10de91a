/// The `Cache-Control` directives of a response, all field lines together (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
///
/// Unknown directives are ignored. Of different values of one directive the smaller is used, which always conforms to
/// one of the two choices in RFC 9111 §4.2.1.
public struct ResponseCacheControl: Sendable, Hashable {
    /// `max-age`; `nil` if absent.
    public private(set) var maxAge: SecondsArgument?
    /// `s-maxage`; `nil` if absent.
    public private(set) var sharedMaxAge: SecondsArgument?
    /// `stale-while-revalidate` in seconds; `nil` if absent or invalid.
    public private(set) var staleWhileRevalidate: Int64?
    /// `stale-if-error` in seconds; `nil` if absent or invalid.
    public private(set) var staleIfError: Int64?
    /// The scope of `no-cache`: the response, or the fields that it lists (§5.2.2.4).
    public private(set) var noCache = FieldScope.nothing
    /// The scope of `private`: the response, or the fields that it lists (§5.2.2.7).
    public private(set) var privateScope = FieldScope.nothing
    /// Whether there is `no-store`: nothing of the exchange may be stored (§5.2.2.5).
    public private(set) var noStore = false
    /// Whether there is `no-transform`: intermediaries may not change the content (§5.2.2.6).
    public private(set) var noTransform = false
    /// Whether there is `must-revalidate`: the response may not be used stale without validation (§5.2.2.2).
    public private(set) var mustRevalidate = false
    /// Whether there is `proxy-revalidate`: as `must-revalidate`, but only for shared caches (§5.2.2.8).
    public private(set) var proxyRevalidate = false
    /// Whether there is `must-understand`: storing requires that the status code is understood (§5.2.2.3).
    public private(set) var mustUnderstand = false
    /// Whether there is `public`: the response may be stored where it otherwise could not (§5.2.2.9).
    public private(set) var isPublic = false
    /// Whether there is `immutable`: a reload needs no validation while the response is fresh (RFC 8246).
    public private(set) var isImmutable = false
    /// Whether a directive was repeated with a different value.
    public private(set) var hasConflict = false

    /// Creates the directives of a response without the field.
    public init() {}

    /// Parses the values of all `Cache-Control` lines of a response.
    public init(_ lines: [String]) {
        for line in lines { read(line) }
    }

    /// Adds the directives of one more line.
    mutating func read(_ line: String) {
        Directive.forEach(in: line) { apply($0) }
    }

    /// Reads directives that have been parsed already.
    init(directives: [Directive]) {
        for directive in directives { apply(directive) }
    }

    private mutating func apply(_ directive: Directive) {
        switch directive.name {
        case "max-age": hasConflict = Self.merge(&maxAge, directive.seconds) || hasConflict
        case "s-maxage": hasConflict = Self.merge(&sharedMaxAge, directive.seconds) || hasConflict
        case "stale-while-revalidate": Self.limit(&staleWhileRevalidate, directive.seconds)
        case "stale-if-error": Self.limit(&staleIfError, directive.seconds)
        case "no-cache": noCache = noCache.union(directive.fieldScope)
        case "private": privateScope = privateScope.union(directive.fieldScope)
        case "no-store": noStore = true
        case "no-transform": noTransform = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "immutable": isImmutable = true
        default: break
        }
    }

    /// Assigns the smaller of two values; returns whether they differ.
    private static func merge(_ known: inout SecondsArgument?, _ value: SecondsArgument) -> Bool {
        let before = known
        known = value.smaller(before)
        return before != nil && before != value
    }

    private static func limit(_ known: inout Int64?, _ value: SecondsArgument) {
        guard case .seconds(let seconds) = value else { return }
        known = min(known ?? seconds, seconds)
    }
}
