public import Clocks
public import HTTPTypes
import CacheClient
import Locks

/// The cookies of a session (RFC 6265).
///
/// Cookies are kept in memory only; even those with an expiry date are lost when the program ends. Cookies
/// whose `Domain` has no dot, or is neither the host nor a parent of it, are rejected. There is no list of
/// public suffixes.
public final class CookieStorage: Sendable {
    /// One cookie.
    public struct Cookie: Sendable, Hashable {
        /// The name; may be empty.
        public var name: String
        /// The value as it was received.
        public var value: String
        /// The host, or a domain that matches itself and its subdomains; lower case.
        public var domain: String
        /// Whether the cookie is sent to this host only.
        public var isHostOnly: Bool
        /// The path at or below which the cookie is sent.
        public var path: String
        /// When it expires, since 1970-01-01T00:00:00Z; `nil` for a session cookie.
        public var expires: Duration?
        /// Whether the cookie is sent over TLS only.
        public var isSecure: Bool
    }
    private let clock: any TimeSource
    private let kept = Lock([Cookie]())
    /// The largest number of cookies; beyond it, the oldest are removed.
    public let limit: Int

    /// Creates an empty storage.
    public init(clock: any TimeSource, limit: Int = 3000) {
        self.clock = clock
        self.limit = limit
    }

    /// The cookies that have not expired, oldest first.
    public var cookies: [Cookie] {
        let now = clock.timeSinceEpoch
        return kept.withLock { $0.filter { $0.expires.map { $0 > now } ?? true } }
    }

    /// Removes all cookies.
    public func removeAll() { kept.withLock { $0 = [] } }

    /// Stores the Set-Cookie fields of a response from a URL.
    public func store(_ fields: HTTPFields, from url: String) {
        guard let origin = CookieOrigin(url) else { return }
        let now = clock.timeSinceEpoch
        for value in fields[values: .setCookie] {
            guard let cookie = Cookie(value, from: origin, now: now) else { continue }
            let isExpired = cookie.expires.map { $0 <= now } ?? false
            kept.withLock { put(cookie, isExpired: isExpired, in: &$0) }
        }
    }

    /// Stores a cookie; an expired one removes the cookie that it would replace (RFC 6265 §5.3).
    private func put(_ cookie: Cookie, isExpired: Bool, in kept: inout [Cookie]) {
        let index = kept.firstIndex { $0.isSame(as: cookie) }
        switch (index, isExpired) {
        case (let index?, true): kept.remove(at: index)
        case (let index?, false): kept[index] = cookie
        case (nil, true): break
        case (nil, false): kept.append(cookie)
        }
        if kept.count > limit { kept.removeFirst(kept.count - limit) }
    }

    /// Returns the value of Cookie for a request of a URL; `nil` if no cookie matches.
    public func field(for url: String) -> String? {
        guard let origin = CookieOrigin(url) else { return nil }
        // RFC 6265 §5.4: longer paths before shorter ones, then older cookies first.
        let sent = cookies.filter { $0.isSent(to: origin) }.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        guard !sent.isEmpty else { return nil }
        return sent.map {
            $0.element.name.isEmpty ? $0.element.value : $0.element.name + "=" + $0.element.value
        }
        .joined(separator: "; ")
    }
}

extension CookieStorage.Cookie {
    fileprivate func isSame(as other: CookieStorage.Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
    }

    fileprivate func isSent(to origin: CookieOrigin) -> Bool {
        let matches = isHostOnly ? origin.host == domain : origin.isBelow(domain)
        return matches && origin.path(isBelow: path) && (!isSecure || origin.isSecure)
    }

    /// Parses one Set-Cookie value (RFC 6265 §5.2); `nil` if it must be ignored.
    fileprivate init?(_ text: String, from origin: CookieOrigin, now: Duration) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.pair)
        guard let first = parts.first, !(first.name.isEmpty && first.value.isEmpty) else { return nil }
        self.init(
            name: first.hasEquals ? first.name : "",
            value: first.hasEquals ? first.value : first.name,
            domain: origin.host,
            isHostOnly: true,
            path: origin.defaultPath,
            expires: nil,
            isSecure: false
        )
        var maximumAge: Duration?
        for part in parts.dropFirst() {
            switch part.name.lowercased() {
            case "domain":
                let domain = (part.value.hasPrefix(".") ? String(part.value.dropFirst()) : part.value)
                    .lowercased()
                guard !domain.isEmpty else { continue }
                guard domain == origin.host || (domain.contains(".") && origin.isBelow(domain)) else {
                    return nil
                }
                (self.domain, isHostOnly) = (domain, origin.isAddress)
            case "path": if part.value.hasPrefix("/") { path = part.value }
            case "expires": expires = CookieDate.sinceEpoch(part.value) ?? expires
            case "max-age":
                if let seconds = Double(part.value), part.value.allSatisfy({ $0.isNumber || $0 == "-" }) {
                    maximumAge = now + .saturating(seconds: max(seconds, 0))
                }
            case "secure": isSecure = true
            default: break
            }
        }
        expires = maximumAge ?? expires
        if isSecure, !origin.isSecure { return nil }
    }

    private static func pair(_ part: Substring) -> (name: String, value: String, hasEquals: Bool) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (trimmed(sides[0]), sides.count > 1 ? trimmed(sides[1]) : "", sides.count > 1)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// The parts of a request's URL that cookies depend on.
private struct CookieOrigin {
    let host: String
    let path: String
    let isSecure: Bool

    init?(_ url: String) {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            return nil
        }
        isSecure = scheme == "https://"
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        host = authority[..<(authority[bracket...].firstIndex(of: ":") ?? authority.endIndex)].lowercased()
        let target = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        path = target.hasPrefix("/") ? String(target) : "/"
        guard !host.isEmpty else { return nil }
    }

    /// Whether the host is an IP address, which has no parent domains.
    var isAddress: Bool { host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." } }

    func isBelow(_ domain: String) -> Bool {
        host == domain || (!isAddress && host.hasSuffix("." + domain))
    }

    /// Whether the path is below a cookie's path (RFC 6265 §5.1.4).
    func path(isBelow prefix: String) -> Bool {
        path == prefix
            || (path.hasPrefix(prefix)
                && (prefix.hasSuffix("/") || path.dropFirst(prefix.count).first == "/"))
    }

    /// RFC 6265 §5.1.4: the path up to its last slash.
    var defaultPath: String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
