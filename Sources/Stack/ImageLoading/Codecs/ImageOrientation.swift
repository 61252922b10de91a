/// How the stored rows and columns are to be shown.
public enum ImageOrientation: Sendable, Hashable, CaseIterable {
    /// As they are.
    case up
    /// As they are, left and right exchanged.
    case upMirrored
    /// Upside down.
    case down
    /// Upside down, left and right exchanged.
    case downMirrored
    /// A quarter turn to the left, mirrored.
    case leftMirrored
    /// A quarter turn to the right.
    case right
    /// A quarter turn to the right, mirrored.
    case rightMirrored
    /// A quarter turn to the left.
    case left

    /// The orientation of an Exif value from 1 to 8; anything else, and a missing value, is `up`.
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

    /// Whether width and height change places when it is shown.
    public var isTurned: Bool {
        switch self {
        case .leftMirrored, .right, .rightMirrored, .left: true
        case .up, .upMirrored, .down, .downMirrored: false
        }
    }
}
