/// What the first bytes of an image say of it, read before anything is decoded.
public struct ImageHeader: Sendable, Hashable {
    /// The format.
    public var format: ImageFormat
    /// Width and height as stored, before the orientation is applied.
    public var size: PixelSize
    /// How it is to be shown; default as it is stored.
    public var orientation = ImageOrientation.up
    /// Pictures in it: more than one in an animation.
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

    /// Whether it is an animation.
    public var isAnimated: Bool { frameCount > 1 }
}
