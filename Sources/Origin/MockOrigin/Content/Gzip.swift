import Czlib

/// The gzip coding, RFC 9110 §8.4.1.3.
package enum Gzip {
    /// The format that contains the compressed bytes.
    package enum Wrapper: CInt, Sendable {
        /// The format of RFC 1952, with the zero time stamp that zlib writes.
        case gzip = 16
        /// The format of RFC 1950, which is the coding `deflate` (RFC 9110 §8.4.1.2).
        case zlib = 0
    }

    /// Returns the compressed bytes; they are always the same for the same content.
    package static func compress(_ content: [UInt8], _ wrapper: Wrapper = .gzip) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window.
        let bits = 15 + wrapper.rawValue
        guard cachecheck_deflate_init(&stream, Z_DEFAULT_COMPRESSION, bits) == Z_OK else { return content }
        defer { deflateEnd(&stream) }
        var input = content
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(content.count))))
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                deflate(&stream, Z_FINISH)
                return target.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
