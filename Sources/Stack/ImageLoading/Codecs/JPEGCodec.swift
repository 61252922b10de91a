import Cturbojpeg

/// The JPEG codec, based on libturbojpeg.
public struct JPEGCodec: ImageCodec {
    /// Creates the codec.
    public init() {}

    /// JPEG.
    public var format: ImageFormat { .jpeg }

    /// Parses size and orientation; returns `nil` while the frame header is incomplete.
    public func header(of bytes: [UInt8]) throws(ImageError) -> ImageHeader? {
        guard let size = try TurboHandle(.decompressing).size(of: bytes) else { return nil }
        let orientation = ImageOrientation(exif: ExifOrientation(bytes).value)
        return ImageHeader(format: .jpeg, size: size, orientation: orientation)
    }

    /// Decodes baseline and progressive images of at most 500 scans.
    public func decode(_ bytes: [UInt8], allowsTruncation: Bool) throws(ImageError) -> PixelBuffer {
        let handle = try TurboHandle(.decompressing)
        guard let size = try handle.size(of: bytes) else { throw .damaged("its header is incomplete") }
        return try handle.pixels(of: bytes, size: size, allowsTruncation: allowsTruncation)
    }

    /// Encodes an image without transparency; quality 90 and above does not subsample colours.
    public func encode(_ pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        try TurboHandle(.compressing).bytes(of: pixels, quality: quality)
    }
}

/// A libturbojpeg handle, used by one thread.
private struct TurboHandle: ~Copyable {
    enum Direction { case decompressing, compressing }
    private let raw: tjhandle

    init(_ direction: Direction) throws(ImageError) {
        guard let raw = direction == .decompressing ? tjInitDecompress() : tjInitCompress() else {
            throw .unsupported("libturbojpeg cannot be initialised")
        }
        self.raw = raw
    }

    deinit { tjDestroy(raw) }

    /// Returns width and height; `nil` if the header is incomplete.
    func size(of bytes: [UInt8]) throws(ImageError) -> PixelSize? {
        var width: Int32 = 0
        var height: Int32 = 0
        var sampling: Int32 = 0
        var space: Int32 = 0
        let result = tjDecompressHeader3(raw, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
        // A truncated header is not an error while a transfer is in progress.
        guard result == 0 || tjGetErrorCode(raw) == Int32(TJERR_WARNING.rawValue) || width > 0 else {
            if JPEGFrame.isMissing(in: bytes) { return nil }
            throw .damaged(reason)
        }
        return width > 0 && height > 0 ? PixelSize(width: Int(width), height: Int(height)) : nil
    }

    func pixels(
        of bytes: [UInt8],
        size: PixelSize,
        allowsTruncation: Bool
    ) throws(ImageError) -> PixelBuffer {
        guard size.count <= 1 << 30 else { throw .tooLarge("\(size) pixels") }
        let buffer = try PixelBuffer(size: size) { pixels throws(ImageError) in
            try decompress(bytes, size, into: pixels, allowsTruncation)
        }
        guard let buffer else { throw .zeroPixels }
        return buffer
    }

    private func decompress(
        _ bytes: [UInt8],
        _ size: PixelSize,
        into pixels: UnsafeMutableRawBufferPointer,
        _ allowsTruncation: Bool
    ) throws(ImageError) {
        let flags = TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT
        let (width, height) = (Int32(size.width), Int32(size.height))
        let format = Int32(TJPF_RGBA.rawValue)
        let count = UInt(bytes.count)
        let rows = pixels.bindMemory(to: UInt8.self).baseAddress
        if tjDecompress2(raw, bytes, count, rows, width, 4 * width, height, format, flags) != 0 {
            let isWarning = tjGetErrorCode(raw) == Int32(TJERR_WARNING.rawValue)
            // Other warnings concern deviations that all viewers tolerate.
            guard isWarning, allowsTruncation || !reason.contains("remature end") else {
                throw .damaged(reason)
            }
        }
    }

    func bytes(of pixels: PixelBuffer, quality: Double) throws(ImageError) -> [UInt8] {
        guard max(pixels.size.width, pixels.size.height) <= 65_500 else {
            throw .tooLarge("JPEG does not support sides longer than 65,500 pixels")
        }
        // A quality that is not a number counts as 1.
        let percent = quality >= 0 && quality <= 1 ? max(1, Int32((quality * 100).rounded())) : 100
        let sampling = Int32((percent >= 90 ? TJSAMP_444 : TJSAMP_420).rawValue)
        let (width, height) = (Int32(pixels.size.width), Int32(pixels.size.height))
        let format = Int32(TJPF_RGBA.rawValue)
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(output) }
        let flags = TJFLAG_ACCURATEDCT
        let isWritten = pixels.withBytes { bytes in
            let rows = bytes.bindMemory(to: UInt8.self).baseAddress
            return tjCompress2(
                raw,
                rows,
                width,
                0,
                height,
                format,
                &output,
                &count,
                sampling,
                percent,
                flags
            ) == 0
        }
        guard isWritten, let output else { throw .unsupported("JPEG could not be written: \(reason)") }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }

    private var reason: String { String(cString: tjGetErrorStr2(raw)) }
}

/// Locates the frame header of a JPEG.
enum JPEGFrame {
    /// Whether the bytes are valid so far and end before the frame header is complete.
    static func isMissing(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else {
            return bytes.isEmpty || Array([0xFF, 0xD8, 0xFF].prefix(bytes.count)) == Array(bytes.prefix(3))
        }
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return false }
        var position = 2
        while position + 4 <= bytes.count {
            guard bytes[position] == 0xFF else { return false }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            // The image ends, or a scan starts, before a frame header.
            guard marker != 0xD9, marker != 0xDA else { return false }
            position += 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
        }
        return true
    }
}
