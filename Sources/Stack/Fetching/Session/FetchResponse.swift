public import CacheClient
public import HTTPTypes
public import JSON

/// An accepted response and its decoded value.
public struct FetchResponse: Sendable {
    /// The source of a response.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Source: Sendable, Hashable {
        /// The application cache; no request was sent.
        case applicationCache
        /// The cache of values, from memory or disk; no request was sent.
        case valueCache(ResponseSource)
        /// The client, which used the origin or its HTTP cache.
        case client(ResponseSource)
    }
    /// The request that was answered.
    public var request: RequestModel
    /// Status and header fields; for the application cache, the stored ones.
    public var response: HTTPResponse
    /// The content, without content coding; empty from the cache of values.
    public var body: [UInt8]
    /// The value that the serializer decoded.
    public var value: FetchValue
    /// The source of the response.
    public var source: Source
    /// The number of times the request was sent; 0 for the application cache.
    public var attempts = 0
    /// The client's response; `nil` for the application cache.
    public var clientResponse: ClientResponse?

    /// The status code.
    public var status: Int { response.status.code }
    /// The content as JSON; `nil` if it is something else.
    public var json: JSONValue? { if case .json(let json) = value { json } else { nil } }
    /// The content as XML; `nil` if it is something else.
    public var xml: XMLElement? { if case .xml(let xml) = value { xml } else { nil } }
    /// The content as text; `nil` if it is something else.
    public var text: String? { if case .text(let text) = value { text } else { nil } }
}

/// A value decoded from content.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchValue: Sendable {
    /// JSON.
    case json(JSONValue)
    /// XML, as its root element.
    case xml(XMLElement)
    /// Text.
    case text(String)
    /// The bytes of the content.
    case bytes([UInt8])
    /// A value that another library decodes, such as an image.
    case other(any Sendable)
    /// No content.
    case nothing
}
