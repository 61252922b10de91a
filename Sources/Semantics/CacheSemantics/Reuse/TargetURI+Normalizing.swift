public import HTTPTypes

extension TargetURI {
    /// Returns a target URI in the normal form of RFC 3986 §6.2.2.
    ///
    /// In path and query, percent-encoding is in upper case and only where it is needed. The path has no dot segments, not
    /// even percent-encoded ones.
    static func normalized(_ targetURI: String) -> String {
        guard mayBeOtherwise(targetURI) else { return targetURI }
        let origin = StoredResponse.origin(of: targetURI)
        let bytes = Array(targetURI.utf8.dropFirst(origin.utf8.count))
        return origin + withoutDotSegments(normalizingPercentEncoding(bytes)[...])
    }

    /// Returns a part of a URI with percent-encoding in upper case and only where it is needed (RFC 3986 §6.2.2.1, §6.2.2.2).
    static func normalizingPercentEncoding(_ part: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(part.count)
        var index = 0
        while index < part.count {
            guard let octet = escaped(part[...], at: index) else {
                result.append(part[index])
                index += 1
                continue
            }
            if isUnreserved(octet) {
                result.append(octet)
            } else {
                result += [ASCII.percent] + part[index + 1...index + 2].map(ASCII.uppercased)
            }
            index += 3
        }
        return result
    }

    /// Whether both are the same in the normal form of RFC 3986 §6.2.2.
    func isEquivalent(to other: TargetURI) -> Bool {
        self == other || Self.normalized(text) == Self.normalized(other.text)
    }

    /// Whether there is an escape, or a segment that begins with a dot; rare in target URIs.
    private static func mayBeOtherwise(_ targetURI: String) -> Bool {
        var previous: UInt8 = 0
        return targetURI.utf8.contains { byte in
            defer { previous = byte }
            return byte == ASCII.percent || byte == ASCII.dot && previous == ASCII.slash
        }
    }

    /// Returns the octet that is percent-encoded at an index; `nil` if there is none.
    static func escaped(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard bytes[index] == ASCII.percent, index + 2 < bytes.endIndex,
            let high = ASCII.hexValue(bytes[index + 1]), let low = ASCII.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
            || byte == 0x7E
    }
}

extension HTTPRequest {
    /// Normalizes the percent-encoding of path and query (RFC 3986 §6.2.2.1, §6.2.2.2).
    ///
    /// Applied to a request before it is sent, so that its key matches the URI that the origin receives.
    public mutating func normalizePercentEncoding() {
        guard let path, path.utf8.contains(ASCII.percent) else { return }
        self.path = String(decoding: TargetURI.normalizingPercentEncoding(Array(path.utf8)), as: UTF8.self)
    }
}
