public import CacheSemantics
public import HTTPTypes

/// The settings of a session; changes apply to requests that start afterwards.
public struct FetchConfiguration: Sendable {
    /// A way to encode parameters as content.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum BodyForm: Sendable, Hashable, CaseIterable {
        /// `application/x-www-form-urlencoded`.
        case form
        /// `application/json`.
        case json
    }

    /// The base URL against which relative paths are resolved; empty, the default, for none.
    public var baseURL = ""
    /// Named base URLs, which requests refer to by name; default none.
    public var namedBaseURLs: [String: String] = [:]
    /// Parameters of every request; a request's own parameters of the same name override them.
    public var defaultParameters: Parameters = [:]
    /// Header fields of every request; a request's own fields of the same name override them.
    public var defaultFields: HTTPFields = [:]
    /// The inactivity timeout; default 60 s, `nil` means no limit.
    public var timeout: Duration? = .seconds(60)
    /// The encoding of parameters as name-value pairs.
    public var encoding = ParameterEncoding()
    /// The encoding of parameters as content; default a form.
    public var bodyForm = BodyForm.form
    /// Methods whose parameters go into the query; default GET, HEAD and DELETE.
    public var queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
    /// The credential; default none.
    public var credential: Credential?
    /// Status codes that are accepted; default 200–299.
    public var acceptableStatus: Range<Int> = 200..<300
    /// Decodes content; default JSON, XML, text, and bytes for everything else.
    public var serializer: any ResponseSerializer = CompoundSerializer([
        JSONSerializer(), XMLSerializer(), TextSerializer(), BytesSerializer(),
    ])
    /// The use of the HTTP cache; default `useProtocolCachePolicy`.
    public var policy = RequestCachePolicy.useProtocolCachePolicy
    /// Recompresses the JPEGs of uploads with a compression ratio below 1 and without their own function; default
    /// none, with which such uploads fail.
    public var recompress: (@Sendable (_ jpeg: [UInt8], _ quality: Double) throws -> [UInt8])?
    /// The cache of decoded values that is consulted before a GET is sent; default none.
    public var valueCache: (any FetchValueCache)?
    /// The largest number of concurrent exchanges; default 6.
    public var maximumInFlight = 6
    /// The interceptors; requests pass them in this order before they are sent, responses in reverse order.
    public var interceptors: [any Interceptor] = []
    /// The monitors that are notified of every event; default none.
    public var monitors: [any EventMonitor] = []
    /// Whether the debug log is written; default false.
    public var logsDebug = false
    /// The output of the debug log, line by line; default standard output.
    public var debugLog: @Sendable (String) -> Void = { print($0) }
    /// The application's version; entries that another version stored in the application cache are not used.
    public var applicationVersion = ""
    /// Whether credentials, cookies and default fields are part of the application cache's key; default true.
    public var partitionsByIdentity = true
    /// The group to which every request belongs until its callback has returned; default none.
    public var completionGroup: CompletionGroup?
    /// The executor of the requests' work, such as caching and decoding; default the concurrent executor.
    ///
    /// An executor with a single thread makes the order of simultaneous events deterministic.
    public var executor: (any TaskExecutor)?
    /// Where callbacks are called; default on the executor on which the request ends.
    public var callbacks = CallbackContext.anywhere

    /// Creates the default configuration.
    public init() {}
}

/// The context in which callbacks are called.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum CallbackContext: Sendable {
    /// Where the request ends: on the concurrent executor.
    case anywhere
    /// On the main actor.
    case main
    /// On this executor.
    case executor(any TaskExecutor)
    /// On this executor, one at a time.
    case serial(any SerialExecutor)
}
