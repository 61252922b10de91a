/// The orientation in which stored pixels are displayed.
public enum ImageOrientation: Sendable, Hashable, CaseIterable {
    /// Unchanged.
    case up
    /// Mirrored horizontally.
    case upMirrored
    /// Rotated by 180°.
    case down
    /// Rotated by 180° and mirrored horizontally.
    case downMirrored
    /// Rotated by 90° counterclockwise and mirrored.
    case leftMirrored
    /// Rotated by 90° clockwise.
    case right
    /// Rotated by 90° clockwise and mirrored.
    case rightMirrored
    /// Rotated by 90° counterclockwise.
    case left

    /// Creates an orientation from an Exif value, 1 to 8; `up` for any other value or `nil`.
    public init(exif value: Int?) {
        self =
            switch value {
            case 2: .upMirrored
            case 3: .down
            case 4: .downMirrored
            case 5: .leftMirrored
            case 6: .right
            case 7: .rightMirrored
            case 8: .left
            default: .up
            }
    }

    /// Whether width and height are exchanged when the image is displayed.
    public var isTurned: Bool {
        switch self {
        case .leftMirrored, .right, .rightMirrored, .left: true
        case .up, .upMirrored, .down, .downMirrored: false
        }
    }
}
