import CacheSemantics
import HTTPTypes

/// What a server says about the bytes it sends, as far as a download needs to know.
struct RangeAnswer {
    /// The first byte of a 206; `nil` for a 416, or without one.
    var first: Int?
    /// Bytes of the whole; `nil` where the server does not say.
    var total: Int?

    /// Reads Content-Range (RFC 9110 §14.4); `nil` where it is missing, repeated or unclear.
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
    /// The strong entity tag; `nil` for a weak one or none, by which no part can be gone on with (RFC 9110 §13.1.5).
    var strongTag: String? {
        let lines = self[values: .eTag]
        guard lines.count == 1, let tag = lines.first, tag.count >= 2, tag.hasPrefix("\""),
            tag.hasSuffix("\"")
        else { return nil }
        return tag
    }

    /// Content-Length; `nil` where it is missing or unclear.
    var length: Int? {
        guard let text = self[.contentLength], let length = Int(text), length >= 0 else { return nil }
        return length
    }
}
