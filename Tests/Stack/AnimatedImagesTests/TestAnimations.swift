import AnimatedImages
import ImageLoading

/// Encoded animations, made from their specifications.
enum TestAnimations {
    /// A frame of a GIF of two by two pixels with the colours black, red, green, blue.
    struct GIFFrame {
        var left = 0
        var top = 0
        var width = 2
        var height = 2
        var pixels: [UInt8]
        var hundredths = 5
        var disposal: UInt8 = 1
        var transparent: UInt8?
        var isInterlaced = false
    }

    /// Returns a GIF89a: screen descriptor, colour table, and for each frame a graphic control extension and an image.
    static func gif(_ frames: [GIFFrame], width: Int = 2, height: Int = 2) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + two(width) + two(height) + [0x81, 0, 0]
        bytes += [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
        for frame in frames {
            let flags = frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)
            bytes += [0x21, 0xF9, 4, flags, UInt8(frame.hundredths), 0, frame.transparent ?? 0, 0]
            bytes += [0x2C] + two(frame.left) + two(frame.top) + two(frame.width) + two(frame.height)
            bytes += [frame.isInterlaced ? 0x40 : 0]
            bytes += lzw(frame.pixels)
        }
        return bytes + [0x3B]
    }

    /// Codes of three bits, with a clear code before each pixel, so that the code size never grows.
    private static func lzw(_ pixels: [UInt8]) -> [UInt8] {
        let codes = pixels.flatMap { [4, Int($0)] } + [5]
        var data: [UInt8] = []
        var (bits, count) = (0, 0)
        for code in codes {
            bits |= code << count
            count += 3
            while count >= 8 {
                data.append(UInt8(bits & 255))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        if count > 0 { data.append(UInt8(bits & 255)) }
        return [2, UInt8(data.count)] + data + [0]
    }

    static let red: [UInt8] = [255, 0, 0, 255]
    static let green: [UInt8] = [0, 255, 0, 255]
    static let blue: [UInt8] = [0, 0, 255, 255]
    static let clear: [UInt8] = [0, 0, 0, 0]

    /// Returns an animated WebP: VP8X, ANIM, and for each frame an ANMF chunk around a still image's chunk.
    static func webP(_ frames: [(PixelBuffer, milliseconds: Int)]) throws -> [UInt8] {
        guard let size = frames.first?.0.size else { return [] }
        var content = chunk("VP8X", [0x12, 0, 0, 0] + three(size.width - 1) + three(size.height - 1))
        content += chunk("ANIM", [0, 0, 0, 0, 0, 0])
        for (pixels, milliseconds) in frames {
            let still = try WebPCodec().encode(pixels, quality: 1)
            // Without the RIFF header of 12 bytes.
            let place = [UInt8](repeating: 0, count: 6) + three(size.width - 1) + three(size.height - 1)
            content += chunk("ANMF", place + three(milliseconds) + [2] + still.dropFirst(12))
        }
        return Array("RIFF".utf8) + four(content.count + 4) + Array("WEBP".utf8) + content
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array(name.utf8) + four(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func two(_ number: Int) -> [UInt8] { Array(four(number).prefix(2)) }

    private static func three(_ number: Int) -> [UInt8] { Array(four(number).prefix(3)) }

    private static func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
