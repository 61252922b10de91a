import CacheSemantics
import HTTPTypes

/// The values of Content-Range that a download needs.
struct PartialContentRange {
    /// The position of the first byte in a 206; `nil` in a 416.
    var first: Int?
    /// The complete length; `nil` if unknown.
    var total: Int?

    /// Parses Content-Range (RFC 9110 §14.4); `nil` if it is missing, repeated or malformed.
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentRange]
        guard lines.count == 1, let line = lines.first?.lowercased(), line.hasPrefix("bytes ") else {
            return nil
        }
        let sides = line.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = Self.number(sides[1])
        guard total != nil || sides[1] == "*" else { return nil }
        if sides[0] == "*" { return }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self.first = first
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension HTTPFields {
    /// The strong entity tag; `nil` if it is weak or missing, as it then cannot be used in If-Range (RFC 9110
    /// §13.1.5).
    var strongTag: String? {
        let lines = self[values: .eTag]
        guard lines.count == 1, let tag = lines.first, tag.count >= 2, tag.hasPrefix("\""),
            tag.hasSuffix("\"")
        else { return nil }
        return tag
    }

    /// The value of Content-Length; `nil` if it is missing or malformed.
    var length: Int? {
        guard let text = self[.contentLength], let length = Int(text), length >= 0 else { return nil }
        return length
    }
}
