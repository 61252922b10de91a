import CacheClient
import Fetching
import HTTPTypes
import JSON
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Calls as types", .timeLimit(.minutes(5)))
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
        let stage = try FetchStage(
            Route.each(("/users/show", [json("{\"id\":7,\"name\":\"me\"}")]), ("/users/rename", [json("{}")]))
        )
        let session = stage.session(hasCache: true)
        #expect(try await session.send(GetUser(id: 7)) == User(id: 7, name: "me"))
        _ = try await session.send(Rename())
        #expect(try await session.send(Rename()).source == .applicationCache)
        #expect(stage.requestLines == ["GET /users/show?id=7", "POST /users/rename"])
        #expect(stage.requestBodies == ["", "name=new"])
        #expect(stage.lastFields("accept") == ["application/json"])
    }

    @Test("An answer that has not the shape fails the call, with the place")
    func shape() async throws {
        let stage = try FetchStage(json("{\"id\":\"7\",\"name\":\"me\"}"))
        do throws(FetchError) {
            _ = try await stage.session().send(GetUser(id: 7))
            Issue.record("it must fail")
        } catch {
            #expect(error.kind == .invalid)
            #expect(error.reason == "The answer is wrong: $.id is not an integer.")
            #expect(error.request?.path == "users/show")
        }
    }

    @Test("Content can be decoded into a type of the caller's, and what does not fit is said")
    func decoding() async throws {
        let stage = try FetchStage(json("{\"id\":7,\"name\":\"me\"}"))
        #expect(try await stage.session().send(.get("a"), as: User.self).name == "me")
        do throws(FetchError) {
            _ = try await stage.session().send(.get("a"), as: [User].self)
            Issue.record("it must fail")
        } catch {
            #expect(error.kind == .undecodable)
        }
    }
}
