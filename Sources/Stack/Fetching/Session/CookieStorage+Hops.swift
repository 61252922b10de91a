import CacheClient
import HTTPTypes
import Locks

/// The state of one load across its redirects.
final class HopTrace: Sendable {
    @TaskLocal static var current: HopTrace?
    /// Whether the caller sends its own cookies, to which none are added.
    let hasOwnCookies: Bool
    private let lastURL = Lock<String?>(nil)

    init(hasOwnCookies: Bool) { self.hasOwnCookies = hasOwnCookies }

    /// Stores the URL of the next hop and returns that of the previous one.
    func move(to url: String) -> String? {
        lastURL.withLock { last in
            defer { last = url }
            return last
        }
    }
}

extension CookieStorage {
    /// Stores the cookies of the redirect that led to a hop, and adds the cookies for that hop.
    func willSend(_ request: HTTPRequest, after redirect: HTTPResponse?) -> HTTPRequest {
        guard let trace = HopTrace.current else { return request }
        let url = (request.scheme ?? "") + "://" + (request.authority ?? "") + (request.path ?? "")
        let last = trace.move(to: url)
        if let redirect, let last { store(redirect.headerFields, from: last) }
        guard !trace.hasOwnCookies else { return request }
        var request = request
        request.headerFields[.cookie] = nil
        // The subscript would create a field for each pair; HTTP/1 allows only one (RFC 6265 §5.4).
        if let field = field(for: url) { request.headerFields.append(HTTPField(name: .cookie, value: field)) }
        return request
    }
}

/// A response's URL, source and header fields, from which cookies are stored.
protocol ReceivedHead: Sendable {
    var url: String { get }
    var response: HTTPResponse { get }
    var source: ResponseSource { get }
}

extension ClientResponse: ReceivedHead {}
extension StreamingResponse: ReceivedHead {}

extension Optional where Wrapped == CookieStorage {
    /// Runs a load and stores the cookies of its response, unless the response came from the cache.
    func tracking<Response: ReceivedHead>(
        _ request: ClientRequest,
        _ load: () async throws(ClientError) -> Response
    ) async throws(ClientError) -> Response {
        guard let cookies = self else { return try await load() }
        let trace = HopTrace(hasOwnCookies: request.fields.contains(.cookie))
        let result: Result<Response, ClientError> = await HopTrace.$current.withValue(trace) {
            do throws(ClientError) { return .success(try await load()) } catch { return .failure(error) }
        }
        let response = try result.get()
        if response.source == .origin || response.source == .validated {
            cookies.store(response.response.headerFields, from: response.url)
        }
        return response
    }
}
