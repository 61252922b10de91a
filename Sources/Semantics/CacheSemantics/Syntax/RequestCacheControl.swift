/// The `Cache-Control` directives of a request, all field lines together (RFC 9111 §5.2.1, RFC 5861 §4).
///
/// An invalid `max-age` is treated as 0; an invalid `min-fresh`, `max-stale` or `stale-if-error` is ignored. Of
/// different values the most restrictive is used.
public struct RequestCacheControl: Sendable, Hashable {
    /// The staleness that a request accepts.
    public enum Staleness: Sendable, Hashable {
        /// `max-stale` without an argument.
        case any
        /// `max-stale=N`.
        case atMost(Int64)
    }

    /// `max-age` in seconds (§5.2.1.1); `nil` if absent.
    public private(set) var maxAge: Int64?
    /// `max-stale`: the staleness that is accepted (§5.2.1.2); `nil` if absent.
    public private(set) var maxStale: Staleness?
    /// `min-fresh` in seconds (§5.2.1.3); `nil` if absent.
    public private(set) var minFresh: Int64?
    /// `stale-if-error` in seconds (RFC 5861 §4); `nil` if absent.
    public private(set) var staleIfError: Int64?
    /// Whether there is `no-cache`, or `Pragma: no-cache` in a request without `Cache-Control`.
    public internal(set) var noCache = false
    /// Whether there is `no-store`: nothing of the exchange may be stored (§5.2.1.5).
    public private(set) var noStore = false
    /// Whether there is `no-transform`: intermediaries may not change the content (§5.2.1.6).
    public private(set) var noTransform = false
    /// Whether there is `only-if-cached`: a stored response or a 504 is wanted (§5.2.1.7).
    public private(set) var onlyIfCached = false

    /// Creates the directives of a request without the field.
    public init() {}

    /// Parses the values of all `Cache-Control` lines of a request.
    public init(_ lines: [String]) {
        for line in lines { Directive.forEach(in: line) { apply($0) } }
    }

    private mutating func apply(_ directive: Directive) {
        switch directive.name {
        case "max-age": maxAge = min(maxAge ?? .max, seconds(directive) ?? 0)
        case "min-fresh": minFresh = seconds(directive).map { max($0, minFresh ?? 0) } ?? minFresh
        case "stale-if-error":
            staleIfError = seconds(directive).map { min($0, staleIfError ?? $0) } ?? staleIfError
        case "max-stale": applyMaxStale(directive)
        case "no-cache": noCache = true
        case "no-store": noStore = true
        case "no-transform": noTransform = true
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    private mutating func applyMaxStale(_ directive: Directive) {
        if directive.argument == .none {
            maxStale = maxStale ?? .any
        } else if let limit = seconds(directive) {
            if case .atMost(let other) = maxStale {
                maxStale = .atMost(min(other, limit))
            } else {
                maxStale = .atMost(limit)
            }
        }
    }

    private func seconds(_ directive: Directive) -> Int64? {
        guard case .seconds(let seconds) = directive.seconds else { return nil }
        return seconds
    }
}
