import CacheSemantics
import TextCodings

/// The parts of an absolute `http` or `https` URL from which a request is made.
package struct TargetURL: Sendable, Hashable {
    /// Lower case.
    var scheme: String
    /// Host and port as written, except that an IPv4 address is in dotted decimal.
    var authority: String
    /// Path and query, from `/`.
    var path: String
    /// The fragment without `#`; `nil` if there is none.
    var fragment: String?

    /// Reads an absolute URL, and removes dot segments from its path unless `keepsDots` is set.
    package init(_ text: String, keepsDots: Bool = false) throws(TransportError) {
        if let plain = Self(plain: text) {
            self = plain
            return
        }
        let text = try Self.escaped(text)
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw TransportError(.badURL, "\"\(text)\" is not an absolute URL such as http://host/path.")
        }
        scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(
                .unsupportedURL,
                "The scheme \"\(scheme)\" is not supported; expected http or https."
            )
        }
        let rest = text[colon...].dropFirst(3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        authority = String(rest[..<end])
        (path, fragment) = Self.split(rest[end...])
        if !path.hasPrefix("/") { path = "/" + path }
        // RFC 3986 §6.2.2.3. The cache key is made from what is sent.
        if !keepsDots { path = Self.withoutDots(path) }
        try Self.check(authority)
        // As libcurl would send it, so that the key, the rules for addresses and `Host` are about one host.
        if let dotted = IPv4Host.dotted(authority: authority) { authority = dotted }
    }

    /// The URL as text, with its fragment.
    package var text: String { scheme + "://" + authority + path + (fragment.map { "#" + $0 } ?? "") }

    /// Returns whether both belong to one origin (RFC 6454 §4).
    func hasSameOrigin(as other: TargetURL) -> Bool {
        scheme == other.scheme && hostAndPort == other.hostAndPort
    }

    private var hostAndPort: String {
        let host = authority.lowercased()
        let bracket = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[bracket...].lastIndex(of: ":") else {
            return host + (scheme == "https" ? ":443" : ":80")
        }
        return host[host.index(after: colon)...].isEmpty ? host + (scheme == "https" ? "443" : "80") : host
    }

    /// Rejects characters that are invalid in a URL, and escapes those that only have no ASCII form.
    private static func escaped(_ text: String) throws(TransportError) -> String {
        var isPlain = true
        for byte in text.utf8 {
            if byte <= 0x20 || byte == 0x7F {
                throw TransportError(.badURL, "\"\(text)\" contains a space or control character.")
            }
            if byte >= 0x80 { isPlain = false }
        }
        return isPlain ? text : PercentText.encode(text) { $0 < 0x80 }
    }

    private static func split(_ text: Substring) -> (path: String, fragment: String?) {
        guard let hash = text.firstIndex(of: "#") else { return (String(text), nil) }
        return (String(text[..<hash]), String(text[hash...].dropFirst()))
    }

    private static func check(_ authority: String) throws(TransportError) {
        // RFC 9110 §4.2.4: credentials in a URL are deprecated, and mislead readers.
        guard !authority.contains("@") else {
            throw TransportError(
                .badURL,
                "The URL contains credentials; send an Authorization field instead."
            )
        }
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[bracket...].firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)]
        guard !host.isEmpty else { throw TransportError(.badURL, "The URL has no host.") }
        // A zone of an IPv6 address is within brackets.
        let name = host.hasPrefix("[") ? "" : PercentText.decode(String(host))
        guard let name else {
            throw TransportError(.badURL, "The host \"\(host)\" is percent-encoded wrongly; expected ASCII.")
        }
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
            let expected = "expected its ASCII form, such as xn--bcher-kva"
            throw TransportError(.badURL, "The host \"\(name)\" is not ASCII; \(expected).")
        }
        guard let colon else { return }
        let port = authority[colon...].dropFirst()
        guard port.isEmpty || (port.allSatisfy(\.isWholeNumber) && Int(port).map { $0 <= 65_535 } == true)
        else {
            throw TransportError(.badURL, "\"\(port)\" is not a port number.")
        }
    }
}

