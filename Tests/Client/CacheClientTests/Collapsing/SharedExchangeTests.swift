import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Shared, resent and streamed exchanges", .timeLimit(.minutes(20)))
struct SharedExchangeTests {
    /// Answers the first request only when `count` loads have begun.
    private func load(
        _ count: Int,
        _ fields: String,
        _ configure: (inout CachingClient.Configuration) -> Void = { _ in }
    ) async throws -> (responses: [ClientResponse], requests: Int) {
        let test = try TestClient(configure)
        let requests = Lock(0)
        let gate = Gate()
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                requests.withLock { $0 += 1 }
                gate.wait()
                connection.send(answer("200 OK", fields, body: "x"))
            }
        }
        let client = test.client
        let observer = Countdown(count) { gate.open() }
        let responses = try await withThrowingTaskGroup(of: ClientResponse.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await client.fetch(ClientRequest(url: server.url + "/"), observer: observer)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return (responses, requests.withLock { $0 })
    }

    @Test("Concurrent identical misses are one request")
    func sharing() async throws {
        let (responses, requests) = try await load(10, "Cache-Control: max-age=60")
        #expect(requests == 1)
        #expect(responses.map(\.text) == Array(repeating: "x", count: 10))
    }

    @Test("A request that waits for another's content does not time out while that content arrives")
    func slowContent() async throws {
        let clock = VirtualClock()
        let transport = HeldTransport()
        var configuration = CachingClient.Configuration()
        // The only timer is that of the request that waits.
        configuration.defaultTimeout = nil
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        let client = CachingClient(configuration, store: store, transport: transport, clock: clock)
        let url = "http://example.test/"
        let leader = Task { try await client.fetch(ClientRequest(url: url)) }
        var receivers = transport.receivers.makeAsyncIterator()
        let receiver = try #require(await receivers.next())
        let follower = Task { try await client.fetch(ClientRequest(url: url, timeout: .seconds(60))) }
        await clock.waitForSleeper()
        receiver.receive(head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=600"]))
        for _ in 0..<3 {
            clock.advance(by: .seconds(40))
            #expect(receiver.receive(piece: [0x78]))
        }
        receiver.receive(end: .success(TransportEnd()))
        #expect(try await leader.value.text == "xxx")
        let response = try await follower.value
        #expect(response.text == "xxx")
        #expect(response.cacheStatus.isCollapsed == true)
    }

    @Test("A streamed exchange ends when the last request that waits for it has left, after its own reader")
    func lastLeaves() async throws {
        // The only timer is that of the request that waits.
        let test = try TestClient { $0.defaultTimeout = nil }
        let (closed, isClosed) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 9\r\n\r\nx")
            connection.waitForClose()
            isClosed.finish()
        }
        let url = server.url + "/"
        var stream: StreamingResponse? = try await test.client.stream(ClientRequest(url: url))
        #expect(stream?.response.status == .ok)
        let follower = Task { try await test.client.fetch(ClientRequest(url: url, timeout: .seconds(60))) }
        await test.clock.waitForSleeper()
        await Activity(test.transport.loop).blocked()
        stream = nil
        follower.cancel()
        for await _ in closed {}
        await #expect(throws: ClientError.self) { try await follower.value }
    }

    @Test(
        "A collapsed request reports whether the response that it shares was stored, RFC 9211 §2.5",
        arguments: [true, false]
    )
    func reportsStored(isAllowed: Bool) async throws {
        let (responses, requests) = try await load(2, "Cache-Control: max-age=60") { configuration in
            if !isAllowed { configuration.willCache = { _ in nil } }
        }
        #expect(requests == 1)
        #expect(responses.contains { $0.cacheStatus.isCollapsed == true })
        #expect(responses.map(\.cacheStatus.isStored) == [isAllowed, isAllowed])
    }

    @Test("A response that may not be stored is not shared")
    func noSharing() async throws {
        let (responses, requests) = try await load(5, "Cache-Control: no-store")
        #expect(requests == 5)
        #expect(!responses.contains { $0.cacheStatus.isCollapsed == true })
    }

    @Test("A request after a removal does not wait for an earlier request")
    func removal() async throws {
        let test = try TestClient()
        let (asked, askedDone) = AsyncStream<Int>.makeStream()
        let gate = Gate()
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            askedDone.yield(connection.number)
            if connection.number == 1 { gate.wait() }
            connection.send(answer("200 OK", "Cache-Control: max-age=60", body: "\(connection.number)"))
        }
        var numbers = asked.makeAsyncIterator()
        let request = ClientRequest(url: server.url + "/")
        let before = Task { try await test.client.fetch(request) }
        #expect(await numbers.next() == 1)
        test.client.removeCachedResponse(for: request)
        #expect(try await test.client.fetch(request).text == "2")
        gate.open()
        #expect(try await before.value.text == "1")
        #expect(try await test.client.fetch(request).text == "2")
    }

    @Test("When the leader is cancelled, another request is sent")
    func promotion() async throws {
        let test = try TestClient()
        let (asked, askedDone) = AsyncStream<Int>.makeStream()
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            askedDone.yield(connection.number)
            if connection.number == 1 {
                connection.waitForClose()
            } else {
                connection.send(answer("200 OK", "Cache-Control: max-age=60", body: "second"))
            }
        }
        var numbers = asked.makeAsyncIterator()
        let request = ClientRequest(url: server.url + "/")
        let leader = Task { await test.failure(request) }
        #expect(await numbers.next() == 1)
        let follower = Task { try await test.client.fetch(request) }
        leader.cancel()
        #expect(await leader.value?.code == -999)
        #expect(try await follower.value.text == "second")
    }

    /// Answers once on the first connection and closes it when the second request arrives.
    private func dyingServer(_ requests: Lock<[String]>) -> ScriptedServer {
        ScriptedServer { connection in
            while let head = connection.readHead() {
                let number = requests.withLock { requests in
                    requests.append(String(head.prefix { $0 != " " }))
                    return requests.count
                }
                if number == 2 { return }
                connection.send(answer(body: "\(number)"))
            }
        }
    }

    @Test("GET is sent again, and this is reported, when a reused connection turns out to be dead")
    func resending() async throws {
        let test = try TestClient()
        let requests = Lock([String]())
        let server = dyingServer(requests)
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/1"))
        let second = try await test.client.fetch(ClientRequest(url: server.url + "/2"))
        #expect(second.metrics.map(\.attempts) == [2])
        #expect(requests.withLock { $0 } == ["GET", "GET", "GET"])
    }

    @Test("POST is not sent again, nor is any request if resending is disabled", arguments: ["POST", "GET"])
    func noResending(_ method: String) async throws {
        let test = try TestClient(resends: method == "POST")
        let requests = Lock([String]())
        let server = dyingServer(requests)
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/1"))
        let error = await test.failure(ClientRequest(url: server.url + "/2", method: .init(method) ?? .get))
        #expect(error?.code == -1005)
        #expect(requests.withLock { $0 } == ["GET", method])
    }

    @Test("A stream without a reader holds the origin back, and is stored once it has been read")
    func backPressure() async throws {
        let test = try TestClient(memoryCapacity: 512 << 20)
        // More than the kernel buffers at both ends, which grow to 32 MiB and 4 MiB by default.
        let size = 80 << 20
        let isSent = Lock(false)
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(size)\r\n\r\n")
            connection.send([UInt8](repeating: 7, count: size))
            isSent.withLock { $0 = true }
            connection.waitForClose()
        }
        let request = ClientRequest(url: server.url + "/")
        let response = try await test.client.stream(request)
        var pieces = response.body.makeAsyncIterator()
        var count = try await pieces.next()?.count ?? 0
        await Activity(test.transport.loop).blocked()
        #expect(!isSent.withLock { $0 })
        while let piece = try await pieces.next() { count += piece.count }
        #expect(count == size)
        let again = try await test.client.fetch(request)
        #expect(again.source == .memory)
        #expect(again.body.count == size)
    }

    /// Returns a server that sends the beginning of a storable response, and a stream that ends when its connection is closed.
    private func unendingServer() -> (server: ScriptedServer, closed: AsyncStream<Void>) {
        let (closed, closedDone) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\nabc")
            connection.waitForClose()
            closedDone.finish()
        }
        return (server, closed)
    }

    @Test("A stream that is dropped unread closes its connection and stores nothing")
    func droppedStream() async throws {
        let test = try TestClient()
        let (server, closed) = unendingServer()
        do {
            let response = try await test.client.stream(ClientRequest(url: server.url + "/"))
            #expect(response.response.status.code == 200)
        }
        for await _ in closed {}
    }

    /// Reads a stream in a task that `cancel` cancels after the first piece; returns the error of the next read.
    private func cancelledRead(
        _ request: ClientRequest,
        _ client: CachingClient,
        cancel: @escaping @Sendable (Task<ClientError?, any Error>) async -> Void
    ) async throws -> ClientError? {
        let (arrived, arrivedDone) = AsyncStream<Void>.makeStream()
        let reader = Task { () -> ClientError? in
            let response = try await client.stream(request)
            do throws(ClientError) {
                for try await _ in response.body {
                    arrivedDone.finish()
                    // Stored content is all there, so only a cancelled task reads on.
                    while response.source != .origin, !Task.isCancelled { await Task.yield() }
                }
                return nil
            } catch {
                return error
            }
        }
        for await _ in arrived {}
        await cancel(reader)
        return try await reader.value
    }

    @Test("Reading a stream ends when its task is cancelled, and so does the exchange")
    func cancelledStream() async throws {
        let test = try TestClient()
        let (server, closed) = unendingServer()
        let request = ClientRequest(url: server.url + "/")
        let error = try await cancelledRead(request, test.client) { reader in
            await Activity(test.transport.loop).blocked()
            reader.cancel()
        }
        #expect(error?.isCancellation == true)
        for await _ in closed {}
    }

    @Test("Reading a stored response as a stream ends when its task is cancelled")
    func cancelledStoredStream() async throws {
        let test = try TestClient()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(
                answer("200 OK", "Cache-Control: max-age=60", body: String(repeating: "x", count: 1 << 20))
            )
        }
        let request = ClientRequest(url: server.url + "/")
        _ = try await test.client.fetch(request)
        let error = try await cancelledRead(request, test.client) { $0.cancel() }
        #expect(error?.isCancellation == true)
    }

    @Test("A waiting loop reports that it waits, and names the connection")
    func activity() async throws {
        let test = try TestClient()
        let gate = Gate()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            gate.wait()
            connection.send(answer())
        }
        let loop = test.transport.loop
        let task = Task(executorPreference: loop) {
            try await test.client.fetch(ClientRequest(url: server.url + "/"))
        }
        await Activity(loop).blocked { $0.inFlight.contains { $0.localPort != 0 } }
        let activity = loop.activity()
        #expect(activity.inFlight.map(\.hasUnreadInput) == [false])
        gate.open()
        _ = try await task.value
        await Activity(loop).blocked()
        #expect(loop.activity().inFlight.isEmpty)
    }
}

/// Waits until a loop is quiet.
struct Activity {
    let loop: ClientLoop

    init(_ loop: ClientLoop) { self.loop = loop }

    func blocked(_ holds: @escaping @Sendable (LoopActivity) -> Bool = { _ in true }) async {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        loop.onIdle { change.yield() }
        change.yield()
        for await _ in changes {
            let activity = loop.activity()
            if activity.isBlocked, holds(activity) { return }
        }
    }
}

/// Runs a closure after a number of will-send events.
final class Countdown: LoadObserver {
    private let left: Lock<Int>
    private let done: @Sendable () -> Void

    init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
        left = Lock(count)
        self.done = done
    }

    func observe(_ event: LoadEvent) {
        guard case .willSend = event else { return }
        let isDone = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isDone { done() }
    }
}

/// A transport whose exchanges the test continues.
final class HeldTransport: Transport, TransportExchange {
    let receivers: AsyncStream<any TransportReceiver>
    private let started: AsyncStream<any TransportReceiver>.Continuation

    init() { (receivers, started) = AsyncStream.makeStream() }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        started.yield(receiver)
        return self
    }

    func resume() {}
    func cancel() {}
}
