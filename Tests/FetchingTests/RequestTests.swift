import CacheClient
import Fetching
import HTTPTypes
import MockOrigin
import OriginScript
import Testing

@Suite("Requests of a session", .timeLimit(.minutes(1)))
struct RequestTests {
    @Test(
        "Each of the four methods reaches the server, with its parameters where they belong",
        arguments: [
            (HTTPRequest.Method.get, "GET /a?k=v", ""), (.post, "POST /a", "k=v"), (.put, "PUT /a", "k=v"),
            (.delete, "DELETE /a?k=v", ""),
        ]
    )
    func methods(method: HTTPRequest.Method, line: String, body: String) async throws {
        let stage = try FetchStage(json("{}"))
        let response = try await stage.session().send(FetchRequest(method, "a", parameters: ["k": "v"]))
        #expect(response.status == 200)
        #expect(stage.requestLines == [line])
        #expect(stage.origin.record().map { String(decoding: $0.body, as: UTF8.self) } == [body])
    }

    @Test("GET puts parameters into the query and sends no content")
    func getParameters() async throws {
        let stage = try FetchStage(json("{}"))
        _ = try await stage.session().get("get", ["a": 1])
        let seen = try #require(stage.origin.record().first)
        #expect(seen.path + "?" + (seen.query ?? "") == "/get?a=1")
        #expect(seen.body.isEmpty)
    }

    @Test("A request is in the pool while it runs and gone afterwards")
    func pool() async throws {
        let stage = try FetchStage(stalled(json("{}")))
        let session = stage.session()
        let task = session.start(.get("a"))
        await stage.waitForParked(1)
        #expect(session.pool.count == 1)
        stage.origin.release(label: nil)
        _ = try await task.response()
        #expect(session.pool.count == 0)
    }
}
