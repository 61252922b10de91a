import Cbrotli

/// Decodes the content coding `br` (RFC 7932) by libbrotlidec.
enum BrotliDecoder {
    /// Returns the decoded content, at most `limit` bytes.
    static func decode(_ content: [UInt8], limit: Int) throws(DecodingFailure) -> [UInt8] {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw .malformed("out of memory")
        }
        defer { BrotliDecoderDestroyInstance(state) }
        var (decoded, rest) = ([UInt8](), content[...])
        while true {
            let (result, read) = step(state, rest)
            rest = rest.dropFirst(read)
            try append(output(of: state), to: &decoded, limit: limit)
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS:
                guard rest.isEmpty else {
                    throw .malformed("\(rest.count) bytes follow the end of the coded content")
                }
                return decoded
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: throw .malformed("the coded content ends too early")
            default:
                throw .malformed(String(cString: BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state))))
            }
        }
    }

    /// Decodes until the library's buffer is full; returns the number of bytes that were read, too.
    private static func step(_ state: OpaquePointer, _ input: ArraySlice<UInt8>) -> (BrotliDecoderResult, Int)
    {
        input.withUnsafeBufferPointer { bytes in
            var (available, room) = (bytes.count, 0)
            var next = bytes.baseAddress
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, nil, nil)
            return (result, bytes.count - available)
        }
    }

    private static func output(of state: OpaquePointer) -> UnsafeBufferPointer<UInt8> {
        var count = 0
        let start = BrotliDecoderTakeOutput(state, &count)
        return UnsafeBufferPointer(start: start, count: count)
    }

    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to decoded: inout [UInt8], limit: Int)
        throws(DecodingFailure)
    {
        guard decoded.count + bytes.count <= limit else { throw .tooLarge }
        decoded += bytes
    }
}
