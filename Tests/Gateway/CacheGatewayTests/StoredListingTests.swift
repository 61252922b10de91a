import CacheGateway
import CacheStorage
import Clocks
import ControlServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A gateway and its control API on a clock that can be moved.
private struct MovableGateway {
    let fixture: GatewayFixture
    let control: GatewayControl

    init(_ answers: Answer..., clock: any TimeSource = MovableClock(following: SystemClock())) throws {
        let routes = answers.enumerated().map { number, answer in
            Route(label: "\(number)", path: .exact("/\(number + 1)"), answers: [answer])
        }
        fixture = try GatewayFixture(routes, clock: clock)
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken("a-secret"))
        control = GatewayControl(of: fixture.gateway, configuration)
        try control.start()
    }

    func ask(_ method: String, _ target: String, body: String = "") throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request(method, target, ["Authorization: Bearer a-secret"], body: body)
        return try client.response()
    }
}

@Suite("What a gateway has stored, and its clock", .timeLimit(.minutes(20)), .blocking)
struct StoredListingTests {
    private func personal() -> Answer {
        .fresh("two") {
            $0.fields = [
                FieldLine("Cache-Control", .text("public, max-age=3600, stale-while-revalidate=30")),
                FieldLine("Vary", .text("Cookie")), FieldLine("Set-Cookie", .text("id=secret")),
            ]
        }
    }

    @Test("Stored responses are listed with age and lifetime, those used most recently first")
    func listing() throws {
        let gateway = try MovableGateway(.fresh("one"), personal())
        for path in ["/1", "/2", "/1"] { _ = try gateway.fixture.ask("GET", path) }
        _ = try gateway.ask("PUT", "/clock", body: #"{"running": false}"#)
        _ = try gateway.ask("POST", "/clock/advance", body: #"{"by": "61s"}"#)
        let text = try gateway.ask("GET", "/stored").text
        let entries = text.split(separator: #"{"status":"#).dropFirst()
        #expect(entries.count == 2)
        #expect(entries.first?.contains(gateway.fixture.target("/1")) == true)
        #expect(entries.first?.contains(#""lifetime":60,"source":"max-age""#) == true)
        #expect(entries.last?.contains(#""lifetime":3600,"#) == true)
        #expect(entries.last?.contains(#""staleWhileRevalidate":30,"#) == true)
        #expect(text.contains(#""running":false,"movable":true"#))
        #expect(try gateway.ask("GET", "/stored?limit=1").text.contains(#""stored":2,"#))
    }

    @Test("A response that was advanced past its lifetime is fetched again, without waiting")
    func advance() throws {
        let gateway = try MovableGateway(.fresh("one"))
        _ = try gateway.fixture.ask()
        #expect(try gateway.fixture.ask()["Cache-Status"]?.contains("hit") == true)
        #expect(try gateway.ask("POST", "/clock/advance", body: #"{"by": "61s"}"#).status == 200)
        #expect(try gateway.fixture.ask()["Cache-Status"]?.contains("fwd=stale") == true)
    }

    @Test("Credentials in stored fields are hidden")
    func credentials() throws {
        let gateway = try MovableGateway(.fresh("one"), personal())
        _ = try gateway.fixture.ask("GET", "/2", ["Cookie: user=secret"])
        let text = try gateway.ask("GET", "/stored").text
        #expect(text.contains("/2") && text.contains("(hidden)"))
        #expect(!text.contains("secret"))
    }

    @Test("The system's clock is neither advanced nor stopped, and the response says how it could be")
    func systemClock() throws {
        let gateway = try MovableGateway(.fresh("one"), clock: SystemClock())
        for (method, path, body) in [
            ("POST", "/clock/advance", #"{"by": "61s"}"#), ("PUT", "/clock", #"{"running": false}"#),
        ] {
            let answer = try gateway.ask(method, path, body: body)
            #expect(answer.status == 409)
            #expect(answer.text.contains("--movable-clock"))
        }
        #expect(try gateway.ask("GET", "/clock").text.contains(#""running":true,"movable":false"#))
    }

    @Test("A limit that is not a number, or too large, is rejected", arguments: ["x", "-1", "10001"])
    func badLimit(most: String) throws {
        let gateway = try MovableGateway(.fresh("one"))
        #expect(try gateway.ask("GET", "/stored?limit=\(most)").status == 422)
    }

    @Test("A store on disk is listed after a restart, and a response in both tiers once")
    func disk() throws {
        let folder = try TestFolder()
        for round in 1...2 {
            let fixture = try GatewayFixture(
                [Route(label: "1", answers: [.fresh("one")])],
                store: .init(directory: folder.path)
            )
            if round == 1 { _ = try fixture.ask() }
            let control = GatewayControl(of: fixture.gateway, ControlServer.Configuration())
            try control.start()
            let client = try RawClient(port: control.port)
            try client.request("GET", "/stored", ["Authorization: Bearer \(control.token)"])
            #expect(try client.response().text.split(separator: #""url":"#).count == 2)
        }
    }
}
