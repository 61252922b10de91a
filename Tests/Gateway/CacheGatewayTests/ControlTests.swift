import CacheGateway
import Clocks
import ControlServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("A gateway's control API", .timeLimit(.minutes(20)), .blocking)
struct ControlTests {
    private let fixture: GatewayFixture
    private let control: GatewayControl

    init() throws {
        fixture = try GatewayFixture(.fresh("x"))
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken("a-secret"))
        control = GatewayControl(of: fixture.gateway, configuration)
        try control.start()
    }

    private func ask(
        _ method: String,
        _ target: String,
        token: String = "a-secret",
        accept: String = "*/*"
    ) throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request(method, target, ["Authorization: Bearer \(token)", "Accept: \(accept)"])
        return try client.response()
    }

    private func url(_ path: String) -> String {
        "http://127.0.0.1:\(fixture.server.port ?? 0)\(fixture.target(path))"
    }

    @Test("Metrics count requests, hits, misses and bytes")
    func metrics() throws {
        for _ in 1...3 { _ = try fixture.ask() }
        let text = try ask("GET", "/metrics").text
        #expect(
            text.hasPrefix(
                #"{"requests":3,"hits":2,"misses":1,"validations":0,"stale":0,"errors":0,"bytes":3,"#
            )
        )
        #expect(text.contains(#""entries":1,"#))
    }

    @Test(
        "Prometheus gets its text format, by Accept or by the query",
        arguments: [
            Format(accept: "*/*", query: "?format=prometheus"),
            Format(accept: "text/plain;version=0.0.4", query: ""),
            Format(
                accept:
                    "application/openmetrics-text;version=1.0.0;q=0.5, text/plain;version=0.0.4;q=0.3, */*;q=0.1",
                query: ""
            ),
        ]
    )
    func exposition(format: Format) throws {
        for _ in 1...3 { _ = try fixture.ask() }
        let answer = try ask("GET", "/metrics" + format.query, accept: format.accept)
        #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        let hits = """
            # HELP cachecheck_gateway_hits_total Requests answered from the store without contacting the origin.
            # TYPE cachecheck_gateway_hits_total counter
            cachecheck_gateway_hits_total 2

            """
        #expect(answer.text.contains(hits))
        #expect(answer.text.contains("# TYPE cachecheck_gateway_memory_tier_bytes gauge\n"))
        #expect(answer.text.contains("\ncachecheck_gateway_sent_content_bytes_total 3\n"))
        // Each metric has three lines, each with a line end.
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3 * 12 + 1)
        #expect(lines.last == "")
    }

    @Test(
        "A request without Accept, or for JSON, gets JSON",
        arguments: [
            Format(accept: "*/*", query: ""), Format(accept: "application/json", query: ""),
            Format(accept: "application/json, text/plain", query: ""),
            Format(accept: "text/plain", query: "?format=json"),
        ]
    )
    func json(format: Format) throws {
        let answer = try ask("GET", "/metrics" + format.query, accept: format.accept)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer.text.hasPrefix(#"{"requests":0,"#))
    }

    @Test("An unknown format is refused")
    func unknownFormat() throws {
        #expect(try ask("GET", "/metrics?format=xml").status == 422)
    }

    @Test("A caller of the API with an incomplete head gets a 408")
    func slowHead() throws {
        let clock = VirtualClock(wallSeconds: 0)
        let control = GatewayControl(of: fixture.gateway, ControlServer.Configuration(), clock: clock)
        try control.start()
        defer { control.stop() }
        let slow = try RawClient(port: control.port)
        try slow.send("GET /metrics HTTP/1.1\r\n")
        for _ in 0..<8 {
            // A response to another request shows that the server has checked its connections.
            let other = try RawClient(port: control.port)
            try other.request("GET", "/health")
            #expect(try other.response().status == 200)
            clock.advance(by: .seconds(5))
        }
        #expect(try slow.response().status == 408)
    }

    @Test("Without the token all requests are refused", arguments: ["", "A-secret", "a-secret1"])
    func token(token: String) throws {
        #expect(try ask("POST", "/purge?all", token: token).status == 401)
    }

    @Test("One URL, all URLs with a prefix, or everything is purged")
    func purge() throws {
        for path in ["/a/1", "/a/2", "/b/1"] { _ = try fixture.ask("GET", path) }
        #expect(try ask("POST", "/purge?url=\(url("/a/1"))").text == "{\"purged\":1}\n")
        #expect(fixture.gateway.entryCount == 2)
        #expect(try ask("POST", "/purge?prefix=\(url("/a"))").text == "{\"purged\":1}\n")
        #expect(fixture.gateway.entryCount == 1)
        #expect(try ask("POST", "/purge?all").text == "{\"purged\":1}\n")
        #expect(fixture.gateway.entryCount == 0)
        #expect(try ask("GET", "/purge?all").status == 405)
    }

    @Test(
        "A purge of nothing, of two things or of something unknown is refused, and nothing is removed",
        arguments: ["", "?url=", "?url=http://a/&all", "?everything", "?url=%zz"]
    )
    func badPurge(query: String) throws {
        _ = try fixture.ask()
        #expect(try ask("POST", "/purge" + query).status == 422)
        #expect(fixture.gateway.entryCount == 1)
    }

    @Test(
        "A URL that is relative or malformed is refused with what was expected, and nothing is removed",
        arguments: ["/a", "a.example", "ftp://a.example/", "http://", "http://[::", "http://a.example:x/"]
    )
    func malformedPurge(url: String) throws {
        _ = try fixture.ask()
        let answer = try ask("POST", "/purge?url=\(url)")
        #expect(answer.status == 400)
        #expect(answer.text.contains("found url=\(url), expected one such as http://host/path"))
        #expect(fixture.gateway.entryCount == 1)
    }

    @Test("A URL is purged by its percent-encoded form")
    func escaped() throws {
        _ = try fixture.ask("GET", "/a?b=1%2B2")
        let target = "\(url("/a"))?b=1%2B2".replacing("%", with: "%25").replacing("?", with: "%3F")
        #expect(try ask("POST", "/purge?url=\(target)").text == "{\"purged\":1}\n")
    }

    @Test("The API describes itself with the token, and reports its health without")
    func document() throws {
        #expect(try ask("GET", "/openapi.json").text.contains(#""/purge":{"post":"#))
        #expect(try ask("GET", "/openapi.json", token: "").status == 200)
        #expect(try ask("GET", "/health", token: "").status == 200)
    }
}

/// A way to request a format of the metrics.
struct Format: CustomTestStringConvertible, Sendable {
    let accept: String
    let query: String

    var testDescription: String { "\(accept) \(query)" }
}
