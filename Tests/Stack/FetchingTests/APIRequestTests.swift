import CacheClient
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Calls as types", .timeLimit(.minutes(20)))
struct APIRequestTests {
    private struct User: Decodable, Sendable, Hashable {
        var id: Int
        var name: String
    }

    private struct GetUser: APIRequest {
        typealias Output = User
        var id: Int
        let path = "users/show"
        var parameters: Parameters { ["id": .integer(id)] }
        let shape = JSONShape.object(["id": .integer, "name": .string])
    }

    private struct Rename: APIRequest {
        typealias Output = FetchResponse
        let path = "users/rename"
        let method = HTTPRequest.Method.post
        let parameters: Parameters = ["name": "new"]
        let fields: HTTPFields = [.accept: "application/json"]
        let timeout: Duration? = .seconds(3)
        let loadsCache = true
        let cacheDuration = Duration.seconds(60)
    }

    @Test(
        "A call is a type, and the server sees exactly its path, method and parameters",
        .checks("ytknetwork.class-per-api", "ytknetwork.on-af")
    )
    func calls() async throws {
        let fixture = try FetchFixture(
            Route.each(("/users/show", [json("{\"id\":7,\"name\":\"me\"}")]), ("/users/rename", [json("{}")]))
        )
        let session = fixture.session(hasCache: true)
        #expect(try await session.send(GetUser(id: 7)) == User(id: 7, name: "me"))
        _ = try await session.send(Rename())
        #expect(try await session.send(Rename()).source == .applicationCache)
        #expect(fixture.requestLines == ["GET /users/show?id=7", "POST /users/rename"])
        #expect(fixture.requestBodies == ["", "name=new"])
        #expect(fixture.lastFields("accept") == ["application/json"])
    }

    @Test("A response that does not match the shape fails the call, with the path")
    func shape() async throws {
        let fixture = try FetchFixture(json("{\"id\":\"7\",\"name\":\"me\"}"))
        do throws(FetchError) {
            _ = try await fixture.session().send(GetUser(id: 7))
            Issue.record("it must fail")
        } catch {
            #expect(error.kind == .invalid)
            #expect(error.reason == "The response does not match the expected shape: $.id is not an integer.")
            #expect(error.request?.path == "users/show")
        }
    }

    @Test("Content can be decoded into the caller's type, and a mismatch is reported")
    func decoding() async throws {
        let fixture = try FetchFixture(json("{\"id\":7,\"name\":\"me\"}"))
        #expect(try await fixture.session().send(.get("a"), as: User.self).name == "me")
        do throws(FetchError) {
            _ = try await fixture.session().send(.get("a"), as: [User].self)
            Issue.record("it must fail")
        } catch {
            #expect(error.kind == .undecodable)
        }
    }
}
