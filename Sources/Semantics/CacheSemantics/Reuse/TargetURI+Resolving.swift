extension TargetURI {
    /// Returns a reference resolved against this URI (RFC 3986 §5.2), normalised; `nil` for a scheme without an authority.
    func resolving(_ reference: String) -> TargetURI? {
        let bytes = ASCII.trimmed(ArraySlice(Array(reference.utf8))).prefix { $0 != ASCII.hash }
        if let scheme = Self.scheme(of: bytes) {
            return Self.absolute(bytes.dropFirst(scheme.utf8.count + 1), scheme: scheme)
        }
        if bytes.starts(with: [ASCII.slash, ASCII.slash]) { return Self.absolute(bytes, scheme: ownScheme) }
        return relative(bytes)
    }

    private var ownScheme: String { String(origin.prefix { $0 != ":" }) }

    private var ownAuthority: String { String(origin.dropFirst(ownScheme.count + 3)) }

    private static func scheme(of bytes: ArraySlice<UInt8>) -> String? {
        guard let colon = bytes.firstIndex(of: ASCII.colon), let first = bytes.first, ASCII.isLetter(first)
        else {
            return nil
        }
        let scheme = bytes[..<colon]
        let isScheme = scheme.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        return isScheme ? ASCII.lowercased(scheme) : nil
    }

    private static func absolute(_ bytes: ArraySlice<UInt8>, scheme: String) -> TargetURI? {
        guard bytes.starts(with: [ASCII.slash, ASCII.slash]) else { return nil }
        let rest = bytes.dropFirst(2)
        let authority = rest.prefix { $0 != ASCII.slash && $0 != ASCII.question }
        return TargetURI(
            scheme: scheme,
            authority: String(decoding: authority, as: UTF8.self),
            pathAndQuery: withoutDotSegments(rest[authority.endIndex...])
        )
    }

    private func relative(_ bytes: ArraySlice<UInt8>) -> TargetURI {
        let own = ArraySlice(Array(pathAndQuery.utf8))
        let ownPath = own.prefix { $0 != ASCII.question }
        let target =
            switch bytes.first {
            case nil: own
            case ASCII.question: ownPath + bytes
            case ASCII.slash: bytes
            default: ownPath[...(ownPath.lastIndex(of: ASCII.slash) ?? ownPath.startIndex)] + bytes
            }
        let path = Self.withoutDotSegments(ArraySlice(Array(target)))
        return TargetURI(scheme: ownScheme, authority: ownAuthority, pathAndQuery: path)
    }

    /// Returns the path and query `bytes` without the segments `.` and `..` (RFC 3986 §5.2.4).
    static func withoutDotSegments(_ bytes: ArraySlice<UInt8>) -> String {
        let path = bytes.prefix { $0 != ASCII.question }
        let query = bytes[path.endIndex...]
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst()
        for segment in segments {
            if segment.elementsEqual("..".utf8) {
                _ = kept.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                kept.append(segment)
            }
        }
        let endsInFolder =
            segments.last.map { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ?? true
        if endsInFolder { kept.append([]) }
        let text = kept.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
        return text + String(decoding: query, as: UTF8.self)
    }
}
