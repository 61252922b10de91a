import CacheClient
import Clocks
import Fetching
import HTTPTypes
import ImageLoading
import JSON
import Locks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Sessions, callbacks and groups", .timeLimit(.minutes(20)))
struct SessionTests {
    @Test(
        "Each request has a task, which has the request and can be cancelled",
        .checks("afnetworking.session.task-per-request", "ytknetwork.requests-as-objects")
    )
    func tasks() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let task = fixture.session().start(.post("a", ["k": 1]))
        #expect(task.request.method == .post)
        #expect(task.request.path == "a")
        #expect(task.request.parameters == ["k": 1])
        #expect(task.state == .running)
        await fixture.waitForParked(1)
        task.cancel()
        await #expect(throws: FetchError.self) { try await task.response() }
        #expect(task.state == .cancelled)
    }

    @Test(
        "Two concurrent requests with different serializers decode differently",
        .checks("afnetworking.session.delegate-per-task", "afnetworking.session.template-method")
    )
    func serializers() async throws {
        let fixture = try FetchFixture(stalled(json("[1]")))
        let session = fixture.session()
        let first = session.start(.get("a").with { $0.serializer = JSONSerializer() })
        let second = session.start(.get("b").with { $0.serializer = BytesSerializer() })
        await fixture.waitForParked(2)
        fixture.origin.release(label: nil)
        #expect(try await first.response().json == [1])
        guard case .bytes(let bytes) = try await second.response().value else {
            throw FetchError(.invalid, "There must be bytes.")
        }
        #expect(bytes == Array("[1]".utf8))
    }

    @Test(
        "The profiles' callbacks are called on the main actor",
        .checks("afnetworking.session.main-completion"),
        arguments: [FetchConfiguration.afNetworking, .sjNetwork]
    )
    func mainActor(profile: FetchConfiguration) async throws {
        let fixture = try FetchFixture(json("{}"))
        let isMain = Collector<Bool>()
        let main = await MainThread()
        let session = fixture.session(profile) { $0.callbacks = profile.callbacks }
        _ = try await session.start(.get("a")) { _ in isMain.add(main.isCurrent) }.response()
        #expect(isMain.elements == [true])
    }

    @Test(
        "Callbacks are called on an executor and in a group of the caller's choice, and the group reports its end once",
        .checks("afnetworking.session.completion-queue", "afnetworking.session.completion-group")
    )
    func group() async throws {
        let fixture = try FetchFixture(
            Route.each(("/good", [json("{}")]), ("/bad", [json("{}") { $0.status = 500 }]))
        )
        let (group, executor) = (CompletionGroup(), ThreadExecutor())
        let session = fixture.session {
            $0.completionGroup = group
            $0.callbacks = .serial(executor)
        }
        let events = Collector<String>()
        for _ in 0..<5 { session.start(.get("good")) { _ in events.add("\(executor.isCurrent)") } }
        for _ in 0..<2 { session.start(.get("bad")) { _ in events.add("\(executor.isCurrent)") } }
        #expect(group.count == 7)
        group.notify { events.add("all") }
        await group.wait()
        #expect(await events.first(8) == Array(repeating: "true", count: 7) + ["all"])
        #expect(group.count == 0)
        group.notify { events.add("at once") }
        #expect(events.elements.last == "at once")
    }

    @Test(
        "A callback receives a response with its value, or an error with the status",
        .checks("afnetworking.session.completion-arguments")
    )
    func arguments() async throws {
        let fixture = try FetchFixture(Route.each(("/good", [json("[1]")])))
        let ends = Collector<String>()
        let session = fixture.session()
        for path in ["good", "missing"] {
            let task = session.start(.get(path)) { result in
                switch result {
                case .success(let response):
                    ends.add("\(response.status) \(response.json?.compactText ?? "")")
                case .failure(let error):
                    ends.add("\(error.status ?? 0) \(error.request?.path ?? "")")
                }
            }
            _ = try? await task.response()
        }
        #expect(ends.elements == ["200 [1]", "404 missing"])
    }

    @Test(
        "Each request is reported as completed once, after its callback, if any",
        .checks(
            "afnetworking.session.no-handler",
            "afnetworking.session.did-complete-notification",
            "sjnetwork.structure.finish-hook"
        )
    )
    func completed() async throws {
        let fixture = try FetchFixture(json("{}"))
        let order = Collector<String>()
        let session = fixture.session {
            $0.monitors = [
                ClosureMonitor { if case .completed(let model) = $0 { order.add("completed \(model.path)") } }
            ]
        }
        _ = try await session.start(.get("silent")).response()
        _ = try await session.start(.get("a")) { _ in order.add("callback a") }.response()
        _ = try await session.get("awaited")
        #expect(order.elements == ["completed silent", "callback a", "completed a", "completed awaited"])
    }

    @Test(
        "One object makes requests, and has callbacks, events, serializers and reachability",
        .checks("afnetworking.session.facade", "afnetworking.http.advantages", "sjnetwork.structure.facade")
    )
    func facade() async throws {
        let fixture = try FetchFixture(json("{}"))
        let record = EventRecord()
        let session = fixture.session(reachability: ScriptedReachability(.wifi), hasCache: true) {
            $0.monitors = [record]
        }
        _ = try await session.send(.get("a").cached(for: .seconds(10)))
        #expect(
            record.names == ["created", "cache-miss", "started", "succeeded", "cache-written", "completed"]
        )
        #expect(session.reachability?.status == .wifi)
        #expect(session.configuration.baseURL == fixture.base)
        #expect(session.pool.count == 0)
    }

    @Test(
        "The limit of exchanges can be raised at any time, and a late request of high priority is sent first",
        .checks("afnetworking.http.concurrency-limit")
    )
    func limit() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let record = EventRecord()
        let session = fixture.session {
            $0.maximumInFlight = 3
            $0.monitors = [record]
        }
        let tasks = (1...8).map { session.start(.get("\($0)")) }
        await fixture.waitForParked(3)
        #expect(fixture.hits == 3)
        let urgent = session.start(.get("urgent").with { $0.priority = 1 })
        session.configure { $0.maximumInFlight = 5 }
        await fixture.waitForParked(5)
        #expect(fixture.hits == 5)
        #expect(record.names.count { $0 == "started" } == 5)
        await fixture.releaseAll(until: 9)
        _ = try await urgent.response()
        for task in tasks { _ = try await task.response() }
        let paths = record.events.compactMap { event in
            if case .started(let model, _, _) = event { model.path } else { nil }
        }
        // Five requests have started before any could overtake them, unless the urgent one was there in time.
        let place = try #require(paths.firstIndex(of: "urgent"))
        #expect(place <= 5)
    }

    @Test("Of waiting requests, those of higher priority are sent first, then earlier ones")
    func priorities() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let record = EventRecord()
        let session = fixture.session {
            $0.maximumInFlight = 1
            $0.monitors = [record]
        }
        let first = session.start(.get("first"))
        await fixture.waitForParked(1)
        var tasks: [FetchTask] = []
        for (path, priority) in [("low", -1), ("a", 0), ("high", 1), ("b", 0)] {
            tasks.append(session.start(.get(path).with { $0.priority = priority }))
            // It waits at the limiter before the next one is added.
            while session.waitingCount < tasks.count { await Task.yield() }
        }
        await fixture.releaseAll(until: 5)
        _ = try await first.response()
        for task in tasks { _ = try await task.response() }
        #expect(fixture.requestLines == ["GET /first", "GET /high", "GET /a", "GET /b", "GET /low"])
    }

    @Test(
        "The number of connections, the timeout and the cache are settings, and take effect",
        .checks("afnetworking.http.configure")
    )
    func configure() async throws {
        let fixture = try FetchFixture(
            [Route(label: "1", answers: [stalled(json("{}"))])],
            connectionsPerHost: 2
        )
        let session = fixture.session { $0.timeout = .seconds(7) }
        let tasks = (1...4).map { session.start(.get("\($0)")) }
        await fixture.waitForParked(2)
        #expect(fixture.server.acceptedConnections == 2)
        let isFinished = Lock(false)
        let codes = Task {
            var codes: [ClientError.Code?] = []
            for task in tasks { codes.append(await task.failure?.code) }
            isFinished.withLock { $0 = true }
            return codes
        }
        // Again and again, because the time of a request that begins only now counts from now on.
        while !isFinished.withLock({ $0 }) {
            fixture.clock.advance(by: .seconds(7))
            await Task.yield()
        }
        #expect(await codes.value == [.timedOut, .timedOut, .timedOut, .timedOut])
        let fresh = try FetchFixture(
            json("{}") { $0.fields.append(FieldLine("Cache-Control", .text("max-age=60"))) }
        )
        let sessions = [fresh.session(), fresh.session(store: try fresh.memoryStore())]
        var hits: [Int] = []
        for session in sessions {
            for _ in 1...2 { _ = try await session.get("a") }
            hits.append(fresh.hits)
        }
        #expect(hits == [2, 3])
    }

    @Test(
        "Twenty requests that are made at the same time end without a run loop",
        .checks("afnetworking.session.no-runloop")
    )
    func noRunLoop() async throws {
        let fixture = try FetchFixture(json("{}"))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 { group.addTask { try await fixture.session().get("\(number)").status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 20))
    }
}

extension FetchTask {
    /// The error of a request that must fail.
    fileprivate var failure: FetchError? {
        get async {
            do throws(FetchError) {
                _ = try await response()
                return nil
            } catch {
                return error
            }
        }
    }
}
