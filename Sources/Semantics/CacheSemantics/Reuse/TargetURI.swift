public import HTTPTypes

extension CacheEngine {
    /// Returns the primary cache key of a request; `content` is the digest of its content where that counts.
    ///
    /// It counts for QUERY: `ContentDigest.text` makes it. Without one a QUERY is neither stored nor answered.
    /// Scheme and host are in lower case, a default port is left out, and an empty path is `/`. Path and query are taken byte for
    /// byte, so that the key is what the origin was asked for: RFC 9110 §4.2.3 lets a cache compare more, and origins differ in
    /// which spellings of a path they answer alike.
    public func key(for request: HTTPRequest, content: String = "") -> CacheKey {
        key(for: request, content: content, or: nil)
    }

    /// Returns the primary cache key of a request: `other` itself where that is the same, which takes less time than making it.
    func key(for request: HTTPRequest, content: String, or other: CacheKey?) -> CacheKey {
        let scheme = request.scheme ?? ""
        let authority = request.authority ?? ""
        let path = request.path ?? ""
        let content = keyHasFields ? content + keyPart(of: request.headerFields) : content
        if let other, other.content == content, TargetURI.isJoined(other.targetURI, scheme, authority, path) {
            return other
        }
        if TargetURI.isNormal(scheme: scheme, authority: authority, pathAndQuery: path) {
            return CacheKey(targetURI: TargetURI.joined(scheme, authority, path), content: content)
        }
        let uri = TargetURI(scheme: scheme, authority: authority, pathAndQuery: path)
        return CacheKey(targetURI: uri.text, content: content)
    }

    /// Returns the primary cache key of a request of which it is known whether it has content.
    ///
    /// An origin may let the content of GET or HEAD change its answer although nothing says so (RFC 9110 §9.3.1): such a
    /// request has a key of its own, under which nothing is stored and which no stored response answers.
    public func key(for request: HTTPRequest, hasContent: Bool) -> CacheKey {
        let isUnshared = hasContent && (request.method == .get || request.method == .head)
        return key(for: request, content: isUnshared ? ContentDigest.unshared : "")
    }
}

/// An http or https URI as a cache key has it.
struct TargetURI: Equatable {
    /// Scheme and authority: what makes two URIs of one origin.
    let origin: String
    /// Path and query, beginning with `/`; empty for a request about the whole server.
    let pathAndQuery: String

    var text: String { origin + pathAndQuery }

    init(scheme: String, authority: String, pathAndQuery: String) {
        let scheme = ASCII.lowercased(ArraySlice(Array(scheme.utf8)))
        origin = scheme + "://" + Self.normalised(authority: authority, scheme: scheme)
        self.pathAndQuery = Self.rooted(pathAndQuery)
    }

    /// Whether the parts are surely as a key has them, as they are in nearly every request.
    static func isNormal(scheme: String, authority: String, pathAndQuery: String) -> Bool {
        guard scheme == "http" || scheme == "https", pathAndQuery.utf8.first == ASCII.slash else {
            return false
        }
        let mayHaveDefaultPort = authority.utf8.withContiguousStorageIfAvailable(mayHaveDefaultPort) ?? true
        return !mayHaveDefaultPort
            && all(authority) { $0 &- 0x41 >= 26 && $0 != ASCII.at }
            && all(pathAndQuery) { $0 != ASCII.hash }
    }

    /// Whether an authority ends like a default port, or with an empty one.
    private static func mayHaveDefaultPort(_ authority: UnsafeBufferPointer<UInt8>) -> Bool {
        switch authority.last {
        case ASCII.zero: authority.suffix(3).elementsEqual(":80".utf8)
        case 0x33: authority.suffix(4).elementsEqual(":443".utf8)
        case ASCII.colon, nil: true
        default: false
        }
    }

