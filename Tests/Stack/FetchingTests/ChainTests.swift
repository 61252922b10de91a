import CacheClient
import Clocks
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Chains of requests", .timeLimit(.minutes(5)))
struct ChainTests {
    @Test("Every call of a chain returns the same chain", .checks("sqfetch.chain.fluent"))
    func fluent() async throws {
        let stage = try FetchStage(json("{}"))
        let chain = FetchChain(stage.session(), .serial)
        #expect(chain.get("a").get("b").post("c").add(.put("d")) === chain)
        #expect(await chain.results().count == 4)
        #expect(stage.requestLines == ["GET /a", "GET /b", "POST /c", "PUT /d"])
    }

    @Test(
        "In a serial chain requests and callbacks come one after another, however slow the first is",
        .checks("sqfetch.chain.serial-order", "sqfetch.chain.two-states", "sqfetch.chain.serial-mechanism")
    )
    func serialOrder() async throws {
        let stage = try Self.slowFirst()
        let order = Collector<Int>()
        let chain = FetchChain(stage.session(), .serial)
        for step in 1...4 { chain.get("\(step)", success: { _ in order.add(step) }) }
        await stage.waitForParked(1)
        #expect(stage.requestLines == ["GET /1"])
        stage.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(order.elements == [1, 2, 3, 4])
        let record = stage.origin.record()
        #expect(record.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(record.map { $0.arrivedAt - startOfTime } == [0, 0.5, 0.5, 0.5])
    }

    @Test(
        "In a concurrent chain the other requests do not wait for a slow first",
        .checks("sqfetch.chain.concurrent-overlap", "sqfetch.chain.two-states")
    )
    func concurrentOverlap() async throws {
        let stage = try Self.slowFirst()
        let order = Collector<Int>()
        let chain = FetchChain(stage.session(), .concurrent)
        for step in 1...4 { chain.get("\(step)", success: { _ in order.add(step) }) }
        #expect(Set(await order.first(3)) == [2, 3, 4])
        #expect(stage.hits == 4)
        stage.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(order.elements.last == 1)
        #expect(stage.origin.record().map { $0.arrivedAt - startOfTime } == [0, 0, 0, 0])
    }

    @Test(
        "In a serial chain the second request is sent only when the first callback has returned",
        .checks("sqfetch.chain.serial-waits-for-callback")
    )
    func waitsForCallback() async throws {
        let stage = try FetchStage(json("{}"))
        let latch = Wake()
        let (entered, executor) = (Collector<Bool>(), ThreadExecutor())
        let session = stage.session { $0.callbacks = .serial(executor) }
        let chain = FetchChain(session, .serial)
        chain.get(
            "1",
            success: { _ in
                entered.add(true)
                latch.wait()
            }
        ).get("2")
        _ = await entered.first(1)
        // A request of somebody else's has had all the time that the second one would have needed.
        _ = try await stage.session().get("other")
        #expect(stage.requestLines == ["GET /1", "GET /other"])
        latch.post()
        _ = await chain.results()
        #expect(stage.requestLines == ["GET /1", "GET /other", "GET /2"])
    }

    @Test(
        "In either kind of chain requests are started in the order of the calls",
        .checks("sqfetch.chain.start-order-kept"),
        arguments: FetchChain.Order.allCases
    )
    func startOrder(order: FetchChain.Order) async throws {
        let stage = try FetchStage(json("{}"))
        let record = EventRecord()
        let chain = FetchChain(stage.session { $0.monitors = [record] }, order)
        for index in 0..<20 { chain.get("a", ["index": .integer(index)]) }
        _ = await chain.results()
        let started = record.events.compactMap { event in
            if case .started(_, let request, _) = event { request.parameters["index"]?.integer } else { nil }
        }
        #expect(started == Array(0..<20))
    }

    @Test("GET and POST are in one order", .checks("sqfetch.chain.get-post-share-order"))
    func sharedOrder() async throws {
        let stage = try Self.slowFirst()
        let chain = FetchChain(stage.session(), .serial).get("1").post("2").get("3")
        await stage.waitForParked(1)
        stage.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(stage.requestLines == ["GET /1", "POST /2", "GET /3"])
    }

    @Test("A request that fails lets the next one go", .checks("sqfetch.chain.failure-releases-next"))
    func failureReleases() async throws {
        let stage = try FetchStage(
            Route.each(
                ("/1", [json("{}")]),
                ("/2", [json("{}") { $0.faults = [Fault(.reset, at: .head)] }]),
                ("/3", [json("{}")])
            ),
            resends: false
        )
        let order = Collector<String>()
        let chain = FetchChain(stage.session(), .serial)
        for step in 1...3 {
            chain.get(
                "\(step)",
                success: { _ in order.add("success \(step)") },
                failure: { _ in order.add("failure \(step), hits \(stage.hits)") }
            )
        }
        _ = await chain.results()
        #expect(order.elements == ["success 1", "failure 2, hits 2", "success 3"])
    }

