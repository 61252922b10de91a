import CacheGateway
import ControlServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A gateway's control API", .timeLimit(.minutes(5)))
struct ControlTests {
    private let stage: GatewayStage
    private let control: GatewayControl

    init() throws {
        stage = try GatewayStage(.fresh("x"))
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken("a-secret"))
        control = GatewayControl(of: stage.gateway, configuration)
        try control.start()
    }

    private func ask(_ method: String, _ target: String, token: String = "a-secret") throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request(method, target, ["Authorization: Bearer \(token)"])
        return try client.response()
    }

    private func url(_ path: String) -> String {
        "http://127.0.0.1:\(stage.server.port)\(stage.target(path))"
    }

    @Test("Metrics count requests, hits, misses and bytes")
    func metrics() throws {
        for _ in 1...3 { _ = try stage.ask() }
        let text = try ask("GET", "/metrics").text
        #expect(
            text.hasPrefix(
                #"{"requests":3,"hits":2,"misses":1,"validations":0,"stale":0,"errors":0,"bytes":3,"#
            )
        )
        #expect(text.contains(#""entries":1,"#))
    }

    @Test("Without the token there is nothing", arguments: ["", "A-secret", "a-secret1"])
    func token(token: String) throws {
        #expect(try ask("POST", "/purge?all", token: token).status == 401)
    }

    @Test("One URL, all that begin alike, or everything is purged")
    func purge() throws {
        for path in ["/a/1", "/a/2", "/b/1"] { _ = try stage.ask("GET", path) }
        #expect(try ask("POST", "/purge?url=\(url("/a/1"))").text == "{\"purged\":1}\n")
        #expect(stage.gateway.entryCount == 2)
        #expect(try ask("POST", "/purge?prefix=\(url("/a"))").text == "{\"purged\":1}\n")
        #expect(stage.gateway.entryCount == 1)
        #expect(try ask("POST", "/purge?all").text == "{\"purged\":1}\n")
        #expect(stage.gateway.entryCount == 0)
        #expect(try ask("GET", "/purge?all").status == 405)
    }

    @Test(
        "A purge of nothing, of two things or of something unknown is refused, and nothing is removed",
        arguments: ["", "?url=", "?url=http://a/&all", "?everything", "?url=%zz"]
    )
    func badPurge(query: String) throws {
        _ = try stage.ask()
        #expect(try ask("POST", "/purge" + query).status == 422)
        #expect(stage.gateway.entryCount == 1)
    }

    @Test("A URL is purged by its escapes")
    func escaped() throws {
        _ = try stage.ask("GET", "/a?b=1%2B2")
        let target = "\(url("/a"))?b=1%2B2".replacing("%", with: "%25").replacing("?", with: "%3F")
        #expect(try ask("POST", "/purge?url=\(target)").text == "{\"purged\":1}\n")
    }

    @Test("The API describes itself to who has the token, and tells its health to everybody")
    func document() throws {
        #expect(try ask("GET", "/openapi.json").text.contains(#""/purge":{"post":"#))
        #expect(try ask("GET", "/openapi.json", token: "").status == 200)
        #expect(try ask("GET", "/health", token: "").status == 200)
    }
}
