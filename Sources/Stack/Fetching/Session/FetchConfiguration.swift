public import CacheSemantics
public import HTTPTypes

/// How a session makes its requests; what is changed counts for the requests that begin afterwards.
public struct FetchConfiguration: Sendable {
    /// How parameters become content.
    public enum BodyForm: Sendable, Hashable, CaseIterable {
        /// `application/x-www-form-urlencoded`.
        case form
        /// `application/json`.
        case json
    }

    /// What relative paths are resolved against; empty, the default, for none.
    public var baseURL = ""
    /// Other base URLs, by the names that requests use; default none.
    public var namedBaseURLs: [String: String] = [:]
    /// Parameters of every request; a request's own of the same name win.
    public var defaultParameters: Parameters = [:]
    /// Header fields of every request; a request's own of the same name win.
    public var defaultFields: HTTPFields = [:]
    /// How long nothing may arrive; default 60 s, `nil` for ever.
    public var timeout: Duration? = .seconds(60)
    /// How parameters become pairs.
    public var encoding = ParameterEncoding()
    /// How parameters become content; default a form.
    public var bodyForm = BodyForm.form
    /// Methods whose parameters go into the query; default GET, HEAD and DELETE.
    public var queryMethods: Set<HTTPRequest.Method> = [.get, .head, .delete]
    /// Who asks; default nobody.
    public var credential: Credential?
    /// Status codes that are accepted; default 200–299.
    public var acceptableStatus: Range<Int> = 200..<300
    /// What makes a value of content; default JSON, XML, text, and bytes for all else.
    public var serializer: any ResponseSerializer = CompoundSerializer([
        JSONSerializer(), XMLSerializer(), TextSerializer(), BytesSerializer(),
    ])
    /// How the HTTP cache is used; default `useProtocolCachePolicy`.
    public var policy = RequestCachePolicy.useProtocolCachePolicy
    /// How many exchanges may be under way at once; default 6.
    public var maximumInFlight = 6
    /// What every request passes before it is sent, in this order, and every response in the reverse order.
    public var interceptors: [any Interceptor] = []
    /// Who is told of everything that happens; default nobody.
    public var monitors: [any EventMonitor] = []
    /// Whether the debug log is written; default false.
    public var debugMode = false
    /// Where the lines of the debug log go; default standard output.
    public var debugLog: @Sendable (String) -> Void = { print($0) }
    /// The application's version; what another version stored in the application cache is not used.
    public var applicationVersion = ""
    /// Whether credentials, cookies and default fields tell requests apart in the application cache; default true.
    public var identifiesAsker = true
    /// What every request is in until its callback has returned; default none.
    public var completionGroup: CompletionGroup?
    /// Where requests are worked on: cached, decoded, passed on; default the concurrent executor.
    ///
    /// An executor of one thread makes the order of everything that happens at one moment the same in each run.
    public var executor: (any TaskExecutor)?
    /// Where callbacks are called; default wherever the request ends.
    public var callbacks = CallbackContext.anywhere

    /// Creates the default configuration.
    public init() {}
}

/// Where callbacks are called.
public enum CallbackContext: Sendable {
    /// Where the request ends: on the concurrent executor.
    case anywhere
    /// On the main actor.
    case main
    /// On this executor.
    case executor(any TaskExecutor)
    /// On this executor, one after another.
    case serial(any SerialExecutor)
}
