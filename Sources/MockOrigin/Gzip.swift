import Czlib

/// The gzip coding, RFC 9110 §8.4.1.3.
enum Gzip {
    /// Returns the coded bytes; the same for the same content every time.
    static func compress(_ content: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window, and 16 for a gzip wrapper, whose time stamp zlib leaves at zero.
        guard cachecheck_deflate_init(&stream, Z_DEFAULT_COMPRESSION, 15 + 16) == Z_OK else { return content }
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
