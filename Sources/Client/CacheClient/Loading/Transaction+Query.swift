import CacheSemantics
import HTTPTypes

extension Transaction {
    /// The largest file, in bytes, whose digest becomes part of a cache key; a larger one is sent uncached.
    private static let largestKeyedFile = 8 << 20

    /// Returns the content of a request; that of a QUERY is in memory, so that its key is made from what is sent.
    static func body(of request: ClientRequest) throws(ClientError) -> RequestBody? {
        guard request.method == .query, case .file(let path)? = request.body else { return request.body }
        do throws(TransportError) {
            return try content(of: path).map(RequestBody.bytes) ?? request.body
        } catch {
            throw ClientError(error, url: request.url)
        }
    }

    /// The digest for the key of a QUERY; empty if the content is not known before it is sent.
    var contentDigest: String {
        switch body {
        case nil: ContentDigest.text(of: [], request.headerFields)
        case .bytes(let bytes): ContentDigest.text(of: bytes, request.headerFields)
        case .file, .stream: ""
        }
    }

    /// Reads a file; `nil` if it is too large, or has no length.
    private static func content(of path: String) throws(TransportError) -> [UInt8]? {
        let source = try FileSource(path: path)
        guard let length = source.length, length <= largestKeyedFile else { return nil }
        var content = [UInt8](repeating: 0, count: length)
        var count = 0
        while count < length {
            let step = content.withUnsafeMutableBytes { source.read(into: .init(rebasing: $0[count...])) }
            guard case .bytes(let read) = step else {
                if case .failed(let error) = step { throw error }
                return nil
            }
            // A file that was truncated meanwhile ends here.
            guard read > 0 else { return Array(content[..<count]) }
            count += read
        }
        return content
    }
}

extension RequestBody {
    /// Whether it has bytes, or may have some.
    var mayHaveBytes: Bool {
        switch self {
        case .bytes(let bytes): !bytes.isEmpty
        case .file: true
        case .stream(let stream): stream.length != .zero
        }
    }
}
