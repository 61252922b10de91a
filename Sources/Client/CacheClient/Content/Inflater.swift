import Czlib

/// A decoder of one gzip or deflate coding, piece by piece.
final class Inflater: @unchecked Sendable {
    // Reason: belongs to one response, whose content is read by one task at a time.
    enum Coding: Sendable {
        case gzip
        case deflate
    }
    private let stream: UnsafeMutablePointer<z_stream>
    private let coding: Coding
    private var isOpen = false
    private(set) var isAtEnd = false

    init(_ coding: Coding) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Decodes `piece`; throws if it is damaged or if the output would exceed `limit` bytes.
    func decode(_ piece: [UInt8], limit: Int) throws(TransportError) -> [UInt8] {
        guard !piece.isEmpty else { return [] }
        try open(piece[0])
        var output: [UInt8] = []
        var failure: TransportError?
        var piece = piece
        piece.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            failure = run(into: &output, limit: limit)
        }
        if let failure { throw failure }
        return output
    }

    private func run(into output: inout [UInt8], limit: Int) -> TransportError? {
        while stream.pointee.avail_in > 0 {
            if isAtEnd, !begin() { return nil }
            let (chunk, code) = step()
            output += chunk
            if output.count > limit { return Self.tooLarge(limit) }
            switch code {
            case Z_STREAM_END: isAtEnd = true
            case Z_OK, Z_BUF_ERROR: if chunk.isEmpty { return nil }
            default: return TransportError(.cannotDecode, "The \(coding)-coded content is damaged.")
            }
        }
        return drain(into: &output, limit: limit)
    }

    /// Takes the output that did not fit into the last chunk.
    private func drain(into output: inout [UInt8], limit: Int) -> TransportError? {
        while !isAtEnd {
            let (chunk, code) = step()
            output += chunk
            if output.count > limit { return Self.tooLarge(limit) }
            if code == Z_STREAM_END { isAtEnd = true }
            if chunk.isEmpty || code != Z_OK { return nil }
        }
        return nil
    }

    private func step() -> ([UInt8], Int32) {
        var code: Int32 = Z_OK
        let capacity = 64 << 10
        let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(capacity)
            code = inflate(stream, Z_NO_FLUSH)
            count = capacity - Int(stream.pointee.avail_out)
        }
        return (chunk, code)
    }

    /// Starts another member of a gzip file (RFC 1952 §2.2); other bytes after the end are ignored.
    private func begin() -> Bool {
        guard coding == .gzip, stream.pointee.next_in?.pointee == 0x1F else { return false }
        isAtEnd = false
        return inflateReset(stream) == Z_OK
    }

    private func open(_ first: UInt8) throws(TransportError) {
        guard !isOpen else { return }
        // 8 in the lower half of the first byte means a zlib header; without it the coding is raw deflate, which
        // servers send although RFC 9110 §8.4.1.2 forbids it.
        let bits: Int32 = coding == .gzip ? 31 : (first & 0x0F == 8 ? 15 : -15)
        guard cachecheck_inflate_init(stream, bits) == Z_OK else {
            throw TransportError(.cannotDecode, "zlib cannot be initialised.")
        }
        isOpen = true
    }

    private static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(.tooLarge, "The decoded content is larger than \(limit) bytes.")
    }
}
