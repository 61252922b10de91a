import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Locks

/// Sends the requests of a download, with the session's interceptors, cookies and credential.
///
/// Interceptors receive requests, error responses and failures; content is written to the file without them.
/// Used by one task at a time.
final class DownloadExchange: Sendable {
    private struct State {
        var attempts = 0
        var asked: HTTPResponse?
        var sent: OutgoingRequest?
        var refusal: ClientResponse?
    }
    /// The largest content of an error response that is read, in bytes.
    private static let refusalLimit = 1 << 20
    private let resolved: ResolvedRequest
    private let configuration: FetchConfiguration
    private let session: FetchSession
    private let client: CachingClient
    private let events: EventPublisher
    private let state = Lock(State())

    init(
        _ resolved: ResolvedRequest,
        _ configuration: FetchConfiguration,
        session: FetchSession,
        client: CachingClient
    ) {
        self.resolved = resolved
        self.configuration = configuration
        self.session = session
        self.client = client
        events = EventPublisher(configuration)
    }

    var model: RequestModel { resolved.model }

    func publish(_ event: FetchEvent) { events.publish(event) }

    /// Requests the content after the first `received` bytes, if a validator identifies the representation
    /// they are from.
    func send(after received: Int, _ validator: String?) async throws(FetchError) -> StreamingResponse {
        while true {
            let response = try await stream(try await request(after: received, validator))
            let status = response.response.status.code
            if (200..<300).contains(status) || status == 416 { return response }
            let refusal: ClientResponse
            do throws(ClientError) {
                refusal = try await response.shortened(to: .bytes(Self.refusalLimit))
            } catch {
                throw FetchError(error)
            }
            if state.withLock({ $0.asked }) == nil, let asked = resolved.challengeToAnswer(.success(refusal))
            {
                state.withLock { $0.asked = asked }
                continue
            }
            state.withLock { $0.refusal = refusal }
            var error = FetchError(.unacceptableStatus, "The server responded with status \(status).")
            error.status = status
            error.body = refusal.body
            throw error
        }
    }

    /// Passes a failure to the interceptors, last first; returns the delay before a retry, or `nil` if there is none.
    func delay(after error: FetchError) async -> Duration? {
        let (sent, refusal) = state.withLock { state in
            defer { state.refusal = nil }
            return (state.sent, state.refusal)
        }
        guard let sent, error.kind != .cancelled else { return nil }
        let result: ReceivedResult = refusal.map { .success($0) } ?? .failure(error)
        for interceptor in configuration.interceptors.reversed() {
            guard case .retry(let delay) = await interceptor.didReceive(result, of: sent) else { continue }
            events.publish(.retrying(model, after: delay, attempt: sent.earlierAttempts + 2))
            return delay
        }
        return nil
    }

    private func request(
        after received: Int,
        _ validator: String?
    ) async throws(FetchError) -> OutgoingRequest {
        let (attempts, asked) = state.withLock { ($0.attempts, $0.asked) }
        var request = try resolved.compose(configuration, after: asked, earlierAttempts: attempts)
        // Ranges apply to the encoded content; only without content coding do they match the file.
        request.fields[.acceptEncoding] = "identity"
        if received > 0, let validator {
            request.fields[.range] = "bytes=\(received)-"
            request.fields[.ifRange] = validator
        }
        for interceptor in configuration.interceptors { request = try await interceptor.willSend(request) }
        return request
    }

    private func stream(_ request: OutgoingRequest) async throws(FetchError) -> StreamingResponse {
        if let reachability = session.reachability { client.isOnline = reachability.status.allowsRequests }
        state.withLock { state in
            state.attempts += 1
            state.sent = request
        }
        events.publish(.started(model, request, attempt: request.earlierAttempts + 1))
        let asked = ClientRequest(url: request.url, method: request.method, fields: request.fields)
        do throws(ClientError) {
            return try await session.cookies.tracking(asked) { () throws(ClientError) in
                try await client.stream(asked)
            }
        } catch {
            throw FetchError(error)
        }
    }
}
