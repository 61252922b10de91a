import Cwebp
import ImageLoading

/// The frames of an animated WebP.
enum WebPAnimation {
    /// Decodes at most this many frames, at least one.
    static func frames(of bytes: [UInt8], _ size: PixelSize, most: Int) throws(ImageError) -> [ImageFrame] {
        var found: [(PixelBuffer, end: Int)] = []
        let isComplete = bytes.withUnsafeBufferPointer { all in
            var data = WebPData(bytes: all.baseAddress, size: all.count)
            guard let decoder = WebPAnimDecoderNew(&data, nil) else { return false }
            defer { WebPAnimDecoderDelete(decoder) }
            while found.count < most, WebPAnimDecoderHasMoreFrames(decoder) != 0 {
                var canvas: UnsafeMutablePointer<UInt8>?
                var end: Int32 = 0
                guard WebPAnimDecoderGetNext(decoder, &canvas, &end) != 0, let canvas,
                    let pixels = PixelBuffer(
                        size: size,
                        bytes: Array(UnsafeBufferPointer(start: canvas, count: 4 * size.count))
                    )
                else { return false }
                found.append((pixels, Int(end)))
            }
            return true
        }
        guard isComplete, !found.isEmpty else { throw .damaged("a frame is truncated or malformed") }
        var start = 0
        return found.map { pixels, end in
            defer { start = end }
            return ImageFrame(pixels, duration: .milliseconds(end - start))
        }
    }
}
