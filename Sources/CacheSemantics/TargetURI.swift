public import HTTPTypes

extension CacheEngine {
    /// Returns the primary cache key of a request; `content` is the digest of its content where that counts.
    ///
    /// It counts for QUERY: `ContentDigest.text` makes it. Without one a QUERY is neither stored nor answered.
    /// The target URI is normalised (RFC 9110 §4.2.3): scheme and host in lower case, no default port, `/` for an
    /// empty path, percent-encoding in upper case and only where it is needed, no dot segments; the query stays as it is.
    public func key(for request: HTTPRequest, content: String = "") -> CacheKey {
        let scheme = request.scheme ?? ""
        let authority = request.authority ?? ""
        let path = request.path ?? ""
        let content = activePartition.map { content + $0.keyPart(of: request.headerFields) } ?? content
        if TargetURI.isNormal(scheme: scheme, authority: authority, pathAndQuery: path) {
            return CacheKey(targetURI: TargetURI.text(scheme, authority, path), content: content)
        }
        let uri = TargetURI(scheme: scheme, authority: authority, pathAndQuery: path)
        return CacheKey(targetURI: uri.text, content: content)
    }
}

/// A normalised http or https URI.
struct TargetURI: Equatable {
    /// Scheme and authority: what makes two URIs of one origin.
    let origin: String
    /// Path and query, beginning with `/`.
    let pathAndQuery: String

    var text: String { origin + pathAndQuery }

    init(scheme: String, authority: String, pathAndQuery: String) {
        let scheme = ASCII.lowercased(ArraySlice(Array(scheme.utf8)))
        origin = scheme + "://" + Self.normalised(authority: authority, scheme: scheme)
        self.pathAndQuery = Self.normalised(pathAndQuery: Array(pathAndQuery.utf8))
    }

    /// Whether the parts are surely normal already, as they are in nearly every request.
    static func isNormal(scheme: String, authority: String, pathAndQuery: String) -> Bool {
        guard scheme == "http" || scheme == "https", pathAndQuery.utf8.first == ASCII.slash else {
            return false
        }
        // A port that ends like a default one, or is empty, wants a closer look.
        switch authority.utf8.last {
        case ASCII.zero where authority.utf8.suffix(3).elementsEqual(":80".utf8): return false
        case 0x33 where authority.utf8.suffix(4).elementsEqual(":443".utf8): return false
        case ASCII.colon, nil: return false
        default: break
        }
        var previous: UInt8 = 0
        return all(authority) { $0 &- 0x41 >= 26 && $0 != ASCII.at }
            && all(pathAndQuery) { byte in
                defer { previous = byte }
                // A slash and a dot may begin a dot segment.
                let isDot = byte == ASCII.dot && previous == ASCII.slash
                return byte != ASCII.percent && byte != ASCII.hash && !isDot
            }
    }

    /// Whether every byte satisfies the test; over the bytes in place where they are.
    private static func all(_ text: String, _ test: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(test) } ?? text.utf8.allSatisfy(test)
    }

    /// The parts joined with a single allocation.
    static func text(_ scheme: String, _ authority: String, _ pathAndQuery: String) -> String {
        var text = ""
        text.reserveCapacity(scheme.utf8.count + 3 + authority.utf8.count + pathAndQuery.utf8.count)
        text += scheme
        text += "://"
        text += authority
        text += pathAndQuery
        return text
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

    private static func normalised(pathAndQuery bytes: [UInt8]) -> String {
        let whole = bytes.prefix { $0 != ASCII.hash }
        let path = whole.prefix { $0 != ASCII.question }
        let query = whole[path.endIndex...]
        var result: [UInt8] = []
        result.reserveCapacity(whole.count + 1)
        if path.first != ASCII.slash { result.append(ASCII.slash) }
        appendNormalised(path, to: &result)
        // RFC 3986 §6.2.2.3; after the escapes, of which some may be dots.
        return withoutDotSegments(result[...]) + String(decoding: query, as: UTF8.self)
    }

    private static func appendNormalised(_ path: ArraySlice<UInt8>, to result: inout [UInt8]) {
        var index = path.startIndex
        while index < path.endIndex {
            let byte = path[index]
            if byte == ASCII.percent, index + 2 < path.endIndex, let high = ASCII.hexValue(path[index + 1]),
                let low = ASCII.hexValue(path[index + 2])
            {
                let decoded = high << 4 | low
                if isUnreserved(decoded) {
                    result.append(decoded)
                } else {
                    result += [byte, ASCII.uppercased(path[index + 1]), ASCII.uppercased(path[index + 2])]
                }
                index += 3
            } else {
                result.append(byte)
                index += 1
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
            || byte == 0x7E
    }
}
