import FuzzInput
@testable import HTTPServing

/// Chunked content, as the connection gives it to the reader.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var reader = ChunkReader(limit: 1 << 20)
    FuzzInput(start, count).bytes.withUnsafeBufferPointer { bytes in
        var position = 0
        while let taken = take(&reader, UnsafeBufferPointer(rebasing: bytes[position...])) {
            precondition(taken > 0 && taken <= bytes.count - position, "\(taken) bytes were taken")
            position += taken
        }
    }
    return 0
}

/// What a step takes; `nil` where it is the last.
private func take(_ reader: inout ChunkReader, _ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    switch reader.next(bytes) {
    case .framing(let count), .content(let count): count
    case .incomplete, .end, .refused: nil
    }
}
