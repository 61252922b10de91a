import CacheClient
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Sequences and batches", .timeLimit(.minutes(20)))
struct SequenceTests {
    @Test(
        "A request built from a response is sent after it, with its value",
        .checks("ytknetwork.chain")
    )
    func sequence() async throws {
        let fixture = try FetchFixture(
            Route.each(("/login", [json("{\"token\":\"t1\"}")]), ("/items", [json("[1,2]")]))
        )
        let sequence = FetchSequence(fixture.session()) {
            FetchRequest.post("login", ["user": "me"])
            FetchSequence.Then { done in .get("items", ["token": done[0].json?["token"] ?? .null]) }
        }
        let responses = try await sequence.run()
        #expect(responses.map(\.json) == [["token": "t1"], [1, 2]])
        #expect(fixture.requestLines == ["POST /login", "GET /items?token=t1"])
    }

    @Test("A failure ends the sequence with one error, and nothing more is sent", .checks("ytknetwork.chain"))
    func sequenceFails() async throws {
        let fixture = try FetchFixture(
            Route.each(("/a", [json("{}")]), ("/b", [json("{}") { $0.status = 500 }]), ("/c", [json("{}")]))
        )
        let outcomes = Collector<Result<[FetchResponse], FetchError>>()
        let task = FetchSequence(
            fixture.session(),
            requests: ["a", "b", "c"].map { .get($0) }
        ).start { outcomes.add($0) }
        await task.wait()
        let outcome = try #require(outcomes.elements.first)
        #expect(throws: FetchError.self) { try outcome.get() }
        #expect(outcomes.elements.count == 1)
        #expect(fixture.requestLines == ["GET /a", "GET /b"])
    }

    @Test("Cancelling a sequence cancels the running request and sends nothing more")
    func sequenceCancelled() async throws {
        let fixture = try FetchFixture(stalled(json("{}")))
        let outcomes = Collector<FetchError.Kind?>()
        let task = FetchSequence(fixture.session()) {
            FetchRequest.get("a")
            FetchRequest.get("b")
        }.start { result in
            if case .failure(let error) = result { outcomes.add(error.kind) } else { outcomes.add(nil) }
        }
        await fixture.waitForParked(1)
        task.cancel()
        await task.wait()
        #expect(outcomes.elements == [.cancelled])
        #expect(fixture.hits == 1)
    }

    @Test("A batch ends once, with all responses in the order of its members", .checks("ytknetwork.batch"))
    func batch() async throws {
        let fixture = try FetchFixture(
            Route.each(("/a", [stalled(json("1"))]), ("/b", [stalled(json("2"))]), ("/c", [json("3")]))
        )
        let outcomes = Collector<[JSONValue?]>()
        let task = FetchBatch(fixture.session(), requests: [.get("a"), .get("b"), .get("c")]).start {
            result in
            outcomes.add((try? result.get())?.map(\.json) ?? [])
        }
        await fixture.waitForParked(2)
        #expect(outcomes.elements.isEmpty)
        fixture.origin.release(label: "/b")
        fixture.origin.release(label: "/a")
        await task.wait()
        #expect(outcomes.elements == [[1, 2, 3]])
    }

    @Test("The first failure fails the batch and cancels the rest", .checks("ytknetwork.batch"))
    func batchFails() async throws {
        let fixture = try FetchFixture(
            Route.each(
                ("/a", [stalled(json("1"))]),
                ("/b", [json("2") { $0.status = 503 }]),
                ("/c", [stalled(json("3"))])
            )
        )
        let session = fixture.session()
        let batch = FetchBatch(session) {
            FetchRequest.get("a")
            FetchRequest.get("c")
            FetchBatch.Member("late", after: "1") { _ in .get("d") }
            FetchRequest.get("b")
        }
        do throws(FetchError) {
            _ = try await batch.run()
            Issue.record("the batch must fail")
        } catch {
            #expect(error.status == 503)
        }
        #expect(session.pool.count == 0)
        #expect(!fixture.requestLines.contains("GET /d"))
    }

    @Test(
        "A batch that continues after a failure has the other responses, and fails those that depend on the failed one"
    )
    func restFinishes() async throws {
        let fixture = try FetchFixture(Route.each(("/a", [json("1")]), ("/c", [json("3")])))
        let batch = FetchBatch(fixture.session(), .continueRemaining) {
            FetchBatch.Member("missing", .get("b"))
            FetchBatch.Member("needs it", after: "missing") { _ in .get("d") }
            FetchRequest.get("a")
            FetchRequest.get("c")
        }
        let results = try await batch.results()
        #expect(results.map { try? $0.get().json } == [nil, nil, 1, 3])
        guard case .failure(let error) = results[1] else { throw FetchError(.invalid, "It must fail.") }
        #expect(error.kind == .dependencyFailed)
        #expect(Set(fixture.requestLines) == ["GET /a", "GET /b", "GET /c"])
    }

    @Test("A member of a batch is built from the responses of its dependencies")
    func dependencies() async throws {
        let fixture = try FetchFixture(
            Route.each(("/user", [json("{\"id\":7}")]), ("/mail", [json("[]")]), ("/news", [json("[]")]))
        )
        _ = try await FetchBatch(fixture.session()) {
            FetchBatch.Member("mail", after: "user") { done in
                .get("mail", ["id": done["user"]?.json?["id"] ?? .null])
            }
            FetchBatch.Member("user", .get("user"))
            FetchRequest.get("news")
        }.run()
        #expect(Set(fixture.requestLines) == ["GET /user", "GET /mail?id=7", "GET /news"])
    }

    @Test("A batch with circular or missing dependencies sends nothing")
    func circles() async throws {
        let fixture = try FetchFixture(json("1"))
        let circle = FetchBatch(fixture.session()) {
            FetchBatch.Member("a", after: "b") { _ in .get("a") }
            FetchBatch.Member("b", after: "a") { _ in .get("b") }
            FetchRequest.get("c")
        }
        let stranger = FetchBatch(fixture.session()) { FetchBatch.Member("a", after: "x") { _ in .get("a") } }
        let twins = FetchBatch(fixture.session()) {
            FetchBatch.Member("a", .get("a"))
            FetchBatch.Member("a", .get("b"))
        }
        for batch in [circle, stranger, twins] {
            await #expect(throws: FetchError.self) { try await batch.run() }
        }
        #expect(fixture.hits == 0)
    }
}
