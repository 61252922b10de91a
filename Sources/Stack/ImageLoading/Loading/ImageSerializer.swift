public import Fetching

/// Images for `Fetching`: content of the type `image/…`, decoded where the request ends, never on the caller's actor.
public struct ImageSerializer: ResponseSerializer {
    /// The media types that are taken; default JPEG and PNG.
    public var types: Set<String>
    /// What decodes, with its limits.
    public var codecs: ImageCodecs

    /// Creates a serializer.
    public init(types: Set<String> = ["image/jpeg", "image/png"], codecs: ImageCodecs = ImageCodecs()) {
        self.types = types
        self.codecs = codecs
    }

    /// Whether the type is among those that are taken.
    public func accepts(mediaType: String?) -> Bool { mediaType.map(types.contains) ?? false }

    /// Decodes the content into a `RasterImage`; throws `undecodable` for what is no image, damaged or too large.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        do throws(ImageError) {
            return .other(try codecs.image(from: content.bytes))
        } catch {
            throw FetchError(.undecodable, "The content is no image. \(error)")
        }
    }
}

extension FetchResponse {
    /// The content as an image; `nil` where it is something else.
    public var image: RasterImage? { value.image }
}

extension FetchValue {
    /// The image; `nil` where it is something else.
    public var image: RasterImage? { if case .other(let image as RasterImage) = self { image } else { nil } }
}
