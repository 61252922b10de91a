public import CacheSemantics
public import LocatedYAML
public import OriginScript

/// One request of the stack.
public struct FetchStep: Sendable {
    /// What makes a value of the content.
    public enum Serializer: String, Sendable, Hashable, CaseIterable {
        /// JSON.
        case json
        /// XML.
        case xml
        /// Text.
        case text
        /// Bytes as they came.
        case bytes
        /// An image.
        case image
        /// Whichever of JSON, XML, image and text can, in this order.
        case compound
    }
    /// Its name in the chain or batch; by default its place, from 1.
    public var name: String
    /// Path below the stack's base, which may have a query.
    public var path = "/"
    /// Method.
    public var method = "GET"
    /// Parameters.
    public var parameters: [String: ParameterValue] = [:]
    /// Field lines.
    public var fields: [FieldLine] = []
    /// Content in place of the parameters; `nil` for none.
    public var body: BodySource?
    /// The media type of `body`.
    public var contentType = "text/plain"
    /// A base of its own, below the origin's path; `nil` for the stack's.
    public var base: String?
    /// Whether it is asked by a complete URL of the origin's second host name, for which no base counts.
    public var asksOtherHost = false
    /// `nil` for the stack's.
    public var policy: RequestCachePolicy?
    /// `nil` for the stack's.
    public var timeout: Duration?
    /// Of those that wait the higher go first.
    public var priority = 0
    /// Whether the application cache is asked first.
    public var loadsCache = false
    /// For how long the application cache keeps the result; `nil` for not at all.
    public var cacheFor: Duration?
    /// `nil` for the stack's.
    public var serializer: Serializer?
    /// Whether the caller gives callbacks.
    public var hasCallbacks = true
    /// The names of those whose responses it needs.
    public var dependencies: [String] = []
    /// What must come of it; empty where nothing is said.
    public var expectation = FetchExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a GET of `/`.
    public init(name: String, position: Position) {
        self.name = name
        self.position = position
    }
}
