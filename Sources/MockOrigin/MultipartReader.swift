import HTTPServing

/// Reads multipart forms, RFC 7578 and RFC 2046 §5.1.
enum MultipartReader {
    static func read(_ body: [UInt8], type: String) -> RequestContent {
        guard let boundary = parameter("boundary", of: type), !boundary.isEmpty else {
            return .malformed("The multipart type has no boundary.")
        }
        let pieces = split(Array("\r\n".utf8) + body, by: Array("\r\n--\(boundary)".utf8))
        guard pieces.count >= 2, let last = pieces.last, last.starts(with: Array("--".utf8)) else {
            return .malformed("The multipart content has no closing boundary.")
        }
        return .parts(pieces.dropFirst().dropLast().compactMap(part))
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> RequestContent.Part? {
        // The rest of the boundary's line comes first; a part without fields begins with an empty line.
        guard let lineEnd = bytes.firstRange(of: crlf) else { return nil }
        let afterLine = bytes[lineEnd.lowerBound...]
        guard let headEnd = afterLine.firstRange(of: crlf + crlf) else { return nil }
        let head = afterLine[..<headEnd.lowerBound].dropFirst(2) + crlf
        let fields = ServedField.lines(ArraySlice(head)).map { ServedField($0.name, $0.value.trimmed) }
        let disposition = fields.combined(FieldName.contentDisposition) ?? ""
        return RequestContent.Part(
            name: parameter("name", of: disposition),
            fileName: parameter("filename", of: disposition),
            contentType: fields.combined(FieldName.contentType),
            body: Array(afterLine[headEnd.upperBound...])
        )
    }

    private static func split(_ bytes: [UInt8], by separator: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var piece = bytes[...]
        var rest = bytes[...]
        while let range = rest.firstRange(of: separator) {
            rest = rest[range.upperBound...]
            // A longer line that only begins like the boundary is content.
            let after = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard after.starts(with: crlf) || rest.starts(with: "--".utf8) else { continue }
            pieces.append(piece[..<range.lowerBound])
            piece = rest
        }
        return pieces + [piece]
    }

    /// Returns a parameter's value without its quotes.
    static func parameter(_ name: String, of value: String) -> String? {
        for member in value.split(separator: ";").dropFirst() {
            let parts = member.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard parts.count == 2, parts[0].isSameFieldName(as: name) else { continue }
            let isQuoted = parts[1].count >= 2 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
            return isQuoted ? String(parts[1].dropFirst().dropLast()) : parts[1]
        }
        return nil
    }

    private static let crlf: [UInt8] = [0x0D, 0x0A]
}
