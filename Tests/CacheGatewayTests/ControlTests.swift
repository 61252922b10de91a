import CacheGateway
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A gateway's control API", .timeLimit(.minutes(1)))
struct ControlTests {
    private let stage: GatewayStage
    private let control: ControlServer

    init() throws {
        stage = try GatewayStage(.fresh("x"))
        control = ControlServer(of: stage.gateway, port: 0, token: "secret")
        try control.start()
    }

    private func ask(_ method: String, _ target: String, token: String = "secret") throws -> RawResponse {
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

    @Test("Without the token there is nothing", arguments: ["", "Secret", "secret1"])
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
        #expect(try ask("POST", "/purge").status == 400)
    }
}
