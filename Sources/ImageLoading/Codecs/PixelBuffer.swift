/// Decoded pixels: rows from top to bottom, four bytes a pixel, red, green, blue, alpha, not premultiplied.
public struct PixelBuffer: Sendable, Hashable {
    /// Width and height.
    public let size: PixelSize
    /// `4 × width × height` bytes.
    public private(set) var bytes: [UInt8]

    /// Creates a buffer; `nil` where the bytes are not `4 × width × height`, or the size is empty.
    public init?(size: PixelSize, bytes: [UInt8]) {
        guard size.width > 0, size.height > 0, size.count <= Int.max / 4, bytes.count == 4 * size.count else {
            return nil
        }
        self.size = size
        self.bytes = bytes
    }

    /// Creates a buffer of one colour.
    public init?(size: PixelSize, red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        guard size.width > 0, size.height > 0, size.count <= 1 << 30 else { return nil }
        var bytes = [UInt8](repeating: alpha, count: 4 * size.count)
        for pixel in 0..<size.count {
            bytes[4 * pixel] = red
            bytes[4 * pixel + 1] = green
            bytes[4 * pixel + 2] = blue
        }
        self.init(size: size, bytes: bytes)
    }

    /// Red, green, blue and alpha of a pixel, counted from the upper left; `nil` outside.
    public subscript(x: Int, y: Int) -> [UInt8]? {
        guard (0..<size.width).contains(x), (0..<size.height).contains(y) else { return nil }
        let start = 4 * (y * size.width + x)
        return Array(bytes[start..<start + 4])
    }

    /// Whether any pixel is not wholly opaque.
    public var hasTransparency: Bool {
        stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] != 255 }
    }

    /// The buffer with every pixel changed by `change`, which gets its four bytes.
    public func mapPixels(_ change: (inout ArraySlice<UInt8>) -> Void) -> PixelBuffer {
        var copy = self
        for start in stride(from: 0, to: bytes.count, by: 4) { change(&copy.bytes[start..<start + 4]) }
        return copy
    }
}
