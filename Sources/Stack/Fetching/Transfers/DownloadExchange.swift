import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Locks

/// How a download asks for a file or the rest of it: as the session's interceptors, cookies and credential have it.
///
/// Interceptors see what is about to be sent, what it is refused with, and failures; content goes past them to the
/// file. Used by one task at a time.
final class DownloadExchange: Sendable {
    private struct State {
        var attempts = 0
        var asked: HTTPResponse?
        var sent: OutgoingRequest?
        var refusal: ClientResponse?
    }
    /// A refusal's content is read up to here.
    private static let refusalLimit = 1 << 20
    private let resolved: ResolvedRequest
    private let configuration: FetchConfiguration
    private let session: FetchSession
    private let client: CachingClient
    private let desk: EventDesk
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
        desk = EventDesk(configuration)
    }

    var model: RequestModel { resolved.model }

    func tell(_ event: FetchEvent) { desk.tell(event) }

    /// Asks for what comes after the first `received` bytes, where a validator tells what they are of.
    func send(after received: Int, _ validator: String?) async throws(FetchError) -> StreamingResponse {
        while true {
            let response = try await stream(try await request(after: received, validator))
            let status = response.response.status.code
            if (200..<300).contains(status) || status == 416 { return response }
            let refusal: ClientResponse
            do throws(ClientError) {
                refusal = try await response.collected(limit: Self.refusalLimit)
            } catch {
                throw FetchError(error)
            }
            if state.withLock({ $0.asked }) == nil, let asked = resolved.refusalToAnswer(.success(refusal)) {
                state.withLock { $0.asked = asked }
                continue
            }
            state.withLock { $0.refusal = refusal }
            var error = FetchError(.unacceptableStatus, "The server answered with status \(status).")
            error.status = status
            error.body = refusal.body
            throw error
        }
    }

    /// Asks the interceptors, the last first, whether to try again after a failure; returns the wait.
    func delay(after error: FetchError) async -> Duration? {
        let (sent, refusal) = state.withLock { state in
            defer { state.refusal = nil }
            return (state.sent, state.refusal)
        }
        guard let sent, error.kind != .cancelled else { return nil }
        let result: ReceivedResult = refusal.map { .success($0) } ?? .failure(error)
        for interceptor in configuration.interceptors.reversed() {
            guard case .retry(let delay) = await interceptor.didReceive(result, of: sent) else { continue }
            desk.tell(.retrying(model, after: delay, attempt: sent.earlierAttempts + 2))
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
        // A range is of the coded content: without coding it is of the file.
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
        desk.tell(.started(model, request, attempt: request.earlierAttempts + 1))
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
