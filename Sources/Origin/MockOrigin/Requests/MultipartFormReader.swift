import HTTPServing
import WireSyntax

/// Parses multipart forms, RFC 7578 and RFC 2046 §5.1.
enum MultipartFormReader {
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
        let fields = MessageHead.lines(afterLine[..<headEnd.lowerBound]).compactMap(field)
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
            // A longer line that starts with the boundary is content.
            let after = rest.drop { $0 == 0x20 || $0 == 0x09 }
            guard after.starts(with: crlf) || rest.starts(with: "--".utf8) else { continue }
            pieces.append(piece[..<range.lowerBound])
            piece = rest
        }
        return pieces + [piece]
    }

    private static func field(_ line: ArraySlice<UInt8>) -> ServedField? {
        guard let field = MessageHead.field(line) else { return nil }
        return ServedField(
            String(decoding: field.name, as: UTF8.self),
            String(decoding: field.value, as: UTF8.self)
        )
    }

    /// Returns a parameter's value without quotes and their escapes, RFC 9110 §5.6.4.
    static func parameter(_ name: String, of value: String) -> String? {
        for member in members(value).dropFirst() {
            let parts = member.split(separator: "=", maxSplits: 1).map(\.trimmed)
            if parts.count == 2, parts[0].isSameFieldName(as: name) { return unquoted(parts[1]) }
        }
        return nil
    }

    /// Splits at semicolons outside quotes.
    private static func members(_ value: String) -> [String] {
        var members = [""]
        var (isQuoted, isEscaped) = (false, false)
        for scalar in value.unicodeScalars {
            if scalar == ";", !isQuoted {
                members.append("")
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && scalar == "\\"
            members[members.count - 1].unicodeScalars.append(scalar)
        }
        return members
    }

    private static func unquoted(_ value: String) -> String {
        guard value.utf8.count >= 2, value.utf8.first == 0x22, value.utf8.last == 0x22 else { return value }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars.dropFirst().dropLast() {
            isEscaped = !isEscaped && scalar == "\\"
            if !isEscaped { text.append(scalar) }
        }
        return String(text)
    }

    private static let crlf: [UInt8] = [0x0D, 0x0A]
}
