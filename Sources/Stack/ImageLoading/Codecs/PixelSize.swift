/// Width and height of an image in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Pixels in all; the largest number there is where that is more.
    public var count: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }

    /// As `640×480`.
    public var description: String { "\(width)×\(height)" }
}
