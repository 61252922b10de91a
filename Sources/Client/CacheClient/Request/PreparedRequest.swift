import CacheSemantics
import HTTPTypes

/// A request as the cache sees it and as it is sent, with derived values: created once, sent any number of times.
final class PreparedRequest: Sendable {
    /// Options for creating a request from the caller's values.
    struct Form: Sendable {
        /// Whether it is forwarded for another client, so that no fields are added.
        var isForwarded = false
        /// Whether path and query are sent unchanged, including dot segments.
        var keepsTarget = false
        /// Whether the response is for this request alone.
        var isUncacheable = false
    }
    /// The request as the caller created it; without target if there is a problem.
    let head: HTTPRequest
    let fragment: String?
    /// The problem of the URL; `nil` if it is usable.
    let problem: TransportError?
    let form: Form
    /// Whether the response is for this request alone.
    let isUncacheable: Bool

    let request: HTTPRequest
    /// Whether the key also depends on the content.
    let isQuery: Bool
    /// The URL without fragment.
    let url: String
    let fullURL: String
    /// The key of an engine that keys by the target URI alone; use `key(by:)` for the key of any engine.
    private let plainKey: CacheKey

    convenience init(url: String, method: HTTPRequest.Method, fields: HTTPFields, form: Form = Form()) {
        do throws(TransportError) {
            let target = try TargetURL(url, keepsDots: form.keepsTarget)
            let head = HTTPRequest(target, method: method, fields: fields)
            self.init(head, fragment: target.fragment, form: form)
        } catch {
            let head = HTTPRequest(
                method: method,
                scheme: nil,
                authority: nil,
                path: nil,
                headerFields: fields
            )
            self.init(head, fragment: nil, problem: error, form: form)
        }
    }

    private init(_ head: HTTPRequest, fragment: String?, problem: TransportError? = nil, form: Form) {
        self.head = head
        self.fragment = fragment
        self.problem = problem
        self.form = form
        isUncacheable = form.isUncacheable || Self.namesAnotherHost(head)
        var request = head
        if !form.isForwarded { Self.addAcceptEncoding(to: &request) }
        self.request = request
        plainKey = CacheEngine().key(for: request)
        isQuery = request.method == .query
        let text = request.urlText
        // Nearly every URL is already normalized: then both share one text.
        url = text == plainKey.targetURI ? plainKey.targetURI : text
        fullURL = fragment.map { text + "#" + $0 } ?? url
    }

    /// Returns the primary key by the rules of an engine, for a request without content.
    func key(by engine: CacheEngine) -> CacheKey {
        if isUncacheable { return engine.key(for: request, content: ContentDigest.uncacheableFields) }
        return engine.keyHasFields ? engine.key(for: request) : plainKey
    }

    /// Returns the same request after a change of anything but the URL.
    func with(_ change: (inout HTTPRequest) -> Void) -> PreparedRequest {
        var head = head
        change(&head)
        return PreparedRequest(head, fragment: fragment, problem: problem, form: form)
    }

    /// Returns the same request with a response for it alone, or for others too.
    func with(isUncacheable: Bool) -> PreparedRequest {
        var form = form
        form.isUncacheable = isUncacheable
        return PreparedRequest(head, fragment: fragment, problem: problem, form: form)
    }

    /// Whether the `Host` field is not that of the URL: the target URI, which is the key, then has another authority than
    /// the server that is asked (RFC 9110 §7.1).
    static func namesAnotherHost(_ head: HTTPRequest) -> Bool {
        guard head.headerFields.contains(.host) else { return false }
        var named = head
        named.authority = head.headerFields[.host]
        return CacheEngine().key(for: named) != CacheEngine().key(for: head)
    }

    /// Returns the same request with its target's percent-encoding normalized.
    func normalizingPercentEncoding() -> PreparedRequest {
        guard !form.keepsTarget, head.path?.utf8.contains(UInt8(ascii: "%")) == true else { return self }
        return with { $0.normalizePercentEncoding() }
    }

    /// Adds `Accept-Encoding`, except to range requests: a part of a coded representation cannot be decoded.
    static func addAcceptEncoding(to request: inout HTTPRequest) {
        guard !request.headerFields.contains(.acceptEncoding), !request.headerFields.contains(.range) else {
            return
        }
        request.headerFields.append(acceptEncoding)
    }

    private static let acceptEncoding = HTTPField(name: .acceptEncoding, value: "gzip, deflate")
}
