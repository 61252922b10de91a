import FuzzInput
import ImageLoading

/// What the first bytes of an image say, and decoding where it is small.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput(start, count).bytes
    let codecs = ImageCodecs()
    guard let header = try? codecs.header(of: bytes), header.size.count <= 1 << 14 else { return 0 }
    _ = try? codecs.image(from: bytes)
    _ = codecs.partialImage(from: bytes, header: header)
    return 0
}
