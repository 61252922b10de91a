package import CacheSemantics
package import LocatedYAML
package import OriginScript

/// One request of the stack.
package struct FetchStep: Sendable {
    /// The serializer of the content.
    package enum Serializer: String, Sendable, Hashable, CaseIterable {
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
    package var name: String
    /// The path, relative to the stack's base URL; may have a query.
    package var path = "/"
    /// The method of the request.
    package var method = "GET"
    /// The parameters by name.
    package var parameters: [String: ParameterValue] = [:]
    /// The field lines.
    package var fields: [FieldLine] = []
    /// The content, instead of the parameters; `nil` if there is none.
    package var body: BodySource?
    /// The media type of `body`.
    package var contentType = "text/plain"
    /// A base for this request, relative to the origin's path; `nil` uses the stack's.
    package var base: String?
    /// Whether the request uses an absolute URL with the origin's second host name, for which the base is
    /// ignored.
    package var asksOtherHost = false
    /// The cache policy; `nil` uses the stack's.
    package var policy: RequestCachePolicy?
    /// The inactivity timeout; `nil` uses the stack's.
    package var timeout: Duration?
    /// The priority: of waiting requests, those with a higher one are sent first.
    package var priority = 0
    /// Whether the application cache is consulted first.
    package var loadsCache = false
    /// The time for which the application cache keeps the response; `nil` does not store it.
    package var cacheFor: Duration?
    /// The serializer; `nil` uses the stack's.
    package var serializer: Serializer?
    /// Whether the caller passes callbacks.
    package var hasCallbacks = true
    /// The names of the requests whose responses it needs.
    package var dependencies: [String] = []
    /// The expected outcome; empty if none is given.
    package var expectation = FetchExpectation()
    /// The position in the file.
    package var position: Position

    /// Creates a GET of `/`.
    package init(name: String, position: Position) {
        self.name = name
        self.position = position
    }
}
