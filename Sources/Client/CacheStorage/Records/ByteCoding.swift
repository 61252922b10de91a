import CLibrary

/// A receiver of values in binary form: little-endian base-128 counts, length-prefixed strings.
protocol ByteSink {
    mutating func write(byte: UInt8)
    mutating func write(count: Int)
    mutating func write(word: UInt64)
    mutating func write(text: String)
    mutating func write(buffer: UnsafeBufferPointer<UInt8>)
}

/// A sink that counts the bytes that `ByteWriter` would append.
struct ByteCounter: ByteSink {
    private(set) var count = 0

    mutating func write(byte: UInt8) { count += 1 }

    mutating func write(count number: Int) {
        let bits = UInt64.bitWidth - (UInt64(truncatingIfNeeded: number) | 1).leadingZeroBitCount
        count += (bits + 6) / 7
    }

    mutating func write(word: UInt64) { count += 8 }

    mutating func write(text: String) { add(text.utf8.count) }

    mutating func write(buffer: UnsafeBufferPointer<UInt8>) { add(buffer.count) }

    private mutating func add(_ length: Int) {
        write(count: length)
        count += length
    }
}

/// A sink that appends values to a byte array.
struct ByteWriter: ByteSink {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(count: Int) {
        var rest = UInt64(truncatingIfNeeded: count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(buffer: $0) }
    }

    mutating func write(buffer: UnsafeBufferPointer<UInt8>) {
        write(count: buffer.count)
        bytes.append(contentsOf: buffer)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of `text` in UTF-8.
    func isText(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { other in
            guard let bytes = baseAddress, let start = other.baseAddress else { return count == other.count }
            return count == other.count && memcmp(bytes, start, count) == 0
        }
    }
}

/// A reader of what `ByteWriter` wrote; every read returns `nil` if the bytes do not allow it.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether every byte has been read.
    var isAtEnd: Bool { offset == bytes.count }

    mutating func readByte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads a count, which must not exceed the number of bytes left.
    mutating func readCount() -> Int? {
        guard let value = readNumber(below: Int.max), value <= bytes.count - offset else { return nil }
        return value
    }

    /// Reads a number that was written as a count.
    mutating func readNumber(below limit: Int) -> Int? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = readByte(), shift < 63 {
            value |= UInt64(byte & 0x7F) &<< shift
            guard byte >= 0x80 else { return value < UInt64(limit) ? Int(value) : nil }
            shift += 7
        }
        return nil
    }

    mutating func readWord() -> UInt64? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    mutating func readText() -> String? {
        guard let buffer = readBuffer() else { return nil }
        // Not validated, which costs more: the bytes have a digest, and a repaired text does no harm.
        return String(decoding: buffer, as: UTF8.self)
    }

    mutating func readBuffer() -> UnsafeBufferPointer<UInt8>? {
        guard let count = readCount() else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]).assumingMemoryBound(
            to: UInt8.self
        )
    }
}
