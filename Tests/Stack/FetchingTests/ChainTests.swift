import CacheClient
import Clocks
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Chains of requests", .timeLimit(.minutes(20)))
struct ChainTests {
    @Test("Every call of a chain returns the same chain", .checks("sqfetch.chain.fluent"))
    func fluent() async throws {
        let fixture = try FetchFixture(json("{}"))
        let chain = FetchChain(fixture.session(), .serial)
        #expect(chain.get("a").get("b").post("c").add(.put("d")) === chain)
        #expect(await chain.results().count == 4)
        #expect(fixture.requestLines == ["GET /a", "GET /b", "POST /c", "PUT /d"])
    }

    @Test(
        "In a serial chain, requests and callbacks occur one after another, however slow the first is",
        .checks("sqfetch.chain.serial-order", "sqfetch.chain.two-states", "sqfetch.chain.serial-mechanism")
    )
    func serialOrder() async throws {
        let fixture = try Self.slowFirst()
        let order = Collector<Int>()
        let chain = FetchChain(fixture.session(), .serial)
        for step in 1...4 { chain.get("\(step)", success: { _ in order.add(step) }) }
        await fixture.waitForParked(1)
        #expect(fixture.requestLines == ["GET /1"])
        fixture.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(order.elements == [1, 2, 3, 4])
        let record = fixture.origin.record()
        #expect(record.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(record.map { $0.arrivedSeconds - startOfTime } == [0, 0.5, 0.5, 0.5])
    }

    @Test(
        "In a concurrent chain the other requests do not wait for a slow first",
        .checks("sqfetch.chain.concurrent-overlap", "sqfetch.chain.two-states")
    )
    func concurrentOverlap() async throws {
        let fixture = try Self.slowFirst()
        let order = Collector<Int>()
        let chain = FetchChain(fixture.session(), .concurrent)
        for step in 1...4 { chain.get("\(step)", success: { _ in order.add(step) }) }
        #expect(Set(await order.first(3)) == [2, 3, 4])
        #expect(fixture.hits == 4)
        fixture.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(order.elements.last == 1)
        #expect(fixture.origin.record().map { $0.arrivedSeconds - startOfTime } == [0, 0, 0, 0])
    }

