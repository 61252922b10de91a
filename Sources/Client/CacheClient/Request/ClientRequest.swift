public import Addresses
public import CacheSemantics
public import HTTPTypes

/// One request by a caller.
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
                form: prepared.form
            )
        }
    }
    /// Header fields; `Accept-Encoding: gzip, deflate` is added if there is none.
    public var fields: HTTPFields {
        get { prepared.head.headerFields }
        set { prepared = prepared.with { $0.headerFields = newValue } }
    }
    /// Content; default none.
    public var body: RequestBody?
    /// The cache policy; `nil`, the default, for the client's default.
    public var policy: RequestCachePolicy?
    /// The time without any arrival after which the request fails; `nil`, the default, for the client's default.
    public var timeout: Duration?
    /// The time from the start of the load, including redirects, after which the request fails with −1001 if its content
    /// has not arrived completely; `nil`, the default, for the client's default.
    public var totalTimeout: Duration?
    /// The time to open a connection after which the request fails with −1001; `nil`, the default, for the client's default.
    public var connectTimeout: Duration?

    /// Whether the response is for this request alone: it is not answered from the store, nothing is stored, and no
    /// exchange is shared; default false.
    ///
    /// For requests with fields that change the response although neither `Vary` nor the cache key contains them. A `Host` that
    /// differs from the URL's has the same effect: the cache key is the URL.
    public var isUncacheable: Bool {
        get { prepared.form.isUncacheable }
        set { prepared = prepared.with(isUncacheable: newValue) }
    }

    /// Whether the request may wait for the exchange of an identical one, and others for its own; default true.
    ///
    /// A request that has already passed through the same cache would wait for itself.
    public var isCollapsible = true

    /// The rule for the addresses that may be connected to; `nil`, the default, for any.
    public var addresses: AddressRule?

    /// The prepared form that is sent.
    private(set) var prepared: PreparedRequest

    /// Creates a request; an unusable URL is reported when the request is sent.
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

    /// Creates a request that is forwarded for another client: no field is added.
    ///
    /// With `keepsTarget`, path and query are sent unchanged, including dot segments, as RFC 9110 §7.7 requires of a
    /// proxy.
    public init(
        forwarding method: HTTPRequest.Method,
        url: String,
        fields: HTTPFields,
        keepsTarget: Bool = false,
        body: RequestBody? = nil
    ) {
        self.url = url
        self.body = body
        let form = PreparedRequest.Form(isForwarded: true, keepsTarget: keepsTarget)
        prepared = PreparedRequest(url: url, method: method, fields: fields, form: form)
    }

    /// Creates a forwarded request about a whole server (RFC 9110 §9.3.7), whose target is `*`.
    ///
    /// `origin` is scheme and authority.
    public init(forwardingOptionsOf origin: String, fields: HTTPFields) {
        self.init(forwarding: .options, url: origin, fields: fields, keepsTarget: true)
        prepared = prepared.with { $0.path = $0.path == nil ? nil : "*" }
    }

    /// The problem of the URL; `nil` if it is usable.
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

    /// The target as text, without fragment.
    var urlText: String {
        // RFC 9112 §3.3: the target URI of the asterisk form has no path.
        (scheme ?? "") + "://" + (authority ?? "") + (path == "*" ? "" : path ?? "")
    }
}
