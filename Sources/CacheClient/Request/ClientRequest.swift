public import CacheSemantics
public import HTTPTypes

/// One request of a caller's.
public struct ClientRequest: Sendable {
    /// The method; default GET.
    public var method: HTTPRequest.Method {
        get { prepared.head.method }
        set { prepared = prepared.with { $0.method = newValue } }
    }
    /// The absolute URL.
    public var url: String {
        didSet {
            prepared = PreparedRequest(
                url: url,
                method: method,
                fields: fields,
                isForwarded: prepared.isForwarded
            )
        }
    }
    /// Header fields; `Accept-Encoding: gzip, deflate` is added where there is none.
    public var fields: HTTPFields {
        get { prepared.head.headerFields }
        set { prepared = prepared.with { $0.headerFields = newValue } }
    }
    /// Content; default none.
    public var body: RequestBody?
    /// How the cache is used; `nil`, the default, for the client's default.
    public var policy: RequestCachePolicy?
    /// How long nothing may arrive before the request fails; `nil`, the default, for the client's default.
    public var timeout: Duration?

    /// Which addresses may be connected to for it; `nil`, the default, for any.
    public var addresses: AddressRule?

    /// What is sent.
    private(set) var prepared: PreparedRequest

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
        prepared = PreparedRequest(url: url, method: method, fields: fields)
    }

    /// Creates a request that is passed on for somebody else: no field is added.
    public init(
        forwarding method: HTTPRequest.Method,
        url: String,
        fields: HTTPFields,
        body: RequestBody? = nil
    ) {
        self.url = url
        self.body = body
        prepared = PreparedRequest(url: url, method: method, fields: fields, isForwarded: true)
    }

    /// Its primary cache key, without a digest of content.
    public var cacheKey: CacheKey { prepared.key }

    /// What is wrong with the URL; `nil` where nothing is.
    public var problem: TransportError? { prepared.problem }
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
