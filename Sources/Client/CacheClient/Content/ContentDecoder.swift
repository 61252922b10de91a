package import HTTPTypes

/// A decoder of the content codings of one response; it changes nothing if there is none that is known.
package struct ContentDecoder {
    private let inflaters: [Inflater]
    private let limit: Int
    private var total = 0
    private var hasInput = false

    /// Creates a decoder for `response`; `limit` is the largest decoded size in bytes.
    init(_ response: HTTPResponse, limit: Int, isNeeded: Bool = true) {
        // A part of a coded representation cannot be decoded.
        let isDecoded = isNeeded && response.status != .partialContent
        inflaters = isDecoded ? Self.codings(response.headerFields).map { Inflater($0) } : []
        self.limit = limit
    }

    /// Whether content passes unchanged.
    var isIdentity: Bool { inflaters.isEmpty }

    mutating func decode(_ piece: [UInt8]) throws(TransportError) -> [UInt8] {
        guard !isIdentity else { return piece }
        var piece = piece
        if !piece.isEmpty { hasInput = true }
        for inflater in inflaters { piece = try inflater.decode(piece, limit: limit - total) }
        total += piece.count
        return piece
    }

    /// Throws if the content ended within a coding.
    func finish() throws(TransportError) {
        guard !hasInput || inflaters.allSatisfy(\.isAtEnd) else {
            throw TransportError(.cannotDecode, "The coded content ends too early.")
        }
    }

    /// Decodes complete content.
    package static func decode(_ body: [UInt8], of response: HTTPResponse, limit: Int) throws(TransportError)
        -> [UInt8]
    {
        guard !body.isEmpty, response.headerFields.contains(.contentEncoding) else { return body }
        var decoder = ContentDecoder(response, limit: limit)
        let decoded = try decoder.decode(body)
        try decoder.finish()
        return decoded
    }

    /// Returns the codings, outermost first; none if one is unknown, because those below it cannot be reached.
    private static func codings(_ fields: HTTPFields) -> [Inflater.Coding] {
        var codings: [Inflater.Coding] = []
        for value in fields[values: .contentEncoding] {
            for name in value.split(whereSeparator: { ", \t".contains($0) }) {
                switch name.lowercased() {
                case "gzip", "x-gzip": codings.insert(.gzip, at: 0)
                case "deflate": codings.insert(.deflate, at: 0)
                case "identity": continue
                default: return []
                }
            }
        }
        return codings
    }
}
