public import Fetching

/// A serializer for `Fetching` that decodes `image/…` content on the request's executor, never on the
/// caller's actor.
public struct ImageSerializer: ResponseSerializer {
    /// The accepted media types; default JPEG and PNG.
    public var types: Set<String>
    /// The decoders and their limits.
    public var codecs: ImageCodecs

    /// Creates a serializer.
    public init(types: Set<String> = ["image/jpeg", "image/png"], codecs: ImageCodecs = ImageCodecs()) {
        self.types = types
        self.codecs = codecs
    }

    /// Whether the media type is accepted.
    public func accepts(mediaType: String?) -> Bool { mediaType.map(types.contains) ?? false }

    /// Decodes the content into a `RasterImage`; throws `undecodable` if it is not an image, damaged or too
    /// large.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        do throws(ImageError) {
            return .other(try codecs.image(from: content.bytes))
        } catch {
            throw FetchError(.undecodable, "The content is not an image. \(error)")
        }
    }
}

extension FetchResponse {
    /// The content as an image; `nil` if it is something else.
    public var image: RasterImage? { value.image }
}

extension FetchValue {
    /// The image; `nil` if it is something else.
    public var image: RasterImage? { if case .other(let image as RasterImage) = self { image } else { nil } }
}
