internal import HTTPTypes

/// Several ranges of a stored response as `multipart/byteranges` (RFC 9110 §14.6).
struct MultipartRanges {
    let pieces: [Reuse.Piece]
    /// The value of the `Content-Type` field.
    let contentType: String
    /// Size of the content in bytes.
    let count: Int64

    init(_ ranges: [ByteRange], length: Int64, of stored: StoredResponse) {
        let boundary = Self.boundary(ranges, of: stored)
        let type = stored.response.headerFields[.contentType]
        var pieces: [Reuse.Piece] = []
        for (number, range) in ranges.enumerated() {
            let head = Self.head(boundary, type, ContentRange.text(range, of: length), isFirst: number == 0)
            pieces += [.bytes(head), .range(range)]
        }
        pieces.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        self.pieces = pieces
        contentType = "multipart/byteranges; boundary=\(boundary)"
        count = pieces.reduce(0) { $0 + $1.count }
    }

    private static func head(_ boundary: String, _ type: String?, _ range: String, isFirst: Bool) -> [UInt8] {
        let typeLine = type.map { "\(HTTPField.Name.contentType.rawName): \($0)\r\n" } ?? ""
        let rangeLine = "\(HTTPField.Name.contentRange.rawName): \(range)\r\n"
        return Array("\(isFirst ? "" : "\r\n")--\(boundary)\r\n\(typeLine)\(rangeLine)\r\n".utf8)
    }

    /// Returns a boundary derived from values that the content's author cannot know: the time of receipt and the
    /// requested ranges.
    private static func boundary(_ ranges: [ByteRange], of stored: StoredResponse) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: Int64) {
            // FNV-1a, over words.
            sum = (sum ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3
            sum ^= sum >> 29
        }
        mix(stored.responseTime.secondsSinceEpoch)
        for byte in stored.key.targetURI.utf8 { mix(Int64(byte)) }
        for range in ranges {
            mix(range.first)
            mix(range.last)
        }
        let first = sum
        mix(stored.contentLength ?? 0)
        return "part-\(String(first, radix: 16))-\(String(sum, radix: 16))"
    }
}

extension Reuse.Piece {
    fileprivate var count: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .range(let range): range.count
        }
    }
}
