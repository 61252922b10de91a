import Czstd

/// Decodes the content coding `zstd` (RFC 8878) by libzstd.
enum ZstandardDecoder {
    /// The window that decoders of HTTP have to support, as a power of two: 8 MB (RFC 9659 §3).
    private static let windowLog: Int32 = 23

    /// Returns the decoded content of one or more frames, at most `limit` bytes.
    static func decode(_ content: [UInt8], limit: Int) throws(DecodingFailure) -> [UInt8] {
        guard let stream = ZSTD_createDStream() else { throw .malformed("out of memory") }
        defer { ZSTD_freeDStream(stream) }
        _ = ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, windowLog)
        var decoded: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
        var position = 0
        while true {
            let step = decode(content, from: &position, into: &buffer, stream)
            if ZSTD_isError(step.result) != 0 {
                throw .malformed(String(cString: ZSTD_getErrorName(step.result)))
            }
            guard decoded.count + step.count <= limit else { throw .tooLarge }
            decoded += buffer[..<step.count]
            guard position == content.count else { continue }
            if step.result == 0 { return decoded }
            // With room left in the buffer, there is nothing more to write.
            if step.count < buffer.count { throw .malformed("the coded content ends too early") }
        }
    }

    /// Decodes until the input ends or the buffer is full; returns the library's result, which is 0 at the end of a
    /// frame, and the number of bytes written.
    private static func decode(
        _ content: [UInt8],
        from position: inout Int,
        into buffer: inout [UInt8],
        _ stream: OpaquePointer
    ) -> (result: Int, count: Int) {
        content.withUnsafeBytes { source in
            buffer.withUnsafeMutableBytes { target in
                var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
                var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let result = ZSTD_decompressStream(stream, &output, &input)
                position = input.pos
                return (result, output.pos)
            }
        }
    }
}
