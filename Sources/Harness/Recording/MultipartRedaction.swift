/// Replaces the content of secret parts in a multipart form (RFC 7578) and keeps all other bytes.
enum MultipartRedaction {
    /// Returns the boundary in a media type; `nil` if there is none.
    static func boundary(of type: String) -> String? { parameter("boundary", of: type) }

    /// Returns content with the content of secret parts replaced.
    static func applied(to content: [UInt8], boundary: String, by redaction: Redaction) -> [UInt8] {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be at the beginning of the content (RFC 2046 §5.1.1).
        var rest = (lineEnd + content)[...]
        var result: [UInt8] = []
        while let range = rest.firstRange(of: delimiter) {
            result += clean(rest[..<range.lowerBound], redaction) + delimiter
            rest = rest[range.upperBound...]
        }
        // An unterminated part is redacted, too.
        return Array((result + clean(rest, redaction)).dropFirst(lineEnd.count))
    }

    /// Redacts what is between two delimiters: the end of a line, a head, an empty line and content.
    private static func clean(_ part: ArraySlice<UInt8>, _ redaction: Redaction) -> [UInt8] {
        guard let headEnd = part.firstRange(of: lineEnd + lineEnd) else { return Array(part) }
        let head = String(decoding: part[..<headEnd.lowerBound], as: UTF8.self)
        let line = head.split(whereSeparator: \.isNewline).first {
            $0.lowercased().hasPrefix("content-disposition:")
        }
        guard let name = line.flatMap({ parameter("name", of: String($0)) }),
            redaction.isSecret(parameter: name)
        else { return Array(part) }
        return Array(part[..<headEnd.upperBound]) + Redaction.mark.utf8
    }

    private static func parameter(_ name: String, of value: String) -> String? {
        for member in value.split(separator: ";").dropFirst() {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }).lowercased() == name else { continue }
            let text = parts[1].filter { $0 != "\"" }
            return text.isEmpty ? nil : text
        }
        return nil
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
