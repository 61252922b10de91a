/// An image's header, parsed before decoding.
public struct ImageHeader: Sendable, Hashable {
    /// The format of the image.
    public var format: ImageFormat
    /// The stored width and height, before the orientation is applied.
    public var size: PixelSize
    /// The orientation; default `up`.
    public var orientation = ImageOrientation.up
    /// The number of frames; more than one in an animation.
    public var frameCount = 1

    /// Creates a header.
    public init(
        format: ImageFormat,
        size: PixelSize,
        orientation: ImageOrientation = .up,
        frameCount: Int = 1
    ) {
        self.format = format
        self.size = size
        self.orientation = orientation
        self.frameCount = frameCount
    }

    /// Whether the image is an animation.
    public var isAnimated: Bool { frameCount > 1 }
}
