public import CacheSemantics
public import HTTPTypes
public import JSON

/// One request, as a value: what is asked for, and how.
public struct FetchRequest: Sendable {
    /// Which base URL a relative path is resolved against.
    public enum Base: Sendable, Hashable {
        /// The configuration's.
        case usual
        /// One of the configuration's named ones.
        case named(String)
        /// This one.
        case url(String)
    }
    /// What kind of work it is, by which the pool tells requests apart.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Any but an upload or download.
        case ordinary
        /// An upload.
        case upload
        /// A download.
        case download
    }

    /// The method; default GET.
    public var method: HTTPRequest.Method
    /// A path below the base URL, or an absolute URL, for which the base does not count.
    public var path: String
    /// Which base URL; default the configuration's.
    public var base = Base.usual
    /// The parameters, which win over the configuration's default parameters of the same name.
    public var parameters: Parameters
    /// Header fields, which win over the configuration's default fields of the same name.
    public var fields: HTTPFields = [:]
    /// The content; default what the method and the configuration make of the parameters.
    public var body = FetchBody.parameters
    /// How long nothing may arrive; `nil`, the default, for the configuration's.
    public var timeout: Duration?
    /// How the HTTP cache is used; `nil`, the default, for the configuration's.
    public var policy: RequestCachePolicy?
    /// Whether the application cache is asked first; default false.
    public var loadsCache = false
    /// For how long the application cache keeps the result; zero, the default, is not at all.
    public var cacheDuration = Duration.zero
    /// What makes a value of the content; `nil`, the default, for the configuration's.
    public var serializer: (any ResponseSerializer)?
    /// Who asks; `nil`, the default, for the configuration's.
    public var credential: Credential?
    /// Of requests that wait for their turn those of higher priority go first; default 0.
    public var priority = 0
    /// What monitors and the pool tell it apart by; default nothing.
    ///
    /// It is not sent, and makes no other request of it.
    public var tag: String?
    /// What kind of work it is; default `ordinary`.
    public var kind = Kind.ordinary

    /// Creates a request.
    public init(_ method: HTTPRequest.Method = .get, _ path: String, parameters: Parameters = [:]) {
        self.method = method
        self.path = path
        self.parameters = parameters
    }

    /// A GET, with parameters in the query.
    public static func get(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.get, path, parameters: parameters)
    }

    /// A POST, with parameters in the content.
    public static func post(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.post, path, parameters: parameters)
    }

    /// A PUT, with parameters in the content.
    public static func put(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.put, path, parameters: parameters)
    }

    /// A DELETE, with parameters in the query.
    public static func delete(_ path: String, _ parameters: Parameters = [:]) -> FetchRequest {
        FetchRequest(.delete, path, parameters: parameters)
    }

    /// The request that asks the application cache first and keeps its result there for `duration`.
    public func cached(for duration: Duration, loading: Bool = true) -> FetchRequest {
        with {
            $0.loadsCache = loading
            $0.cacheDuration = duration
        }
    }

    /// The request after a change.
    public func with(_ change: (inout FetchRequest) -> Void) -> FetchRequest {
        var request = self
        change(&request)
        return request
    }
}

/// The content of a request.
public enum FetchBody: Sendable {
    /// The parameters, as the configuration encodes them for the method.
    case parameters
    /// None, and the parameters in the query.
    case none
    /// The parameters as a form.
    case form
    /// The parameters as a JSON object.
    case json
    /// Another JSON value, and the parameters in the query.
    case jsonValue(JSONValue)
    /// Bytes of a media type, and the parameters in the query.
    case bytes([UInt8], contentType: String)
    /// A file of a media type, sent while it is read, and the parameters in the query.
    case file(path: String, contentType: String)
    /// Parts, with the parameters as fields before them.
    case multipart(MultipartBody)
}

/// Who asks.
public enum Credential: Sendable, Hashable {
    /// A user name and password (RFC 7617), sent when the server asks for them.
    case basic(user: String, password: String)
    /// A user name and password, proven when the server asks: by a digest (RFC 7616) where it takes one, which tells
    /// nobody the password, else as `basic`.
    case login(user: String, password: String)
    /// A user name and password (RFC 7617), sent with every request.
    case preemptiveBasic(user: String, password: String)
    /// A token (RFC 6750), sent with every request.
    case bearer(String)
}
