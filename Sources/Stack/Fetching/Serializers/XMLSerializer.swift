/// XML: `application/xml`, `text/xml` and every type that ends in `+xml`.
public struct XMLSerializer: ResponseSerializer {
    /// The largest nesting depth of elements; default 256.
    public var depthLimit: Int

    /// Creates a serializer.
    public init(depthLimit: Int = 256) { self.depthLimit = depthLimit }

    /// Whether the media type is one of XML.
    public func accepts(mediaType: String?) -> Bool {
        guard let mediaType else { return false }
        return mediaType == "application/xml" || mediaType == "text/xml" || mediaType.hasSuffix("+xml")
    }

    /// Parses the content; a document type definition is not read, and one that declares entities is
    /// rejected.
    public func value(of content: ReceivedContent) throws(FetchError) -> FetchValue {
        .xml(try XMLReader.root(of: content.bytes, depthLimit: depthLimit))
    }
}
