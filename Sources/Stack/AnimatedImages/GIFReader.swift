import Cgif
import ImageLoading

/// Reads the frames of a GIF one after another; the only user of giflib.
struct GIFReader {
    /// The bytes that giflib reads, and the position of the next.
    private final class Source {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func read(into target: UnsafeMutablePointer<GifByteType>, _ count: Int) -> Int {
            let available = min(count, bytes.count - position)
            bytes.withUnsafeBufferPointer { all in
                for offset in 0..<available { target[offset] = all[position + offset] }
            }
            position += available
            return available
        }
    }
    private let source: Source
    private let file: UnsafeMutablePointer<GifFileType>
    private var canvas: GIFCanvas
    private var control = GIFCanvas.Control()
    /// The number of pixels that may still be decoded: frames may be larger than the screen, which cuts them.
    private var pixelsLeft: Int

    /// Opens a GIF whose screen, and whose frames together, take at most `limit`, four bytes for each pixel.
    init(_ bytes: [UInt8], _ size: PixelSize, limit: ByteCount) throws(ImageError) {
        guard size.width > 0, size.height > 0 else { throw .zeroPixels }
        guard size.count <= limit.bytes / 4 else { throw Self.tooLarge(limit) }
        pixelsLeft = limit.bytes / 4
        source = Source(bytes)
        canvas = GIFCanvas(size)
        var code: Int32 = 0
        guard let opened = DGifOpen(Unmanaged.passUnretained(source).toOpaque(), Self.read, &code) else {
            throw .damaged(Self.message(code))
        }
        file = opened
    }

    private static var read: InputFunc {
        { file, target, count in
            guard let data = file?.pointee.UserData, let target else { return 0 }
            let source = Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
            return Int32(source.read(into: target, Int(count)))
        }
    }

    /// Closes the file; must be called once.
    func close() {
        var code: Int32 = 0
        DGifCloseFile(file, &code)
    }

    /// Returns the next frame as it is shown; `nil` after the last.
    mutating func next(allowsTruncation: Bool) throws(ImageError) -> ImageFrame? {
        while true {
            var record = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &record) == GIF_OK else {
                throw .damaged(Self.message(file.pointee.Error))
            }
            switch record {
            case IMAGE_DESC_RECORD_TYPE: return try frame(allowsTruncation)
            case EXTENSION_RECORD_TYPE: try readExtension()
            case TERMINATE_RECORD_TYPE: return nil
            default: throw .damaged("it has an unknown block")
            }
        }
    }

    private mutating func readExtension() throws(ImageError) {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        var result = DGifGetExtension(file, &code, &block)
        while result == GIF_OK, let bytes = block {
            // The first byte is the number of those that follow.
            if code == GRAPHICS_EXT_FUNC_CODE, bytes[0] == 4 { control = .init(bytes + 1) }
            result = DGifGetExtensionNext(file, &block)
        }
        guard result == GIF_OK else { throw .damaged(Self.message(file.pointee.Error)) }
    }

    private mutating func frame(_ allowsTruncation: Bool) throws(ImageError) -> ImageFrame {
        guard DGifGetImageDesc(file) == GIF_OK else { throw .damaged(Self.message(file.pointee.Error)) }
        let image = file.pointee.Image
        let (width, height) = (Int(image.Width), Int(image.Height))
        guard width > 0, height > 0, let map = image.ColorMap ?? file.pointee.SColorMap else {
            throw .damaged("a frame has no pixels or no colours")
        }
        guard width * height <= pixelsLeft else { throw .tooLarge("its frames have too many pixels") }
        pixelsLeft -= width * height
        let place = GIFCanvas.Place(left: Int(image.Left), top: Int(image.Top), width: width, height: height)
        canvas.begin(place, control)
        let palette = UnsafeBufferPointer(start: map.pointee.Colors, count: Int(map.pointee.ColorCount))
        var line = [GifPixelType](repeating: 0, count: width)
        for row in Self.rows(of: height, isInterlaced: image.Interlace) {
            guard DGifGetLine(file, &line, Int32(width)) == GIF_OK else {
                guard allowsTruncation else { throw .damaged(Self.message(file.pointee.Error)) }
                break
            }
            canvas.draw(line, row: row, of: place, control) { index in
                palette.indices.contains(index)
                    ? (palette[index].Red, palette[index].Green, palette[index].Blue) : nil
            }
        }
        defer { control = .init() }
        guard let pixels = canvas.pixels else { throw .zeroPixels }
        return ImageFrame(pixels, duration: control.duration)
    }

    /// Returns the rows in the order in which they are stored.
    static func rows(of height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: height, by: step))
        }
    }

    private static func tooLarge(_ limit: ByteCount) -> ImageError {
        .tooLarge("its screen takes more than \(limit)")
    }

    private static func message(_ code: Int32) -> String {
        GifErrorString(code).map { String(cString: $0) } ?? "it is truncated"
    }
}