    @Test(
        "In a serial chain, the second request is sent only after the first callback has returned",
        .checks("sqfetch.chain.serial-waits-for-callback"),
        arguments: [200, 500]
    )
    func waitsForCallback(status: Int) async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/1", [json("{}") { $0.status = status }]),
                ("/2", [json("{}")]),
                ("/other", [json("{}")])
            )
        )
        let latch = Wake()
        let (entered, executor) = (Collector<Bool>(), ThreadExecutor())
        let session = fixture.session { $0.callbacks = .serial(executor) }
        let chain = FetchChain(session, .serial)
        chain.get(
            "1",
            success: { _ in
                entered.add(true)
                latch.wait()
            },
            failure: { _ in
                entered.add(false)
                latch.wait()
            }
        ).get("2")
        #expect(await entered.first(1) == [status == 200])
        // Another request has had all the time that the second one would have needed.
        _ = try await fixture.session().get("other")
        #expect(fixture.requestLines == ["GET /1", "GET /other"])
        latch.post()
        _ = await chain.results()
        #expect(fixture.requestLines == ["GET /1", "GET /other", "GET /2"])
    }

    @Test(
        "In either kind of chain requests are started in the order of the calls",
        .checks("sqfetch.chain.start-order-kept"),
        arguments: FetchChain.Order.allCases
    )
    func startOrder(order: FetchChain.Order) async throws {
        let fixture = try FetchFixture(json("{}"))
        let record = EventRecord()
        let chain = FetchChain(fixture.session { $0.monitors = [record] }, order)
        for index in 0..<20 { chain.get("a", ["index": .integer(index)]) }
        _ = await chain.results()
        let started = record.events.compactMap { event in
            if case .started(_, let request, _) = event { request.parameters["index"]?.integer } else { nil }
        }
        #expect(started == Array(0..<20))
    }

    @Test("GET and POST share one order", .checks("sqfetch.chain.get-post-share-order"))
    func sharedOrder() async throws {
        let fixture = try Self.slowFirst()
        let chain = FetchChain(fixture.session(), .serial).get("1").post("2").get("3")
        await fixture.waitForParked(1)
        fixture.clock.advance(by: .milliseconds(500))
        _ = await chain.results()
        #expect(fixture.requestLines == ["GET /1", "POST /2", "GET /3"])
    }

    @Test("A request that fails releases the next one", .checks("sqfetch.chain.failure-releases-next"))
    func failureReleases() async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/1", [json("{}")]),
                ("/2", [json("{}") { $0.faults = [Fault(.reset, at: .head)] }]),
                ("/3", [json("{}")])
            ),
            resends: false
        )
        let order = Collector<String>()
        let chain = FetchChain(fixture.session(), .serial)
        for step in 1...3 {
            chain.get(
                "\(step)",
                success: { _ in order.add("success \(step)") },
                failure: { _ in order.add("failure \(step), hits \(fixture.hits)") }
            )
        }
        _ = await chain.results()
        #expect(order.elements == ["success 1", "failure 2, hits 2", "success 3"])
    }

    @Test(
        "A serial chain continues after a step that the application cache answers",
        .checks("sqfetch.chain.serial-hang-on-cache-hit")
    )
    func cachedStep() async throws {
        let fixture = try FetchFixture(json("{\"a\":1}"))
        let session = fixture.session(hasCache: true)
        _ = try await session.send(.get("image").cached(for: .seconds(60)))
        let chain = FetchChain(session, .serial).add(.get("image").cached(for: .seconds(60))).get("get")
        let results = await chain.results()
        #expect(try results.map { try $0.get().source }.first == .applicationCache)
        #expect(fixture.requestLines == ["GET /image", "GET /get"])
    }

    @Test(
        "Offline, every step fails as not connected and nothing is sent",
        .checks("sqfetch.chain.serial-hang-offline"),
        arguments: FetchChain.Order.allCases
    )
    func offlineChain(order: FetchChain.Order) async throws {
        let fixture = try FetchFixture(json("{}"))
        let codes = Collector<Int>()
        let session = fixture.session(reachability: ScriptedReachability(.unreachable))
        let chain = FetchChain(session, order)
        for path in ["1", "2"] { chain.get(path, failure: { codes.add($0.code.rawValue) }) }
        _ = await chain.results()
        #expect(codes.elements == [-1009, -1009])
        #expect(fixture.hits == 0)
    }

    @Test(
        "At most six exchanges of a chain are open; the seventh starts when one has ended",
        .checks("sqfetch.chain.max-concurrency-6")
    )
    func sixAtOnce() async throws {
        var first = Route(label: "first", path: .exact("/0"), answers: [stalled(json("{}"))])
        first.priority = 1
        let fixture = try FetchFixture([first, Route(label: "rest", answers: [stalled(json("{}"))])])
        let record = EventRecord()
        let session = fixture.session {
            $0.maximumInFlight = 100
            $0.monitors = [record]
        }
        let chain = FetchChain(session, .concurrent)
        for index in 0..<12 { chain.get("\(index)") }
        await fixture.waitForParked(6)
        // All are in the pool and wait; only six have been started.
        #expect(record.names.count { $0 == "started" } == 6)
        #expect(fixture.hits == 6)
        fixture.origin.release(label: "first")
        await record.wait(for: "started", count: 7)
        await news.wait { fixture.hits == 7 && fixture.origin.parked.count == 6 }
        await fixture.releaseAll(until: 12)
        #expect(await chain.results().count == 12)
    }

    @Test("A chain does not wait for another chain", .checks("sqfetch.chain.managers-independent"))
    func independentChains() async throws {
        let fixture = try FetchFixture(Route.each(("/slow", [stalled(json("{}"))]), ("/fast", [json("{}")])))
        let session = fixture.session()
        let slow = FetchChain(session, .serial).get("slow")
        await fixture.waitForParked(1)
        let fast = await FetchChain(session, .serial).get("fast").results()
        #expect(try fast.map { try $0.get().status } == [200])
        fixture.origin.release(label: nil)
        _ = await slow.results()
    }

    @Test(
        "Requests run without callbacks, and the chain continues",
        .checks("sqfetch.chain.nil-callbacks")
    )
    func noCallbacks() async throws {
        let fixture = try FetchFixture(Route.each(("/1", [json("{}")]), ("/3", [json("{}")])))
        let results = await FetchChain(fixture.session(), .serial).get("1", success: nil, failure: nil)
            .get("2", success: nil, failure: nil).get("3", success: nil, failure: nil).results()
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
    }

    @Test("Callbacks are called on the configured executor", .checks("sqfetch.chain.callback-context"))
    func callbackContext() async throws {
        let fixture = try FetchFixture(Route.each(("/1", [json("{}")])))
        let executor = ThreadExecutor()
        let isCurrent = Collector<Bool>()
        for context in [CallbackContext.serial(executor), .executor(executor)] {
            let chain = FetchChain(fixture.session { $0.callbacks = context }, .concurrent)
            chain.get("1", success: { _ in isCurrent.add(executor.isCurrent) })
            chain.get("missing", failure: { _ in isCurrent.add(executor.isCurrent) })
            _ = await chain.results()
        }
        #expect(isCurrent.elements == [true, true, true, true])
    }

    @Test(
        "Cancelling a chain ends the running step, waiting ones, and those that are added later",
        arguments: FetchChain.Order.allCases
    )
    func cancelled(order: FetchChain.Order) async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let kinds = Collector<FetchError.Kind>()
        let chain = FetchChain(fixture.session(), order, limit: 2)
        for path in ["1", "2", "3"] { chain.get(path, failure: { kinds.add($0.kind) }) }
        await fixture.waitForParked(order == .serial ? 1 : 2)
        chain.cancel()
        chain.get("4", failure: { kinds.add($0.kind) })
        _ = await chain.results()
        #expect(kinds.elements == [.cancelled, .cancelled, .cancelled, .cancelled])
        #expect(fixture.hits == (order == .serial ? 1 : 2))
        let origin = fixture.origin
        await news.wait { origin.record().allSatisfy(\.isAborted) }
    }

    private static func slowFirst() throws -> FetchFixture {
        try FetchFixture(
            Route.each(("/1", [json("{}") { $0.delay = .milliseconds(500) }])) + [
                Route(label: "rest", answers: [json("{}")])
            ]
        )
    }
}
