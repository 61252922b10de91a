internal import HTTPTypes

extension Reuse {
    /// A piece of the content of a response that is constructed from a stored one.
    public enum Piece: Sendable, Hashable {
        /// Bytes that the cache adds.
        case bytes([UInt8])
        /// Bytes of the representation.
        case range(ByteRange)
    }
}

extension Reuse.Part {
    /// Returns the pieces of the content, in order; `nil` for all stored content, empty for none.
    public func pieces(of stored: StoredResponse) -> [Reuse.Piece]? {
        switch self {
        case .whole: nil
        case .notModified, .unsatisfiable: []
        case .range(let range, _): [.range(range)]
        case .ranges(let ranges, let length): MultipartRanges(ranges, length: length, of: stored).pieces
        }
    }

    /// Changes the head of the stored response to that of the part.
    func shape(_ response: inout HTTPResponse, of stored: StoredResponse) {
        switch self {
        case .whole: break
        case .notModified: Self.shapeNotModified(&response)
        case .range(let range, let length):
            response.status = .partialContent
            response.headerFields[.contentDigest] = nil
            response.headerFields[.contentRange] = ContentRange.text(range, of: length)
            response.headerFields[.contentLength] = String(range.count)
        case .ranges(let ranges, let length):
            let multipart = MultipartRanges(ranges, length: length, of: stored)
            response.status = .partialContent
            response.headerFields[.contentDigest] = nil
            response.headerFields[.contentType] = multipart.contentType
            response.headerFields[.contentLength] = String(multipart.count)
        case .unsatisfiable(let length):
            response = HTTPResponse(status: .rangeNotSatisfiable)
            response.headerFields[.contentRange] = ContentRange.unsatisfied(length: length)
            response.headerFields[.contentLength] = "0"
        }
    }

    /// Removes the fields that the client has: a response to an `If-Range` that held should not repeat them (RFC 9110
    /// §15.3.7).
    ///
    /// Last-Modified stays where it is the only validator by which the client can combine the parts.
    func leaveOutKnownFields(of response: inout HTTPResponse) {
        var known: [HTTPField.Name] = [.contentEncoding, .contentLanguage]
        switch self {
        case .range: known.append(.contentType)
        // Its Content-Type is that of the parts.
        case .ranges: break
        case .whole, .notModified, .unsatisfiable: return
        }
        for name in known { response.headerFields[name] = nil }
        if response.headerFields.contains(.eTag) { response.headerFields[.lastModified] = nil }
    }

    /// Makes the response a 304 without representation metadata, except the fields that guide cache updates (RFC 9110
    /// §15.4.5).
    private static func shapeNotModified(_ response: inout HTTPResponse) {
        response.status = .notModified
        for name in ofRepresentation { response.headerFields[name] = nil }
        if response.headerFields.contains(.eTag) { response.headerFields[.lastModified] = nil }
    }

    private static let ofRepresentation: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentLength, .contentRange, .contentDigest,
        .reprDigest,
    ]
}
