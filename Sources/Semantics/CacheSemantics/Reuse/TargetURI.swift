public import HTTPTypes

extension CacheEngine {
    /// Returns the primary cache key of a request; `content` is the digest of its content, if that is part of the key.
    ///
    /// It is for QUERY, where `ContentDigest.text` creates it; a QUERY without a digest is neither stored nor served from
    /// the store. Scheme and host are in lower case, a default port is omitted, and an empty path is `/`. Path and query
    /// are kept byte for byte, although RFC 9110 §4.2.3 allows more normalisation, because origins differ in which
    /// spellings of a path they treat as equal.
    public func key(for request: HTTPRequest, content: String = "") -> CacheKey {
        key(for: request, content: content, orOf: nil)
    }

    /// Returns the primary cache key of a request: that of `stored` if they are equal, which is faster than constructing it.
    func key(for request: HTTPRequest, content: String, orOf stored: StoredResponse?) -> CacheKey {
        let scheme = request.scheme ?? ""
        let authority = request.authority ?? ""
        let path = request.path ?? ""
        let content = keyHasFields ? content + keyPart(of: request.headerFields) : content
        if let stored, stored.facts.key.content == content,
            TargetURI.isJoined(stored.facts.key.targetURI, scheme, authority, path)
        {
            return stored.facts.key
        }
        if TargetURI.isNormal(scheme: scheme, authority: authority, pathAndQuery: path) {
            return CacheKey(targetURI: TargetURI.joined(scheme, authority, path), content: content)
        }
        let uri = TargetURI(scheme: scheme, authority: authority, pathAndQuery: path)
        return CacheKey(targetURI: uri.text, content: content)
    }

    /// Returns the primary cache key of a request, given whether it has content.
    ///
    /// The response to a GET or HEAD may depend on its content although that has no defined semantics (RFC 9110 §9.3.1).
    /// Such a request has a separate key, under which nothing is stored.
    public func key(for request: HTTPRequest, hasContent: Bool) -> CacheKey {
        let isUncacheable = hasContent && (request.method == .get || request.method == .head)
        return key(for: request, content: isUncacheable ? ContentDigest.uncacheable : "")
    }
}

/// The parts of an http or https URI in the form of a cache key.
struct TargetURI: Equatable {
    /// The origin: scheme and authority.
    let origin: String
    /// Path and query, beginning with `/`; empty for a request about the whole server.
    let pathAndQuery: String

    var text: String { origin + pathAndQuery }

    init(scheme: String, authority: String, pathAndQuery: String) {
        let scheme = ASCII.lowercased(ArraySlice(Array(scheme.utf8)))
        origin = scheme + "://" + Self.normalised(authority: authority, scheme: scheme)
        self.pathAndQuery = Self.rooted(pathAndQuery)
    }

    /// Whether the parts certainly have the form of a key, as in nearly every request.
    static func isNormal(scheme: String, authority: String, pathAndQuery: String) -> Bool {
        guard scheme == "http" || scheme == "https", pathAndQuery.utf8.first == ASCII.slash else {
            return false
        }
        let mayBeOtherwise =
            authority.utf8.withContiguousStorageIfAvailable {
                mayHaveDefaultPort($0) || IPv4Host.isPossible($0)
            } ?? true
        var previous: UInt8 = 0
        return !mayBeOtherwise
            && all(authority) { byte in
                defer { previous = byte }
                return byte &- 0x41 >= 26 && byte != ASCII.at && byte != ASCII.percent
                    && !(previous == ASCII.colon && byte == ASCII.zero)
            }
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

    /// Whether every byte satisfies the predicate; evaluated in place for contiguous text.
    private static func all(_ text: String, _ test: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(test) } ?? text.utf8.allSatisfy(test)
    }

    /// Returns the parts as one text, written in place because every request needs a key and appending takes three times
    /// as long.
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

    /// Whether `text`, the target URI of a key, certainly consists of these parts in normal form.
    ///
    /// `text` is normal, so that only parts with an ambiguous boundary are refused.
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

    /// Whether a part is next and satisfies the test; moves the position behind it.
    private static func take(
        _ part: String,
        _ place: inout UnsafePointer<UInt8>,
        _ test: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in true }
    ) -> Bool {
        let isSame = part.utf8.withContiguousStorageIfAvailable { bytes in
            // Compares several bytes at a time.
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
        var (host, port) = (bytes[hostStart...], [UInt8]())
        // A colon inside the brackets of an IPv6 address is not a port separator.
        let portSearch = host.lastIndex(of: ASCII.bracketClose) ?? host.startIndex
        if let colon = host[portSearch...].lastIndex(of: ASCII.colon) {
            (host, port) = (host[..<colon], portSuffix(host[(colon + 1)...], scheme: scheme))
        }
        // A host that is percent-encoded without need is the same host (RFC 9110 §4.2.3).
        let decoded = normalizingPercentEncoding(Array(host))[...]
        let name = IPv4Host.dotted(decoded).map { $0[...] } ?? decoded
        return user + ASCII.lowercased(name + port)
    }

    /// Returns a port without leading zeros, with its colon; nothing for none and for the scheme's default.
    private static func portSuffix(_ digits: ArraySlice<UInt8>, scheme: String) -> [UInt8] {
        var port = digits.drop { $0 == ASCII.zero }
        if port.isEmpty { port = digits.suffix(1) }
        let isDefault = port.isEmpty || defaultPort(of: scheme).map { port.elementsEqual($0.utf8) } == true
        return isDefault ? [] : [ASCII.colon] + port
    }

    private static func defaultPort(of scheme: String) -> String? {
        switch scheme {
        case "http": "80"
        case "https": "443"
        default: nil
        }
    }

    /// Returns path and query without fragment; `/` for an empty path.
    private static func rooted(_ pathAndQuery: String) -> String {
        // RFC 9112 §3.3: the target URI of the asterisk form has neither path nor query.
        if pathAndQuery == "*" { return "" }
        let whole = pathAndQuery.utf8.prefix { $0 != ASCII.hash }
        let text = String(Substring(whole))
        return whole.first == ASCII.slash ? text : "/" + text
    }
}
