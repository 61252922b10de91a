internal import HTTPTypes

/// A `multipart/byteranges` content that is stored as separate ranges (RFC 9110 §14.6, §15.3.7.2).
///
/// The parts belong to one representation only if they agree on its length and type and do not overlap. Other content
/// is not stored.
public struct SeparatedRanges: Sendable, Hashable {
    /// One part and the position of its bytes in the content.
    public struct Part: Sendable, Hashable {
        /// The range of the representation.
        public let range: ByteRange
        /// The offset of its first byte in the content.
        public let offset: Int
    }
    /// The largest content that is separated, in bytes, because it has to be in memory.
    public static let largest = 8 << 20

    private let boundary: [UInt8]

    /// Parses `Content-Type`; `nil` for another type, or without a boundary (RFC 2046 §5.1.1).
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .contentType]
        guard lines.count == 1, let line = lines.first else { return nil }
        let parameters = line.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard parameters.first?.lowercased() == "multipart/byteranges",
            let value = parameters.dropFirst().lazy.compactMap(Self.boundary).first
        else { return nil }
        boundary = Array("--\(value)".utf8)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(decoding: ASCII.trimmed(Array(text.utf8)[...]), as: UTF8.self)
    }

    private static func boundary(_ parameter: String) -> String? {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "boundary" else { return nil }
        let isQuoted = parts[1].count >= 2 && parts[1].hasPrefix("\"") && parts[1].hasSuffix("\"")
        let value = isQuoted ? parts[1].dropFirst().dropLast() : parts[1]
        // RFC 2046 §5.1.1 allows 70 characters, none of which needs an escape.
        guard (1...70).contains(value.utf8.count), !value.utf8.contains(ASCII.backslash) else { return nil }
        return String(value)
    }

    /// Returns the parts of a content, ascending, and the type and length of their representation; `nil` if they belong to
    /// several, or if the content is not a complete `multipart/byteranges`.
    func parts(of content: [UInt8]) -> (parts: [Part], type: String?, completeLength: Int64?)? {
        var reader = ByteRangesReader(content)
        guard reader.skip(boundary) || reader.skip(ByteRangesReader.lineEnd + boundary) else { return nil }
        var parts: [Part] = []
        var common: PartHead?
        while !reader.skip(ByteRangesReader.ending) {
            guard let head = reader.head(), head.agrees(with: common ?? head),
                let offset = reader.skip(head.content.range.count),
                reader.skip(ByteRangesReader.lineEnd + boundary)
            else { return nil }
            common = head
            parts.append(Part(range: head.content.range, offset: offset))
        }
        parts.sort { $0.range.first < $1.range.first }
        let isApart = zip(parts, parts.dropFirst()).allSatisfy { $0.range.last < $1.range.first }
        guard let common, isApart else { return nil }
        return (parts, common.type, common.content.completeLength)
    }
}

/// The head of one part.
private struct PartHead {
    let content: ContentRange
    let type: String?

    func agrees(with other: PartHead) -> Bool {
        type == other.type && content.completeLength == other.content.completeLength
    }
}

/// Parses a multipart content, whose lines end in CR LF (RFC 2046 §5.1.1).
private struct ByteRangesReader {
    static let lineEnd: [UInt8] = [0x0D, 0x0A]
    static let ending = Array("--".utf8)
    private static let longestLine = 8 << 10
    private static let maximumLines = 64
    private let content: [UInt8]
    private var place = 0

    init(_ content: [UInt8]) { self.content = content }

    /// Skips these bytes if they are next.
    mutating func skip(_ bytes: [UInt8]) -> Bool {
        guard content[place...].starts(with: bytes) else { return false }
        place += bytes.count
        return true
    }

    /// Skips a number of bytes and returns where they begin; `nil` if fewer remain.
    mutating func skip(_ count: Int64) -> Int? {
        guard count <= Int64(content.count - place) else { return nil }
        defer { place += Int(count) }
        return place
    }

    /// Parses the head of a part, after its boundary; `nil` for anything else.
    mutating func head() -> PartHead? {
        guard line()?.allSatisfy(ASCII.isOptionalWhitespace) == true else { return nil }
        var fields = HTTPFields()
        for _ in 0..<Self.maximumLines {
            guard let line = line() else { return nil }
            if line.isEmpty { return PartHead(fields) }
            guard let colon = line.firstIndex(of: ASCII.colon),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { return nil }
            let value = ASCII.trimmed(line[(colon + 1)...])
            fields.append(HTTPField(name: name, value: String(decoding: value, as: UTF8.self)))
        }
        return nil
    }

    private mutating func line() -> ArraySlice<UInt8>? {
        let window = content[place..<min(place + Self.longestLine, content.count)]
        guard let end = window.indices.first(where: { window[$0...].starts(with: Self.lineEnd) }) else {
            return nil
        }
        defer { place = end + Self.lineEnd.count }
        return content[place..<end]
    }
}

extension PartHead {
    init?(_ fields: HTTPFields) {
        guard let content = ContentRange(fields) else { return nil }
        let types = fields[values: .contentType]
        guard types.count < 2 else { return nil }
        self.init(content: content, type: types.first)
    }
}

extension CacheEngine {
    /// Returns the stored response that the parts of a `multipart/byteranges` form, and the positions of its bytes in that
    /// content; `nil` if they are not certainly parts of one representation.
    public func separated(
        _ stored: StoredResponse,
        _ ranges: SeparatedRanges,
        content: [UInt8]
    ) -> (stored: StoredResponse, parts: [SeparatedRanges.Part])? {
        guard let (parts, type, length) = ranges.parts(of: content),
            let held = StoredParts(parts.map(\.range), completeLength: length)
        else { return nil }
        var head = HTTPResponse(status: .ok, headerFields: stored.response.headerFields)
        head.headerFields[.contentType] = type
        head.headerFields[.contentDigest] = nil
        head.headerFields[.contentLength] = length.map { String($0) }
        return (stored.copy(response: head, isInvalidated: false, parts: held), parts)
    }
}
