import ImageLoading

/// The logical screen of a GIF, on which frames are drawn one over another (GIF89a §18, §23).
struct GIFCanvas {
    /// A frame's rectangle, which may reach beyond the screen.
    struct Place {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }
    /// The graphic control extension before a frame.
    struct Control {
        /// The treatment of the frame before the next is drawn.
        enum Disposal: UInt8 {
            case keep = 1
            case clear = 2
            case restore = 3
        }
        var disposal = Disposal.keep
        var hundredths = 0
        /// The index of the colour that is not drawn; `nil` if there is none.
        var transparent: Int?

        /// Creates the control of a frame without an extension.
        init() {}

        /// Reads the four bytes of an extension.
        init(_ bytes: UnsafePointer<UInt8>) {
            disposal = Disposal(rawValue: bytes[0] >> 2 & 7) ?? .keep
            hundredths = Int(bytes[1]) | Int(bytes[2]) << 8
            transparent = bytes[0] & 1 == 0 ? nil : Int(bytes[3])
        }

        /// The time for which the frame is shown; up to 10 ms means 100 ms, as in browsers and SDWebImage.
        var duration: Duration { .milliseconds(hundredths <= 1 ? 100 : 10 * hundredths) }
    }
    private let size: PixelSize
    private var bytes: [UInt8]
    /// The previous frame's place and disposal, and the screen before it.
    private var previous: (place: Place, disposal: Control.Disposal, screen: [UInt8])?

    init(_ size: PixelSize) {
        self.size = size
        bytes = [UInt8](repeating: 0, count: 4 * size.count)
    }

    var pixels: PixelBuffer? { PixelBuffer(size: size, bytes: bytes) }

    /// Disposes of the previous frame, and prepares for the next.
    mutating func begin(_ place: Place, _ control: Control) {
        switch previous?.disposal {
        case .clear: if let place = previous?.place { clear(place) }
        case .restore: if let screen = previous?.screen { bytes = screen }
        case .keep, nil: break
        }
        previous = (place, control.disposal, control.disposal == .restore ? bytes : [])
    }

    /// Draws a row of colour indices; indices without a colour are not drawn.
    mutating func draw(
        _ line: [UInt8],
        row: Int,
        of place: Place,
        _ control: Control,
        color: (Int) -> (UInt8, UInt8, UInt8)?
    ) {
        let y = place.top + row
        guard (0..<size.height).contains(y) else { return }
        for (column, value) in line.enumerated() {
            let (x, index) = (place.left + column, Int(value))
            guard (0..<size.width).contains(x), index != control.transparent, let color = color(index) else {
                continue
            }
            let start = 4 * (y * size.width + x)
            (bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]) =
                (color.0, color.1, color.2, 255)
        }
    }

    private mutating func clear(_ place: Place) {
        let columns = (place.left..<place.left + place.width).clamped(to: 0..<size.width)
        for y in (place.top..<place.top + place.height).clamped(to: 0..<size.height) {
            for x in columns {
                let start = 4 * (y * size.width + x)
                for byte in start..<start + 4 { bytes[byte] = 0 }
            }
        }
    }
}
