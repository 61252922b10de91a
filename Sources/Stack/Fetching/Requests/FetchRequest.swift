public import CacheSemantics
public import HTTPTypes
public import JSON

/// A request and its options.
public struct FetchRequest: Sendable {
    /// The base URL of a relative path.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Base: Sendable, Hashable {
        /// The base URL of the configuration.
        case `default`
        /// One of the configuration's named base URLs.
        case named(String)
        /// This URL.
        case url(String)
    }
    /// The kind of a request, by which the pool groups requests.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Any request except uploads and downloads.
        case ordinary
        /// An upload of files.
        case upload
        /// A download to a file.
        case download
    }

    /// The method; default GET.
    public var method: HTTPRequest.Method
    /// A path relative to the base URL, or an absolute URL, for which the base URL is ignored.
    public var path: String
    /// The base URL; default the configuration's.
    public var base = Base.default
    /// The parameters, which override the configuration's default parameters of the same name.
    public var parameters: Parameters
    /// Header fields, which override the configuration's default fields of the same name.
    public var fields: HTTPFields = [:]
    /// The content; default the parameters as the method and the configuration require.
    public var body = FetchBody.parameters
    /// The inactivity timeout; `nil`, the default, uses the configuration's.
    public var timeout: Duration?
    /// The policy for the HTTP cache; `nil`, the default, uses the configuration's.
    public var policy: RequestCachePolicy?
    /// Whether the application cache is consulted first; default false.
    public var loadsCache = false
    /// The time for which the application cache keeps the response; zero, the default, does not store it.
    public var cacheDuration = Duration.zero
    /// The serializer; `nil`, the default, uses the configuration's.
    public var serializer: (any ResponseSerializer)?
    /// The credential; `nil`, the default, uses the configuration's.
    public var credential: Credential?
    /// The priority: of waiting requests, those with a higher one are sent first; default 0.
    public var priority = 0
    /// A label by which monitors and the pool can identify the request; default none.
    ///
    /// It is not sent, and is not part of the request's identifier.
    public var tag: String?
    /// The kind of request; default `ordinary`.
    public var kind = Kind.ordinary

    /// Creates a request.
    public init(_ method: HTTPRequest.Method = .get, _ path: String, parameters: Parameters = [:]) {
        self.method = method
        self.path = path
        self.parameters = parameters
    }

    /// Returns a GET request with parameters in the query.
    public static func get(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.get, path, parameters: parameters)
    }

    /// Returns a POST request with parameters in the content.
    public static func post(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.post, path, parameters: parameters)
    }

    /// Returns a PUT request with parameters in the content.
    public static func put(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.put, path, parameters: parameters)
    }

    /// Returns a DELETE request with parameters in the query.
    public static func delete(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.delete, path, parameters: parameters)
    }

    /// Returns a copy that consults the application cache first and stores its response there for `duration`.
    public func cached(for duration: Duration, loading: Bool = true) -> FetchRequest {
        with {
            $0.loadsCache = loading
            $0.cacheDuration = duration
        }
    }

    /// Returns a copy with the change applied.
    public func with(_ change: (inout FetchRequest) -> Void) -> FetchRequest {
        var request = self
        change(&request)
        return request
    }
}

/// The content of a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchBody: Sendable {
    /// The parameters, as the configuration encodes them for the method.
    case parameters
    /// No content, and the parameters in the query.
    case none
    /// The parameters as a form.
    case form
    /// The parameters as a JSON object.
    case json
    /// A JSON value, and the parameters in the query.
    case jsonValue(JSONValue)
    /// Bytes with a media type, and the parameters in the query.
    case bytes([UInt8], contentType: String)
    /// A file with a media type, read while it is sent, and the parameters in the query.
    case file(path: String, contentType: String)
    /// A multipart body, preceded by the parameters as fields.
    case multipart(MultipartBody)
}

/// A credential of the client.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Credential: Sendable, Hashable {
    /// A user name and password (RFC 7617), sent in response to a challenge.
    case basic(user: String, password: String)
    /// A user name and password, used in response to a challenge: as a digest (RFC 7616), which does not
    /// reveal the password, if the server supports it, otherwise as `basic`.
    case login(user: String, password: String)
    /// A user name and password (RFC 7617), sent with every request.
    case preemptiveBasic(user: String, password: String)
    /// A token (RFC 6750), sent with every request.
    case bearer(String)
}
