import CacheSemantics
import HTTPTypes

extension Hop {
    /// The largest file whose digest becomes part of a cache key, in bytes; a larger one is sent uncached.
    private static let largestKeyedFile = 8 << 20

    /// The content of a request; that of a QUERY in memory, so that what is sent is what its key was made of.
    static func body(of request: ClientRequest) throws(ClientError) -> RequestBody? {
        guard request.method == .query, case .file(let path)? = request.body else { return request.body }
        do throws(TransportError) {
            return try content(of: path).map(RequestBody.bytes) ?? request.body
        } catch {
            throw ClientError(error, url: request.url)
        }
    }

    /// The digest for the key of a QUERY; empty where the content is not known before it is sent.
    var contentDigest: String {
        switch body {
        case nil: ContentDigest.text(of: [], request.headerFields)
        case .bytes(let bytes): ContentDigest.text(of: bytes, request.headerFields)
        case .file, .stream: ""
        }
    }

    /// `nil` for a file that is too large, or no file with a length.
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
            // A file that has become shorter meanwhile ends here.
            guard read > 0 else { return Array(content[..<count]) }
            count += read
        }
        return content
    }
}

extension RequestBody {
    /// Whether it has bytes, or may turn out to have some.
    var mayHaveBytes: Bool {
        switch self {
        case .bytes(let bytes): !bytes.isEmpty
        case .file: true
        case .stream(let stream): stream.length != 0
        }
    }
}
