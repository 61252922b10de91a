import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// A client that has sent the first request of an exchange, and an origin in the same process with scripted responses.
struct ClientSession {
    /// The result of a request.
    struct Result {
        /// The status; `nil` for an error.
        let status: Int?
        let source: ResponseSource?
        /// The requests that reached the origin, in order.
        let sent: [HTTPRequest]

        /// Whether the store answered, regardless of what reached the origin.
        var isFromStore: Bool { source == .memory || source == .disk }
    }
    private let exchange: GeneratedExchange
    private let clock: VirtualClock
    private let store: CacheStore
    private let origin: ScriptedOrigin
    private let client: CachingClient

    /// Sends the first request, and waits for its response and some seconds more.
    init(_ exchange: GeneratedExchange, after seconds: Int64 = 0) async throws {
        self.exchange = exchange
        clock = VirtualClock(wallSeconds: Double(exchange.start.secondsSinceEpoch))
        store = try CacheStore(CacheStore.Configuration(), clock: clock)
        origin = ScriptedOrigin(clock)
        var configuration = CachingClient.Configuration()
        configuration.engine = exchange.engine
        configuration.followsRedirects = false
        client = CachingClient(configuration, store: store, transport: origin, clock: clock)
        origin.answer = exchange.response
        origin.delay = exchange.delay
        _ = await ask(exchange.first)
        origin.delay = 0
        clock.advance(by: .seconds(seconds))
    }

    /// Whether something is stored for the first request.
    var hasStored: Bool { !store.entries(for: exchange.engine.key(for: exchange.first)).entries.isEmpty }

    /// Sends a request to an origin with this response; with `nil` it is unreachable.
    func ask(
        _ request: HTTPRequest,
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        answer: HTTPResponse?
    ) async -> Result {
        origin.answer = answer
        return await ask(request, policy: policy)
    }

    private func ask(
        _ request: HTTPRequest,
        policy: RequestCachePolicy = .useProtocolCachePolicy
    ) async -> Result {
        let count = origin.sent.count
        // As a gateway sends it: nothing is added.
        var asked = ClientRequest(
            forwarding: request.method,
            url: "http://example.com\(request.path ?? "")",
            fields: request.headerFields
        )
        asked.policy = policy
        let response: ClientResponse?
        do throws(ClientError) { response = try await client.fetch(asked) } catch { response = nil }
        await client.waitForBackgroundWork()
        return Result(
            status: response?.response.status.code,
            source: response?.source,
            sent: Array(origin.sent.dropFirst(count))
        )
    }
}

/// An origin in the same process, which gives every request the same answer.
private final class ScriptedOrigin: Transport {
    private struct State {
        var answer: HTTPResponse?
        var delay: Int64 = 0
        var sent: [HTTPRequest] = []
    }
    private let state = Lock(State())
    private let clock: VirtualClock

    init(_ clock: VirtualClock) { self.clock = clock }

    /// The response; `nil` if the origin is unreachable.
    var answer: HTTPResponse? {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    /// The number of seconds by which an exchange moves the clock.
    var delay: Int64 {
        get { state.withLock { $0.delay } }
        set { state.withLock { $0.delay = newValue } }
    }
    var sent: [HTTPRequest] { state.withLock { $0.sent } }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        state.withLock { $0.sent.append(request.head) }
        clock.advance(by: .seconds(delay))
        guard let answer else {
            receiver.receive(end: .failure(TransportError(.cannotConnect, "Nobody listens.")))
            return EndedExchange()
        }
        var end = TransportEnd()
        end.isLengthChecked = true
        let isEmpty = request.head.method == .head || [204, 304].contains(answer.status.code)
        receiver.receive(
            rest: TransportRest(
                head: answer,
                piece: isEmpty ? [] : GeneratedExchange.content,
                end: .success(end)
            )
        )
        return EndedExchange()
    }
}
