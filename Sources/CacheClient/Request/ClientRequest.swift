public import CacheSemantics
public import HTTPTypes

/// One request of a caller's.
public struct ClientRequest: Sendable {
    /// The method; default GET.
    public var method: HTTPRequest.Method {
        get { head.method }
        set { head.method = newValue }
    }
    /// The absolute URL.
    public var url: String {
        didSet { parse() }
    }
    /// Header fields; `Accept-Encoding: gzip, deflate` is added where there is none.
    public var fields: HTTPFields {
        get { head.headerFields }
        set { head.headerFields = newValue }
    }
    /// Content; default none.
    public var body: RequestBody?
    /// How the cache is used; `nil`, the default, for the client's default.
    public var policy: RequestCachePolicy?
    /// How long nothing may arrive before the request fails; `nil`, the default, for the client's default.
    public var timeout: Duration?

    /// The request for the wire; without target where `problem` is set.
    private(set) var head: HTTPRequest
    private(set) var fragment: String?
    /// What is wrong with the URL.
    private(set) var problem: TransportError?

    /// Creates a request; an unusable URL is reported when it is sent.
    public init(
        url: String,
        method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: RequestBody? = nil,
        policy: RequestCachePolicy? = nil,
        timeout: Duration? = nil
    ) {
        self.url = url
        self.body = body
        self.policy = policy
        self.timeout = timeout
        head = HTTPRequest(method: method, scheme: nil, authority: nil, path: nil, headerFields: fields)
        parse()
    }

    private mutating func parse() {
        do throws(TransportError) {
            let target = try TargetURL(url)
            head = HTTPRequest(target, method: head.method, fields: head.headerFields)
            fragment = target.fragment
            problem = nil
        } catch {
            problem = error
        }
    }
}

extension HTTPRequest {
    init(_ target: TargetURL, method: Method, fields: HTTPFields) {
        self.init(
            method: method,
            scheme: target.scheme,
            authority: target.authority,
            path: target.path,
            headerFields: fields
        )
    }

    /// The target as one text, without fragment.
    var urlText: String { (scheme ?? "") + "://" + (authority ?? "") + (path ?? "") }
}
