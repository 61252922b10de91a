/// The width and height of an image in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// The number of pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels; `Int.max` if it overflows.
    public var count: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }

    /// The size in the form `640×480`.
    public var description: String { "\(width)×\(height)" }
}
