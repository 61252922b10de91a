import CLibrary

/// Decoded pixels: rows from top to bottom, four bytes per pixel: red, green, blue, alpha, not premultiplied.
public struct PixelBuffer: Sendable {
    /// Width and height.
    public let size: PixelSize
    private let memory: PixelMemory

    /// Creates a buffer; `nil` unless the bytes are `4 × width × height` and the size is not empty.
    public init?(size: PixelSize, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount(of: size) else { return nil }
        self.init(size: size) { $0.copyBytes(from: bytes) }
    }

    /// Creates a buffer of a single colour.
    public init?(size: PixelSize, red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        guard size.count <= 1 << 30 else { return nil }
        self.init(size: size) { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                (bytes[pixel], bytes[pixel + 1]) = (red, green)
                (bytes[pixel + 2], bytes[pixel + 3]) = (blue, alpha)
            }
        }
    }

    /// Creates a zeroed buffer of `4 × width × height` bytes, which `fill` writes; `nil` if the size is
    /// empty.
    ///
    /// The bytes must not be used after `fill` has returned. Rethrows the error of `fill`.
    public init?<Failure: Error>(
        size: PixelSize,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard let count = Self.byteCount(of: size) else { return nil }
        self.size = size
        memory = try PixelMemory(count: count, fill)
    }

    private static func byteCount(of size: PixelSize) -> Int? {
        size.width > 0 && size.height > 0 && size.count <= Int.max / 4 ? 4 * size.count : nil
    }

    /// A copy of the `4 × width × height` bytes.
    public var bytes: [UInt8] { Array(memory.bytes) }

    /// Calls `body` with the bytes, which must not be used after it has returned.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(memory.bytes)
    }

    /// The red, green, blue and alpha of a pixel, counted from the upper left; `nil` outside.
    public subscript(x: Int, y: Int) -> [UInt8]? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        let start = 4 * (y * size.width + x)
        return Array(memory.bytes[start..<start + 4])
    }

    /// Whether any pixel is not fully opaque.
    public var hasTransparency: Bool {
        stride(from: 3, to: memory.count, by: 4).contains { memory.bytes[$0] != 255 }
    }

    /// Returns a buffer in which `change` has modified the four bytes of every pixel.
    public func mapPixels(_ change: (inout ArraySlice<UInt8>) -> Void) -> PixelBuffer {
        var changed = bytes
        for start in stride(from: 0, to: changed.count, by: 4) { change(&changed[start..<start + 4]) }
        return PixelBuffer(size: size, bytes: changed) ?? self
    }
}

extension PixelBuffer: Hashable {
    /// Whether both have the same size and the same bytes.
    public static func == (left: PixelBuffer, right: PixelBuffer) -> Bool {
        guard left.size == right.size else { return false }
        let (own, others) = (left.memory.bytes, right.memory.bytes)
        guard let start = own.baseAddress, let other = others.baseAddress else {
            return own.count == others.count
        }
        return start == other || memcmp(start, other, own.count) == 0
    }

    /// Hashes size and bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(bytes: memory.bytes)
    }
}
