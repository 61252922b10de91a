import AnimatedImages
import FuzzInput
import ImageLoading

/// GIF and WebP: headers, the first frame, truncated content, and all frames within a limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput(start, count).bytes
    let codecs = ImageCodecs([GIFCodec(), WebPCodec()])
    guard let header = try? codecs.header(of: bytes), header.size.count <= 1 << 14 else { return 0 }
    _ = codecs.partialImage(from: bytes, header: header)
    guard let image = try? codecs.image(from: bytes) else { return 0 }
    _ = try? image.pixels()
    let limit = 1 << 20
    if let frames = try? image.frames(limit: .bytes(limit)) {
        precondition(frames.allSatisfy { $0.pixels.size == header.size }, "a frame has another size")
        precondition(4 * frames.count * header.size.count <= limit, "the frames exceed the limit")
    }
    return 0
}