extension TargetURL {
    /// Reads a URL in which nothing has to be changed or rejected, as in most; `nil` for any other.
    fileprivate init?(plain text: String) {
        let parts = text.utf8.withContiguousStorageIfAvailable { bytes -> (String, String, String)? in
            let scheme: String
            if bytes.starts(with: "http://".utf8) {
                scheme = "http"
            } else if bytes.starts(with: "https://".utf8) {
                scheme = "https"
            } else {
                return nil
            }
            let start = scheme.utf8.count + 3
            guard let end = Self.endOfPlainAuthority(bytes, from: start), Self.isPlainPath(bytes, from: end)
            else { return nil }
            return (
                scheme, String(decoding: bytes[start..<end], as: UTF8.self),
                String(decoding: bytes[end...], as: UTF8.self)
            )
        }
        guard let parts, let (scheme, authority, path) = parts, IPv4Host.dotted(authority: authority) == nil
        else { return nil }
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    /// Returns where a host of letters, digits, dots and hyphens, with or without a port, ends before `/`.
    private static func endOfPlainAuthority(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let authority = bytes[start..<slash]
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? slash
        guard end > start, end == slash || isPort(authority[(end + 1)...]) else { return nil }
        let isPlain = authority[..<end].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain ? slash : nil
    }

    private static func isPort(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...5).contains(bytes.count), bytes.allSatisfy(digits.contains) else { return false }
        return bytes.reduce(0) { $0 * 10 + Int($1 - digits.lowerBound) } <= 65_535
    }

    /// Returns whether path and query have no fragment, and nothing to escape or to remove.
    private static func isPlainPath(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        var isAfterSlash = false
        for byte in bytes[start...] {
            switch byte {
            case UInt8(ascii: "#"), 0...0x20, 0x7F...: return false
            case UInt8(ascii: "."), UInt8(ascii: "%"): if isAfterSlash { return false }
            default: break
            }
            isAfterSlash = byte == UInt8(ascii: "/")
        }
        return true
    }
}

extension TargetURL {
    /// Resolves a reference such as the value of `Location` (RFC 3986 §5.2.2).
    package func resolve(_ reference: String) throws(TransportError) -> TargetURL {
        var next = try resolveParts(reference)
        // RFC 9110 §10.2.2: a reference without fragment inherits it.
        if next.fragment == nil { next.fragment = fragment }
        return next
    }

    private func resolveParts(_ reference: String) throws(TransportError) -> TargetURL {
        if Self.hasScheme(reference) { return try TargetURL(reference) }
        if reference.hasPrefix("//") { return try TargetURL(scheme + ":" + reference) }
        let (target, newFragment) = Self.splitReference(reference)
        let root = scheme + "://" + authority
        var next: TargetURL
        if target.isEmpty {
            next = self
        } else if target.hasPrefix("?") {
            next = try TargetURL(root + pathWithoutQuery + target)
        } else {
            next = try TargetURL(root + Self.withoutDots(target.hasPrefix("/") ? target : folder + target))
        }
        next.fragment = newFragment
        return next
    }

    private var pathWithoutQuery: Substring { path.prefix { $0 != "?" } }

    private var folder: String {
        let path = pathWithoutQuery
        return String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func splitReference(_ text: String) -> (target: String, fragment: String?) {
        guard let hash = text.firstIndex(of: "#") else { return (text, nil) }
        return (String(text[..<hash]), String(text[hash...].dropFirst()))
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":",
            end > text.startIndex
        else {
            return false
        }
        return text[..<end].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    /// Returns the target without dot segments (RFC 3986 §5.2.4).
    ///
    /// A dot may be escaped (RFC 3986 §6.2.2.2), because origins that decode a path first also treat that as a dot.
    private static func withoutDots(_ target: String) -> String {
        guard target.contains("/.") || target.contains("/%2") else { return target }
        let path = target.prefix { $0 != "?" }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments {
            switch dots(segment) {
            case 1: continue
            case 2: _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if segments.last.map({ dots($0) != nil }) ?? true { kept.append("") }
        return kept.map { "/" + $0 }.joined() + target[path.endIndex...]
    }

    /// Returns the number of dots in a dot segment; `nil` for any other segment.
    private static func dots(_ segment: Substring) -> Int? {
        switch segment.lowercased() {
        case ".", "%2e": 1
        case "..", ".%2e", "%2e.", "%2e%2e": 2
        default: nil
        }
    }
}
