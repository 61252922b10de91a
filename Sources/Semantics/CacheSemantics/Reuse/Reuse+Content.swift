internal import HTTPTypes

extension Reuse {
    /// One piece of the content of a response that is made from a stored one.
    public enum Piece: Sendable, Hashable {
        /// Bytes that the cache adds.
        case bytes([UInt8])
        /// Bytes of the representation.
        case range(ByteRange)
    }
}

extension Reuse.Part {
    /// The pieces of the content, in order; `nil` for all that is stored, empty for none.
    public func pieces(of stored: StoredResponse) -> [Reuse.Piece]? {
        switch self {
        case .whole: nil
        case .notModified, .unsatisfiable: []
        case .range(let range, _): [.range(range)]
        case .ranges(let ranges, let length): MultipartRanges(ranges, length: length, of: stored).pieces
        }
    }

    /// Turns the head of the stored response into the one of the part.
    func shape(_ response: inout HTTPResponse, of stored: StoredResponse) {
        switch self {
        case .whole: break
        case .notModified: Self.shapeNotModified(&response)
        case .range(let range, let length):
            response.status = .partialContent
            response.headerFields[.contentRange] = ContentRange.text(range, of: length)
            response.headerFields[.contentLength] = String(range.count)
        case .ranges(let ranges, let length):
            let multipart = MultipartRanges(ranges, length: length, of: stored)
            response.status = .partialContent
            response.headerFields[.contentType] = multipart.contentType
            response.headerFields[.contentLength] = String(multipart.count)
        case .unsatisfiable(let length):
            response = HTTPResponse(status: .rangeNotSatisfiable)
            response.headerFields[.contentRange] = ContentRange.unsatisfied(length: length)
            response.headerFields[.contentLength] = "0"
        }
    }

    /// RFC 9110 §15.4.5: no metadata of the representation but what guides the update of a cache.
    private static func shapeNotModified(_ response: inout HTTPResponse) {
        response.status = .notModified
        for name in ofRepresentation { response.headerFields[name] = nil }
        if response.headerFields.contains(.eTag) { response.headerFields[.lastModified] = nil }
    }

    private static let ofRepresentation: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLength, .contentRange,
    ]
}
