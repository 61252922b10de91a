import CacheClient
import HTTPTypes

/// Removes the content codings that audits know: gzip, deflate, br (RFC 7932) and zstd (RFC 8878).
enum ContentCoding {
    /// Returns content without its codings, which are named in the order in which they were applied (RFC 9110 §8.4).
    ///
    /// The result is `nil` if a coding is unknown, or the content decodes to more than `limit` bytes. Throws if the
    /// content is not what its coding produces.
    static func remove(_ codings: [String], from content: [UInt8], limit: Int) throws(CodingProblem)
        -> [UInt8]?
    {
        // Content without a byte, such as that of HEAD, has no coding.
        guard !content.isEmpty else { return content }
        var decoded = content
        for coding in codings.reversed() {
            guard let decode = decoder(of: coding) else { return nil }
            do throws(DecodingFailure) {
                decoded = try decode(decoded, limit)
            } catch {
                guard case .malformed(let detail) = error else { return nil }
                throw CodingProblem(coding: coding, detail: detail)
            }
        }
        return decoded
    }

    private typealias Decoder = ([UInt8], _ limit: Int) throws(DecodingFailure) -> [UInt8]

    private static func decoder(of coding: String) -> Decoder? {
        switch coding {
        case "br": BrotliDecoder.decode
        case "zstd": ZstandardDecoder.decode
        case "gzip", "x-gzip", "deflate": inflating(coding)
        default: nil
        }
    }

    /// Returns a decoder for a coding that the client decodes, too.
    private static func inflating(_ coding: String) -> Decoder {
        { (content, limit) throws(DecodingFailure) in
            let fields: HTTPFields = [.contentEncoding: coding]
            let response = HTTPResponse(status: .ok, headerFields: fields)
            do throws(TransportError) {
                return try ContentDecoder.decode(content, of: response, limit: limit)
            } catch {
                if error.kind == .tooLarge { throw .tooLarge }
                throw .malformed(error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail)
            }
        }
    }
}

/// Content that is not what its coding produces.
struct CodingProblem: Error, Sendable, Hashable {
    /// The coding in lower case.
    let coding: String
    /// The problem, without a full stop.
    let detail: String
}

/// The reason why a decoder returned nothing.
enum DecodingFailure: Error {
    /// It would have returned more than it may.
    case tooLarge
    /// The content is not what the coding produces.
    case malformed(String)
}
