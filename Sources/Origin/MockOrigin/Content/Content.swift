import FileWatching
import HTTPServing

/// Content, or a part of it, that is not necessarily in memory.
struct Content: Sendable {
    enum Source: Sendable {
        case bytes([UInt8])
        /// A repeating pattern; the shift is the position in its period at which the content begins.
        case pattern(shift: Int)
        case file(ServedFile)
    }
    let source: Source
    /// The range of the source's bytes.
    private(set) var range: Range<Int>

    init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    /// Creates a part of a buffer.
    init(_ buffer: [UInt8], _ range: Range<Int>) { self.init(source: .bytes(buffer), range: range) }

    /// Returns the first `size` bytes of the pattern.
    static func pattern(_ size: Int, shift: Int = 0) -> Content {
        Content(source: .pattern(shift: shift), range: 0..<max(size, 0))
    }

    static func file(_ file: ServedFile) -> Content {
        Content(source: .file(file), range: 0..<file.stamp.size)
    }

    private init(source: Source, range: Range<Int>) {
        self.source = source
        self.range = range
    }

    var count: Int { range.count }
    var isEmpty: Bool { range.isEmpty }

    func prefix(_ count: Int) -> Content {
        Content(source: source, range: range.prefix(max(count, 0)))
    }

    func dropFirst(_ count: Int) -> Content {
        Content(source: source, range: range.dropFirst(max(count, 0)))
    }

    /// Returns a part of this content, by positions from its beginning.
    func part(_ places: Range<Int>) -> Content { dropFirst(places.lowerBound).prefix(places.count) }

    /// Returns this and the following content as one, without a copy; `nil` unless they are adjacent in one buffer.
    func joined(_ next: Content) -> Content? {
        guard case .bytes(let buffer) = source, case .bytes(let other) = next.source,
            range.upperBound == next.range.lowerBound,
            buffer.withUnsafeBufferPointer({ $0.baseAddress })
                == other.withUnsafeBufferPointer({ $0.baseAddress })
        else { return nil }
        return Content(source: source, range: range.lowerBound..<next.range.upperBound)
    }

    /// Returns all bytes; `nil` if the file can no longer be read.
    func bytes() -> ArraySlice<UInt8>? { Self.bytes(source, range) }

    /// A producer of the bytes.
    var producer: ContentProducer {
        ContentProducer(count: count) { [source, range] places in
            let start = range.lowerBound + places.lowerBound
            return Self.bytes(source, start..<start + places.count)
        }
    }

    private static func bytes(_ source: Source, _ range: Range<Int>) -> ArraySlice<UInt8>? {
        switch source {
        case .bytes(let bytes): bytes[range]
        case .pattern(let shift): Pattern.bytes(range, shift: shift)[...]
        case .file(let file): file.bytes(range).map { $0[...] }
        }
    }
}

/// Printable bytes with a period of 95, which reveals pieces in the wrong order.
enum Pattern {
    /// A multiple of 95 bytes, because producing large content byte by byte would keep a thread of the server busy.
    private static let period = (0..<95 * 512).map { UInt8(0x20 + $0 % 95) }

    static func bytes(_ range: Range<Int>, shift: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let start = (range.lowerBound + bytes.count + shift % 95) % period.count
            bytes += period[start...].prefix(range.count - bytes.count)
        }
        return bytes
    }
}