    /// Whether every byte satisfies the test; over the bytes in place where they are.
    private static func all(_ text: String, _ test: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(test) } ?? text.utf8.allSatisfy(test)
    }

    /// Returns the parts as one text, written in place: every request has its key made, and appending takes three times as
    /// long.
    static func joined(_ scheme: String, _ authority: String, _ pathAndQuery: String) -> String {
        let count = scheme.utf8.count + 3 + authority.utf8.count + pathAndQuery.utf8.count
        return String(unsafeUninitializedCapacity: count) { buffer in
            var end = 0
            append(scheme, to: buffer, &end)
            append("://", to: buffer, &end)
            append(authority, to: buffer, &end)
            append(pathAndQuery, to: buffer, &end)
            return end
        }
    }

    /// Whether `text`, which is the target URI of a key, surely is the one that these parts have in a key.
    ///
    /// Nothing in `text` is left to be normalised, so that only those parts are refused whose ends might be elsewhere.
    static func isJoined(_ text: String, _ scheme: String, _ authority: String, _ pathAndQuery: String)
        -> Bool
    {
        let count = scheme.utf8.count + 3 + authority.utf8.count + pathAndQuery.utf8.count
        guard text.utf8.count == count, scheme == "http" || scheme == "https" else { return false }
        let isSame = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard var place = bytes.baseAddress else { return false }
            return take(scheme, &place) && take("://", &place)
                && take(authority, &place) { authority in
                    !mayHaveDefaultPort(authority)
                        && authority.allSatisfy { $0 != ASCII.slash && $0 != ASCII.at }
                }
                && take(pathAndQuery, &place) { $0.first == ASCII.slash }
        }
        return isSame ?? false
    }

    /// Whether a part is what follows from a place on, which is moved behind it, and passes the test.
    private static func take(
        _ part: String,
        _ place: inout UnsafePointer<UInt8>,
        _ test: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true }
    ) -> Bool {
        let isSame = part.utf8.withContiguousStorageIfAvailable { bytes in
            // Without an end before the last byte, several are compared at a time.
            var difference: UInt8 = 0
            if let other = bytes.baseAddress {
                for index in 0..<bytes.count { difference |= other[index] ^ place[index] }
            }
            return difference == 0 && test(bytes)
        }
        place += part.utf8.count
        return isSame ?? false
    }

    private static func append(_ text: String, to buffer: UnsafeMutableBufferPointer<UInt8>, _ end: inout Int)
    {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[end...])
        end +=
            text.utf8.withContiguousStorageIfAvailable { rest.update(fromContentsOf: $0) }
            ?? rest.update(from: text.utf8).index
    }

    private static func normalised(authority: String, scheme: String) -> String {
        let bytes = ArraySlice(Array(authority.utf8))
        let hostStart = bytes.lastIndex(of: ASCII.at).map { $0 + 1 } ?? bytes.startIndex
        let user = String(decoding: bytes[..<hostStart], as: UTF8.self)
        var host = bytes[hostStart...]
        // A colon inside the brackets of an IPv6 address begins no port.
        let portSearch = host.lastIndex(of: ASCII.bracketClose) ?? host.startIndex
        if let colon = host[portSearch...].lastIndex(of: ASCII.colon) {
            let port = String(decoding: host[(colon + 1)...], as: UTF8.self)
            if port.isEmpty || port == defaultPort(of: scheme) { host = host[..<colon] }
        }
        return user + ASCII.lowercased(host)
    }

    private static func defaultPort(of scheme: String) -> String? {
        switch scheme {
        case "http": "80"
        case "https": "443"
        default: nil
        }
    }

    /// Path and query without fragment, with a `/` where there is no path.
    private static func rooted(_ pathAndQuery: String) -> String {
        // RFC 9112 §3.3: the target URI of the asterisk form has neither path nor query.
        if pathAndQuery == "*" { return "" }
        let whole = pathAndQuery.utf8.prefix { $0 != ASCII.hash }
        let text = String(Substring(whole))
        return whole.first == ASCII.slash ? text : "/" + text
    }
}
