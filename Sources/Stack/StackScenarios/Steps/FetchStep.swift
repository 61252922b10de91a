public import CacheSemantics
public import LocatedYAML
public import OriginScript

/// One request of the stack.
public struct FetchStep: Sendable {
    /// The serializer of the content.
    public enum Serializer: String, Sendable, Hashable, CaseIterable {
        /// JSON.
        case json
        /// XML.
        case xml
        /// Text.
        case text
        /// The bytes of the content.
        case bytes
        /// An image.
        case image
        /// The first of JSON, XML, image and text that succeeds.
        case compound
    }
    /// The name in the chain or batch; default its position, from 1.
    public var name: String
    /// The path, relative to the stack's base URL; may have a query.
    public var path = "/"
    /// The method.
    public var method = "GET"
    /// The parameters.
    public var parameters: [String: ParameterValue] = [:]
    /// The field lines.
    public var fields: [FieldLine] = []
    /// The content, instead of the parameters; `nil` for none.
    public var body: BodySource?
    /// The media type of `body`.
    public var contentType = "text/plain"
    /// A base for this request, relative to the origin's path; `nil` uses the stack's.
    public var base: String?
    /// Whether the request uses an absolute URL with the origin's second host name, for which the base is
    /// ignored.
    public var asksOtherHost = false
    /// The cache policy; `nil` uses the stack's.
    public var policy: RequestCachePolicy?
    /// The inactivity timeout; `nil` uses the stack's.
    public var timeout: Duration?
    /// The priority: of waiting requests, those with a higher one are sent first.
    public var priority = 0
    /// Whether the application cache is consulted first.
    public var loadsCache = false
    /// How long the application cache keeps the response; `nil` does not store it.
    public var cacheFor: Duration?
    /// The serializer; `nil` uses the stack's.
    public var serializer: Serializer?
    /// Whether the caller passes callbacks.
    public var hasCallbacks = true
    /// The names of the requests whose responses it needs.
    public var dependencies: [String] = []
    /// The expected outcome; empty if none is given.
    public var expectation = FetchExpectation()
    /// The position in the file.
    public var position: Position

    /// Creates a GET of `/`.
    public init(name: String, position: Position) {
        self.name = name
        self.position = position
    }
}