    @Test(
        "A serial chain goes on after a step that the application cache answers",
        .checks("sqfetch.chain.serial-hang-on-cache-hit")
    )
    func cachedStep() async throws {
        let stage = try FetchStage(json("{\"a\":1}"))
        let session = stage.session(hasCache: true)
        _ = try await session.send(.get("image").cached(for: .seconds(60)))
        let chain = FetchChain(session, .serial).add(.get("image").cached(for: .seconds(60))).get("get")
        let results = await chain.results()
        #expect(try results.map { try $0.get().source }.first == .applicationCache)
        #expect(stage.requestLines == ["GET /image", "GET /get"])
    }

    @Test(
        "Offline, every step fails as not connected and nothing is sent",
        .checks("sqfetch.chain.serial-hang-offline"),
        arguments: FetchChain.Order.allCases
    )
    func offlineChain(order: FetchChain.Order) async throws {
        let stage = try FetchStage(json("{}"))
        let codes = Collector<Int>()
        let session = stage.session(reachability: ScriptedReachability(.unreachable))
        let chain = FetchChain(session, order)
        for path in ["1", "2"] { chain.get(path, failure: { codes.add($0.code) }) }
        _ = await chain.results()
        #expect(codes.elements == [-1009, -1009])
        #expect(stage.hits == 0)
    }

    @Test(
        "At most six exchanges of a chain are open; one that ends lets the seventh begin",
        .checks("sqfetch.chain.max-concurrency-6")
    )
    func sixAtOnce() async throws {
        var first = Route(label: "first", path: .exact("/0"), answers: [stalled(json("{}"))])
        first.priority = 1
        let stage = try FetchStage([first, Route(label: "rest", answers: [stalled(json("{}"))])])
        let record = EventRecord()
        let session = stage.session {
            $0.maximumInFlight = 100
            $0.monitors = [record]
        }
        let chain = FetchChain(session, .concurrent)
        for index in 0..<12 { chain.get("\(index)") }
        await stage.waitForParked(6)
        // Whoever is in the pool waits for its turn; six and no more have been started.
        #expect(record.names.count { $0 == "started" } == 6)
        #expect(stage.hits == 6)
        stage.origin.release(label: "first")
        await record.wait(for: "started", count: 7)
        await news.wait { stage.hits == 7 && stage.origin.parked.count == 6 }
        await stage.releaseAll(until: 12)
        #expect(await chain.results().count == 12)
    }

    @Test("A chain does not wait for another chain", .checks("sqfetch.chain.managers-independent"))
    func independentChains() async throws {
        let stage = try FetchStage(Route.each(("/slow", [stalled(json("{}"))]), ("/fast", [json("{}")])))
        let session = stage.session()
        let slow = FetchChain(session, .serial).get("slow")
        await stage.waitForParked(1)
        let fast = await FetchChain(session, .serial).get("fast").results()
        #expect(try fast.map { try $0.get().status } == [200])
        stage.origin.release(label: nil)
        _ = await slow.results()
    }

    @Test(
        "Without callbacks requests run all the same, and the chain goes on",
        .checks("sqfetch.chain.nil-callbacks")
    )
    func noCallbacks() async throws {
        let stage = try FetchStage(Route.each(("/1", [json("{}")]), ("/3", [json("{}")])))
        let results = await FetchChain(stage.session(), .serial).get("1", success: nil, failure: nil)
            .get("2", success: nil, failure: nil).get("3", success: nil, failure: nil).results()
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
    }

    @Test("Callbacks come on the executor that was chosen", .checks("sqfetch.chain.callback-context"))
    func callbackContext() async throws {
        let stage = try FetchStage(Route.each(("/1", [json("{}")])))
        let executor = ThreadExecutor()
        let isCurrent = Collector<Bool>()
        for context in [CallbackContext.serial(executor), .executor(executor)] {
            let chain = FetchChain(stage.session { $0.callbacks = context }, .concurrent)
            chain.get("1", success: { _ in isCurrent.add(executor.isCurrent) })
            chain.get("missing", failure: { _ in isCurrent.add(executor.isCurrent) })
            _ = await chain.results()
        }
        #expect(isCurrent.elements == [true, true, true, true])
    }

    @Test(
        "Cancelling a chain ends the running step, those that wait, and those that are still added",
        arguments: FetchChain.Order.allCases
    )
    func cancelled(order: FetchChain.Order) async throws {
        let stage = try FetchStage(stalled(json("{}")))
        let kinds = Collector<FetchError.Kind>()
        let chain = FetchChain(stage.session(), order, limit: 2)
        for path in ["1", "2", "3"] { chain.get(path, failure: { kinds.add($0.kind) }) }
        await stage.waitForParked(order == .serial ? 1 : 2)
        chain.cancel()
        chain.get("4", failure: { kinds.add($0.kind) })
        _ = await chain.results()
        #expect(kinds.elements == [.cancelled, .cancelled, .cancelled, .cancelled])
        #expect(stage.hits == (order == .serial ? 1 : 2))
        let origin = stage.origin
        await news.wait { origin.record().allSatisfy(\.isAborted) }
    }

    private static func slowFirst() throws -> FetchStage {
        try FetchStage(
            Route.each(("/1", [json("{}") { $0.delay = .milliseconds(500) }])) + [
                Route(label: "rest", answers: [json("{}")])
            ]
        )
    }
}
