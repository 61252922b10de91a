import CacheSemantics
import HTTPTypes

/// A request as the cache and the wire see it, and what follows from it: made once, sent any number of times.
final class PreparedRequest: Sendable {
    /// As the caller made it; without target where there is a problem.
    let head: HTTPRequest
    let fragment: String?
    /// What is wrong with the URL.
    let problem: TransportError?

    /// Whether it is somebody else's, to whose fields nothing is added.
    let isForwarded: Bool
    let request: HTTPRequest
    let key: CacheKey
    /// Whether the key depends on the content, too.
    let isQuery: Bool
    /// Without fragment.
    let url: String
    let fullURL: String

    convenience init(
        url: String,
        method: HTTPRequest.Method,
        fields: HTTPFields,
        isForwarded: Bool = false
    ) {
        do throws(TransportError) {
            let target = try TargetURL(url)
            let head = HTTPRequest(target, method: method, fields: fields)
            self.init(head, fragment: target.fragment, isForwarded: isForwarded)
        } catch {
            let head = HTTPRequest(
                method: method,
                scheme: nil,
                authority: nil,
                path: nil,
                headerFields: fields
            )
            self.init(head, fragment: nil, problem: error, isForwarded: isForwarded)
        }
    }

    private init(
        _ head: HTTPRequest,
        fragment: String?,
        problem: TransportError? = nil,
        isForwarded: Bool
    ) {
        self.head = head
        self.fragment = fragment
        self.problem = problem
        self.isForwarded = isForwarded
        var request = head
        if !isForwarded { Self.addAcceptEncoding(to: &request) }
        self.request = request
        key = CacheEngine().key(for: request)
        isQuery = request.method == .query
        let text = request.urlText
        // Nearly every URL is normal already: then there is one text of it.
        url = text == key.targetURI ? key.targetURI : text
        fullURL = fragment.map { text + "#" + $0 } ?? url
    }

    /// The same request after a change of everything but the URL.
    func with(_ change: (inout HTTPRequest) -> Void) -> PreparedRequest {
        var head = head
        change(&head)
        return PreparedRequest(head, fragment: fragment, problem: problem, isForwarded: isForwarded)
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
