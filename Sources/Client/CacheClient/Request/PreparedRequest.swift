import CacheSemantics
import HTTPTypes

/// A request as the cache and the wire see it, and what follows from it: made once, sent any number of times.
final class PreparedRequest: Sendable {
    /// How a request is made of what a caller gives.
    struct Form: Sendable {
        /// Whether it is somebody else's, to whose fields nothing is added.
        var isForwarded = false
        /// Whether path and query go out byte for byte, dot segments included.
        var keepsTarget = false
    }
    /// As the caller made it; without target where there is a problem.
    let head: HTTPRequest
    let fragment: String?
    /// What is wrong with the URL.
    let problem: TransportError?
    let form: Form

    let request: HTTPRequest
    /// Whether the key depends on the content, too.
    let isQuery: Bool
    /// Without fragment.
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
        var request = head
        if !form.isForwarded { Self.addAcceptEncoding(to: &request) }
        self.request = request
        plainKey = CacheEngine().key(for: request)
        isQuery = request.method == .query
        let text = request.urlText
        // Nearly every URL is normal already: then there is one text of it.
        url = text == plainKey.targetURI ? plainKey.targetURI : text
        fullURL = fragment.map { text + "#" + $0 } ?? url
    }

    /// The primary key as an engine makes it, for a request without content.
    func key(by engine: CacheEngine) -> CacheKey {
        engine.keyHasFields ? engine.key(for: request) : plainKey
    }

    /// The same request after a change of everything but the URL.
    func with(_ change: (inout HTTPRequest) -> Void) -> PreparedRequest {
        var head = head
        change(&head)
        return PreparedRequest(head, fragment: fragment, problem: problem, form: form)
    }

    /// The same request with its target's percent-encoding normalized.
    func normalizingPercentEncoding() -> PreparedRequest {
        guard !form.keepsTarget, head.path?.utf8.contains(UInt8(ascii: "%")) == true else { return self }
        return with { $0.normalizePercentEncoding() }
    }

    /// A part of a coded representation cannot be decoded, so a range is asked for without coding.
    static func addAcceptEncoding(to request: inout HTTPRequest) {
        guard !request.headerFields.contains(.acceptEncoding), !request.headerFields.contains(.range) else {
            return
        }
        request.headerFields.append(acceptEncoding)
    }

    private static let acceptEncoding = HTTPField(name: .acceptEncoding, value: "gzip, deflate")
}
