public import CacheSemantics

extension DriverCapabilities {
    /// Limits of a driver's requests and responses that do not depend on its cache.
    public struct Refusals: Sendable, Hashable {
        /// Names of fields, in lower case, that requests cannot carry.
        public var fields: Set<String> = []
        /// Methods that requests cannot have.
        public var methods: Set<String> = []
        /// Methods with which requests cannot carry content.
        public var content: Set<String> = []
        /// Names of fields, in lower case, that it leaves out of responses.
        public var hides: Set<String> = []
        /// Request policies that it has no equivalent for.
        public var policies: Set<RequestCachePolicy> = []
        /// Known HTTP violations of the implementation below its cache.
        public var limits: Set<Limit> = []

        /// Creates limits that refuse nothing.
        public init() {}
    }

    /// A deviation from HTTP of the implementation below a driver's cache, for which the cache is not responsible.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Limit: String, Sendable, Hashable, CaseIterable {
        /// It drops field values with bytes beyond ASCII (RFC 9110 §5.5, obs-text).
        case obsoleteText = "obs-text"
        /// It drops an empty query from the target URI (RFC 3986 §6.2.3).
        case emptyQuery = "empty-query"
        /// It treats an interim response other than 100 as the final response (RFC 9110 §15.2).
        case interimResponses = "interim-responses"
        /// It treats a response as complete if the connection was closed within its head (RFC 9112 §8).
        case prematureClose = "premature-close"
        /// It accepts a response with an invalid Content-Length (RFC 9112 §6.3).
        case invalidLength = "invalid-length"
    }
}
