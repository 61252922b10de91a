public import CacheClient
public import HTTPTypes
public import JSON

/// A response that was accepted, and what was made of it.
public struct FetchResponse: Sendable {
    /// Where a response came from.
    public enum Source: Sendable, Hashable {
        /// The application cache: no request was made.
        case applicationCache
        /// The client, which may have had it from the origin or from its HTTP cache.
        case client(ResponseSource)
    }
    /// The request.
    public var request: RequestModel
    /// Status and header fields; of the application cache those that were stored.
    public var response: HTTPResponse
    /// The content, decoded.
    public var body: [UInt8]
    /// What the serializer made of the content.
    public var value: FetchValue
    /// Where it came from.
    public var source: Source
    /// How often a request was sent; 0 for the application cache.
    public var attempts = 0
    /// What the client says of it; `nil` for the application cache.
    public var clientResponse: ClientResponse?

    /// The status code.
    public var status: Int { response.status.code }
    /// The content as JSON; `nil` where it is something else.
    public var json: JSONValue? { if case .json(let json) = value { json } else { nil } }
    /// The content as XML; `nil` where it is something else.
    public var xml: XMLElement? { if case .xml(let xml) = value { xml } else { nil } }
    /// The content as text; `nil` where it is something else.
    public var text: String? { if case .text(let text) = value { text } else { nil } }
}

/// What a serializer makes of content.
public enum FetchValue: Sendable {
    /// JSON.
    case json(JSONValue)
    /// XML, as its root element.
    case xml(XMLElement)
    /// Text.
    case text(String)
    /// Bytes as they came.
    case bytes([UInt8])
    /// Something that another library makes, such as an image.
    case other(any Sendable)
    /// Nothing: there is no content.
    case nothing
}
