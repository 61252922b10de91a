import CacheClient
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Total and connect timeouts of loads", .timeLimit(.minutes(20)))
struct TimeoutTests {
    private static let url = "http://example.test/"
    private let clock = VirtualClock(wallSeconds: startOfTime)
    private let transport = SlowTransport()

    private func client(_ change: (inout CachingClient.Configuration) -> Void = { _ in }) throws
        -> CachingClient
    {
        var configuration = CachingClient.Configuration()
        change(&configuration)
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        return CachingClient(configuration, store: store, transport: transport, clock: clock)
    }

    /// Starts a load, and returns its error once it has ended.
    private func load(_ client: CachingClient, _ request: ClientRequest) -> Task<ClientError?, Never> {
        Task {
            do throws(ClientError) {
                _ = try await client.fetch(request)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Lets 80 s pass, in which something arrives each 40 s, and then 20 s more.
    private func deliverSlowly(to receiver: any TransportReceiver) {
        receiver.receive(head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=600"]))
        for _ in 0..<2 {
            clock.advance(by: .seconds(40))
            _ = receiver.receive(piece: [0x78])
        }
        clock.advance(by: .seconds(20))
    }

    @Test(
        "A load whose content keeps arriving fails once its total timeout has passed",
        arguments: [Duration.seconds(60), nil]
    )
    func total(timeout: Duration?) async throws {
        let client = try client {
            $0.defaultTimeout = timeout
            $0.defaultTotalTimeout = .seconds(100)
        }
        let load = load(client, ClientRequest(url: Self.url))
        deliverSlowly(to: try #require(await transport.next()))
        #expect(await load.value?.code == .timedOut)
    }

    @Test("A request's own total timeout replaces that of the configuration")
    func ownTotal() async throws {
        let client = try client { $0.defaultTotalTimeout = .seconds(10) }
        var request = ClientRequest(url: Self.url)
        request.totalTimeout = .seconds(101)
        let load = load(client, request)
        let receiver = try #require(await transport.next())
        deliverSlowly(to: receiver)
        receiver.receive(end: .success(TransportEnd()))
        #expect(await load.value == nil)
    }

    @Test("The total timeout includes redirects")
    func redirects() async throws {
        let client = try client { $0.defaultTotalTimeout = .seconds(100) }
        let load = load(client, ClientRequest(url: Self.url))
        let first = try #require(await transport.next())
        clock.advance(by: .seconds(50))
        first.receive(head: HTTPResponse(status: .found, headerFields: [.location: "/next"]))
        first.receive(end: .success(TransportEnd()))
        _ = try #require(await transport.next())
        clock.advance(by: .seconds(50))
        #expect(await load.value?.code == .timedOut)
    }

    @Test("A request that waits for another's exchange fails at its own total timeout, and the other goes on")
    func waiting() async throws {
        let client = try client { $0.defaultTimeout = nil }
        let leader = load(client, ClientRequest(url: Self.url))
        let receiver = try #require(await transport.next())
        var request = ClientRequest(url: Self.url, timeout: .seconds(60))
        request.totalTimeout = .seconds(100)
        let follower = load(client, request)
        await clock.waitForSleeper()
        deliverSlowly(to: receiver)
        #expect(await follower.value?.code == .timedOut)
        receiver.receive(end: .success(TransportEnd()))
        #expect(await leader.value == nil)
    }

    @Test("A total timeout in the distant future is none")
    func distant() async throws {
        let client = try client { $0.defaultTotalTimeout = .seconds(Int64.max) }
        let load = load(client, ClientRequest(url: Self.url))
        let receiver = try #require(await transport.next())
        deliverSlowly(to: receiver)
        receiver.receive(end: .success(TransportEnd()))
        #expect(await load.value == nil)
    }

    @Test("A connection whose TLS handshake does not end in time is given up, by the system's clock")
    func connect() async throws {
        let server = SilentServer()
        let test = try TestClient { $0.connectTimeout = .seconds(3600) }
        var request = ClientRequest(url: "https" + server.url.dropFirst("http".count))
        request.connectTimeout = .milliseconds(50)
        #expect(await test.failure(request)?.code == .timedOut)
        await server.waitForClose()
    }
}

/// A transport whose exchanges the test continues, unless they are cancelled.
private final class SlowTransport: Transport {
    private let started: AsyncStream<any TransportReceiver>
    private let start: AsyncStream<any TransportReceiver>.Continuation

    init() { (started, start) = AsyncStream.makeStream() }

    /// Waits for the next exchange.
    func next() async -> (any TransportReceiver)? {
        for await receiver in started { return receiver }
        return nil
    }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        start.yield(receiver)
        return Exchange(receiver: receiver)
    }

    private final class Exchange: TransportExchange {
        let receiver: any TransportReceiver

        init(receiver: any TransportReceiver) { self.receiver = receiver }

        func resume() {}

        func cancel() { receiver.receive(end: .failure(TransportError(.cancelled, "cancelled"))) }
    }
}
