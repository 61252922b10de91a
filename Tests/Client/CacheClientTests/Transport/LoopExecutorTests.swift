import CacheClient
import Locks
import TestSupport
import Testing

@Suite("A client's loop as the executor of tasks", .timeLimit(.minutes(20)))
struct LoopExecutorTests {
    /// Answers a request when the gate is open, and reports its arrival.
    private struct HeldServer {
        let gate: Gate
        let server: ScriptedServer
        let asked: AsyncStream<Void>

        init() {
            let gate = Gate()
            let (asked, askedDone) = AsyncStream<Void>.makeStream()
            self.gate = gate
            self.asked = asked
            server = ScriptedServer { connection in
                guard connection.readHead() != nil else { return }
                askedDone.finish()
                gate.wait()
                connection.send(answer(body: "x"))
            }
        }

        func waitForRequest() async {
            for await _ in asked {}
        }
    }

    private actor Caller {
        private let client: CachingClient

        init(_ client: CachingClient) { self.client = client }

        func ask(_ url: String) async throws -> String? {
            try await client.fetch(ClientRequest(url: url)).text
        }

        func open(_ gate: Gate) { gate.open() }
    }

    @Test("An actor whose task waits for the network on the loop handles other calls meanwhile")
    func actors() async throws {
        let held = HeldServer()
        let loop = try ClientLoop()
        let caller = Caller(try TestClient(loop: loop).client)
        let task = Task(executorPreference: loop) { try await caller.ask(held.server.url + "/") }
        await held.waitForRequest()
        await caller.open(held.gate)
        #expect(try await task.value == "x")
    }

    @Test("A task runs on the loop while another waits for the network there")
    func otherTasks() async throws {
        let held = HeldServer()
        let loop = try ClientLoop()
        let client = try TestClient(loop: loop).client
        let task = Task(executorPreference: loop) {
            try await client.fetch(ClientRequest(url: held.server.url + "/")).text
        }
        await held.waitForRequest()
        await Task(executorPreference: loop) { held.gate.open() }.value
        #expect(try await task.value == "x")
    }

    @Test("Cancelling a task that waits on the loop ends it with -999 and closes the connection")
    func cancellation() async throws {
        let server = SilentServer()
        let loop = try ClientLoop()
        let test = try TestClient(loop: loop)
        let task = Task(executorPreference: loop) { await test.failure(ClientRequest(url: server.url)) }
        await server.waitForRequest()
        task.cancel()
        #expect(await task.value?.code == -999)
        await server.waitForClose()
    }

    @Test("A task that continually sends requests to a quick server lets others run on the loop")
    func noStarving() async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: no-store", body: "x") }
        let loop = try ClientLoop()
        let client = try TestClient(loop: loop).client
        let isEnough = Lock(false)
        let (begun, begunDone) = AsyncStream<Void>.makeStream()
        let task = Task(executorPreference: loop) {
            while !isEnough.withLock({ $0 }) {
                _ = try await client.fetch(ClientRequest(url: server.url + "/"))
                begunDone.finish()
            }
        }
        for await _ in begun {}
        await Task(executorPreference: loop) { isEnough.withLock { $0 = true } }.value
        try await task.value
    }

    @Test("Each of many tasks on the loop gets the responses to its own requests", arguments: [1, 4, 40])
    func ownAnswers(_ connections: Int) async throws {
        let server = ScriptedServer { _, head in
            answer("200 OK", "Cache-Control: no-store", body: String(head.split(separator: " ")[1]))
        }
        let loop = try ClientLoop(connectionsPerHost: connections)
        let client = try TestClient(loop: loop).client
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<40 {
                group.addTask(executorPreference: loop) {
                    for number in 0..<10 {
                        let path = "/\(task)/\(number)"
                        let text = try await client.fetch(ClientRequest(url: server.url + path)).text
                        #expect(text == path)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
