import CacheClient
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("The request pool", .timeLimit(.minutes(20)))
struct PoolTests {
    /// Requests that the origin holds, each with its result.
    private func running(
        _ requests: [FetchRequest],
        _ fixture: FetchFixture,
        _ session: FetchSession
    ) async -> (tasks: [FetchTask], ends: Collector<String>) {
        let ends = Collector<String>()
        let tasks = requests.map { request in
            session.start(request) { result in
                let name = "\(request.method.rawValue) \(request.path) \(request.parameters.json.compactText)"
                switch result {
                case .success: ends.add(name + " succeeded")
                case .failure(let error): ends.add(name + " \(error.kind)")
                }
            }
        }
        await fixture.waitForParked(requests.count)
        return (tasks, ends)
    }

    @Test(
        "A request is in the pool before it is sent and leaves it however it ends",
        .checks(
            "sjnetwork.pool.add-before-start",
            "sjnetwork.pool.remove-after-end",
            "sjnetwork.pool.remaining",
            "sjnetwork.structure.request-as-object"
        )
    )
    func comingAndGoing() async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/a", [stalled(json("{}"))]),
                ("/b", [stalled(json("{}") { $0.status = 500 })]),
                ("/c", [stalled(json("{}"))])
            )
        )
        let session = fixture.session()
        #expect(!session.pool.isBusy)
        let first = session.start(.get("a"))
        #expect(session.pool.requests.map(\.path) == ["a"])
        let (others, ends) = await running([.get("b"), .get("c")], fixture, session)
        #expect(session.pool.isBusy)
        others[1].cancel()
        _ = await ends.first(1)
        fixture.origin.release(label: nil)
        _ = try await first.response()
        _ = await ends.first(2)
        #expect(session.pool.count == 0)
        #expect(!session.pool.isBusy)
        #expect(others.map(\.state) == [.failed, .cancelled])
        #expect(first.state == .succeeded)
    }

    @Test(
        "The pool counts and describes the running requests",
        .checks("sjnetwork.pool.count", "sjnetwork.pool.log-all")
    )
    func count() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session()
        let (_, ends) = await running((1...5).map { .get("\($0)") }, fixture, session)
        #expect(session.pool.count == 5)
        #expect(session.pool.descriptions.count == 5)
        for (index, description) in session.pool.descriptions.enumerated() {
            #expect(description.contains("url:               \(fixture.base)/\(index + 1)\n"))
            #expect(description.contains("{ running }"))
        }
        fixture.origin.release(label: nil)
        _ = await ends.first(5)
    }

    @Test(
        "Ordinary requests, uploads and downloads are in the pool, and listed by kind",
        .checks("afnetworking.session.tasks-by-kind", "sjnetwork.pool.all-types")
    )
    func kinds() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session()
        let requests: [FetchRequest] = [
            .get("file").with { $0.kind = .download }, .get("1"),
            .post("image").with { $0.kind = .upload }, .get("2"),
        ]
        let (_, ends) = await running(requests, fixture, session)
        let pool = session.pool
        #expect(pool.requests(of: .ordinary).map(\.path) == ["1", "2"])
        #expect(pool.requests(of: .upload).map(\.path) == ["image"])
        #expect(pool.requests(of: .download).map(\.path) == ["file"])
        #expect(pool.requestsByKind.map(\.path) == ["1", "2", "image", "file"])
        #expect(pool.cancel(kind: .upload) == 1)
        #expect(await ends.first(1) == ["POST image {} cancelled"])
        fixture.origin.release(label: nil)
        _ = await ends.first(4)
    }

    @Test(
        "Cancelling by URL, method and parameters ends exactly these",
        .checks("sjnetwork.pool.cancel-exact")
    )
    func cancelExact() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session { $0.defaultParameters = ["v": 1] }
        let (_, ends) = await running(
            [.post("a", ["k": 1]), .post("a", ["k": 2]), .put("a", ["k": 2]), .post("a")],
            fixture,
            session
        )
        #expect(session.pool.requests(url: "a", method: .post, parameters: ["k": 2]).count == 1)
        #expect(session.pool.cancel(url: "a", method: .post, parameters: ["k": 2]) == 1)
        #expect(await ends.first(1) == ["POST a {\"k\":2} cancelled"])
        fixture.origin.release(label: nil)
        #expect(await ends.first(4).count { $0.hasSuffix("succeeded") } == 3)
    }

    @Test("Cancelling by URL ends all of its requests", .checks("sjnetwork.pool.cancel-by-url"))
    func cancelURL() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session()
        let (_, ends) = await running([.get("a"), .post("a", ["k": 1]), .get("ab")], fixture, session)
        #expect(session.pool.requests(url: fixture.base + "/a").count == 2)
        #expect(session.pool.cancel(url: "a") == 2)
        #expect(Set(await ends.first(2)) == ["GET a {} cancelled", "POST a {\"k\":1} cancelled"])
        fixture.origin.release(label: nil)
        #expect(await ends.first(3).last == "GET ab {} succeeded")
    }

    @Test("Cancelling several URLs ends the requests of each", .checks("sjnetwork.pool.cancel-by-urls"))
    func cancelURLs() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session()
        let (_, ends) = await running([.get("a"), .get("b"), .post("b"), .get("c")], fixture, session)
        #expect(session.pool.cancel(urls: ["a", "b"]) == 3)
        #expect(await ends.first(3).allSatisfy { $0.hasSuffix("cancelled") })
        fixture.origin.release(label: nil)
        #expect(await ends.first(4).last == "GET c {} succeeded")
    }

    @Test("Cancelling all requests gives each caller one error", .checks("sjnetwork.pool.cancel-all"))
    func cancelAll() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let session = fixture.session { $0.maximumInFlight = 2 }
        let ends = Collector<Int>()
        for number in 1...5 {
            session.start(.get("\(number)")) {
                if case .failure(let error) = $0 { ends.add(error.code.rawValue) }
            }
        }
        await fixture.waitForParked(2)
        #expect(session.pool.cancelAll() == 5)
        #expect(await ends.first(5) == [-999, -999, -999, -999, -999])
        #expect(session.pool.count == 0)
        #expect(session.pool.cancelAll() == 0)
        #expect(fixture.hits == 2)
        let origin = fixture.origin
        await news.wait { origin.record().allSatisfy(\.isAborted) }
    }

    @Test(
        "A callback can query the running requests without a deadlock",
        .checks("afnetworking.session.tasks-sync-wait"),
        arguments: [true, false]
    )
    func askedFromCallback(onMainActor: Bool) async throws {
        let fixture = try FetchFixture(Route.each(("/a", [json("{}")]), ("/slow", [stalled(json("{}"))])))
        let executor = ThreadExecutor()
        let session = fixture.session { $0.callbacks = onMainActor ? .main : .serial(executor) }
        let slow = session.start(.get("slow"))
        await fixture.waitForParked(1)
        let counts = Collector<Int>()
        let task = session.start(.get("a")) { _ in counts.add(session.pool.requestsByKind.count) }
        _ = try await task.response()
        #expect(counts.elements == [1])
        fixture.origin.release(label: nil)
        _ = try await slow.response()
    }

    @Test(
        "The pool may be used concurrently, and each request receives its own content",
        .checks("afnetworking.session.map-by-task-id", "afnetworking.session.lock")
    )
    func manyAtOnce() async throws {
        let routes = (0..<50).map { Route(label: "\($0)", path: .exact("/\($0)"), answers: [json("\($0)")]) }
        let fixture = try FetchFixture(routes)
        let session = fixture.session { $0.maximumInFlight = 50 }
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    _ = session.pool.requests
                    return (try? await session.get("\(number)"))?.json != .integer(number)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        #expect(session.pool.count == 0)
    }

    @Test(
        "The pool's public interface can query and cancel, but not add or remove",
        .checks("sjnetwork.pool.query-and-cancel-only")
    )
    func interface() throws {
        let folder = FileFolder(packageFolder + "/Sources/Stack/Fetching/Pool")
        let source = String(decoding: try #require(try folder.read("RequestPool.swift")), as: UTF8.self)
        let names = source.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            guard words.first == "public", words.count > 2, words[1] == "func" || words[1] == "var" else {
                return nil
            }
            return words[2].prefix { $0.isLetter }
        }
        #expect(
            Set(names) == [
                "isBusy", "count", "requests", "requestsByKind", "descriptions", "cancel", "cancelAll",
            ]
        )
    }
}
