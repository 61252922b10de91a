import Clocks
import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

@Suite("Control API: faults, held responses and the network", .timeLimit(.minutes(20)), .blocking)
struct ControlFaultTests {
    /// Waits until a release finds the expected number of held responses.
    private func release(_ server: ControlledServer, _ body: String = "{}") throws {
        while try server.ask("POST", "/release", body).text == "{\"released\":0}\n" {}
    }

    @Test("Faults affect requests, including those with prepared responses, until they are removed")
    func faults() throws {
        let server = try ControlledServer()
        #expect(try server.get("/get").status == 200)
        let set = try server.ask("PUT", "/faults", #"{"faults":["status=503@before-head"],"seed":7}"#)
        #expect(set.text == "{\"seed\":7,\"faults\":[\"status=503@before-head\"],\"decisions\":[]}\n")
        #expect(try server.get("/get").status == 503)
        #expect(try server.ask("DELETE", "/faults").status == 204)
        #expect(try server.get("/get").status == 200)
    }

    @Test("Faults that are replaced without a seed keep it")
    func keepsSeed() throws {
        let server = try ControlledServer()
        _ = try server.ask("PUT", "/faults", #"{"faults":"status=503@before-head","seed":7}"#)
        let set = try server.ask("PUT", "/faults", #"{"faults":[]}"#)
        #expect(set.text == "{\"seed\":7,\"faults\":[],\"decisions\":[]}\n")
    }

    @Test("The journal has the faults of a response, how its connection ended, and interim responses")
    func journal() throws {
        let server = try ControlledServer([
            Route(
                label: "early",
                path: .exact("/early"),
                answers: [
                    .text("x") {
                        $0.interim = [InterimAnswer(status: 103, fields: [FieldLine("Link", .text("</a>"))])]
                    }
                ]
            )
        ])
        #expect(try server.get("/early").status == 103)
        #expect(try server.ask("PUT", "/faults", #"{"faults":["reset@body:2"]}"#).status == 200)
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/get")
        _ = try? client.readToEnd()
        let journal = try server.ask("GET", "/journal").text
        #expect(journal.contains(#""interim":[{"status":103,"fields":[["Link","</a>"]]}]"#), "\(journal)")
        #expect(journal.contains(#""faults":["reset@body:2"]"#), "\(journal)")
        #expect(journal.contains(#""ending":"reset""#), "\(journal)")
    }

    @Test("The random decisions of a fault are reported")
    func decisions() throws {
        let server = try ControlledServer()
        let body = #"{"faults":"truncate@body:1..9","seed":3}"#
        #expect(try server.ask("PUT", "/faults", body).status == 200)
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/get", ["Connection: close", "Request-Label: one"])
        _ = try client.readToEnd()
        #expect(try server.ask("GET", "/faults").text.contains(#"serve\tone\t1 truncate@body\tbyte "#))
    }

    @Test("Connections are reset or refused, and accepted again when the fault is removed")
    func connections() throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", "/faults", #"{"faults":"close@accept"}"#).status == 200)
        #expect(try RawClient(port: server.server.port).readToEnd() == [])
        #expect(try server.ask("PUT", "/faults", #"{"faults":"refuse@accept for=10s"}"#).status == 200)
        #expect(throws: RawClient.Failure.self) { try server.get("/get") }
        #expect(try server.ask("POST", "/clock/advance", #"{"by":"10s"}"#).status == 200)
        #expect(try server.get("/get").status == 200)
        #expect(try server.ask("PUT", "/faults", #"{"faults":"refuse@accept"}"#).status == 200)
        #expect(throws: RawClient.Failure.self) { try server.get("/get") }
        #expect(try server.ask("DELETE", "/faults").status == 204)
        #expect(try server.get("/get").status == 200)
    }

    @Test(
        "A release or reset with other content than expected is refused, and changes nothing",
        arguments: [
            ("/release", #"{"lable":"a"}"#), ("/release", #"{"label":5}"#), ("/release", #"{"label":null}"#),
            ("/release", "[]"), ("/release", "5"), ("/release", "{"), ("/reset", #"{"keep":"routes"}"#),
            ("/reset", "[]"), ("/reset", "5"), ("/reset", "{"),
        ]
    )
    func oddContent(path: String, body: String) throws {
        let server = try ControlledServer([.get("/a", .plainText("x"))])
        _ = try server.get("/a")
        let answer = try server.ask("POST", path, body)
        #expect((400..<500).contains(answer.status), "\(answer.text)")
        #expect(answer.text.contains("body"))
        #expect(server.server.journal().count == 1)
    }

    @Test("A reset may have an empty object as content")
    func emptyContent() throws {
        let server = try ControlledServer()
        for body in ["", "{}"] { #expect(try server.ask("POST", "/reset", body).status == 204) }
    }

    @Test("A held response continues when it is released")
    func release() throws {
        let server = try ControlledServer([
            Route(label: "a", path: .exact("/a"), answers: [.text("late") { $0.hold = .body }])
        ])
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/a")
        _ = try client.read(through: "\r\n\r\n")
        #expect(try server.ask("POST", "/release", #"{"label":"b"}"#).text == "{\"released\":0}\n")
        #expect(try server.ask("POST", "/release", #"{"label":"a"}"#).text == "{\"released\":1}\n")
        #expect(try client.read(count: 4) == Array("late".utf8))
    }

    @Test(
        "A held connection, request or response continues when it is released",
        arguments: ["stall@accept", "stall@request-body:2", "stall@before-head", "stall@body:3"]
    )
    func releaseOfFault(fault: String) throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", "/faults", "{\"faults\":\"\(fault)\"}").status == 200)
        let client = try RawClient(port: server.server.port)
        try client.request("POST", "/post", ["Content-Type: text/plain"], body: "content")
        try release(server)
        #expect(try client.response().status == 200)
    }

    @Test("A network delays by the server's clock until it is removed")
    func network() async throws {
        let server = try ControlledServer()
        let body = #"{"network":{"name":"far","delay":"1s"}}"#
        #expect(
            try server.ask("PUT", "/network", body).text.hasPrefix(#"{"network":"far","profiles":["apple:"#)
        )
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/get")
        await server.clock.waitForSleeper()
        // A round trip for the connection and one for the request.
        #expect(server.clock.nextDeadline == .seconds(4))
        #expect(try server.ask("POST", "/clock/advance", #"{"by":"4s"}"#).status == 200)
        #expect(try client.response().status == 200)
        #expect(try server.ask("DELETE", "/network").status == 204)
        #expect(try server.get("/get").status == 200)
    }

    @Test(
        "A network throttles content of any size, including content produced while it is written",
        arguments: [60_000, 300_000]
    )
    func slow(size: Int) async throws {
        let server = try ControlledServer()
        let body = #"{"network":{"name":"narrow","down":"80kbit/s"}}"#
        #expect(try server.ask("PUT", "/network", body).status == 200)
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/get?size=\(size)&framing=length")
        // Each wait is for bytes that have not passed yet; the response's head is not counted.
        var time = Duration.zero
        while server.server.journal().last?.bytesSent == nil {
            guard let deadline = server.clock.nextDeadline else {
                await Task.yield()
                continue
            }
            let wait = deadline - server.clock.elapsed
            time += max(wait, .zero)
            server.clock.advance(by: max(wait, .zero))
        }
        #expect((Double(size) / 10_000...Double(size) / 10_000 + 0.1).contains(time.seconds))
    }

    @Test("Exchanges that a blocked network holds continue when another replaces it")
    func blockade() throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", "/network", #"{"network":"apple:100-loss"}"#).status == 200)
        let clients = try (0..<2).map { _ in try RawClient(port: server.server.port) }
        try clients[0].request("GET", "/get")
        try clients[1].request("POST", "/post", body: "content")
        let wait = #"{"path":"/get","count":1}"#
        #expect(try server.ask("POST", "/journal/wait", wait).text.hasSuffix("\"met\":true}\n"))
        #expect(try server.ask("PUT", "/network", #"{"network":"chrome:no-throttling"}"#).status == 200)
        for client in clients { #expect(try client.response().status == 200) }
    }

    @Test(
        "A reset restores routes, pages, faults, network and states, clears the journal and releases responses"
    )
    func reset() throws {
        let server = try ControlledServer([
            Route(label: "a", path: .exact("/a"), answers: [.text("old") { $0.hold = .body }])
        ])
        let stalled = try RawClient(port: server.server.port)
        try stalled.request("GET", "/a")
        _ = try stalled.read(through: "\r\n\r\n")
        for (path, body) in [
            ("/routes", "[]"), ("/pages", #"{"/get":{"status":"418"}}"#), ("/states", #"{"m":"s"}"#),
            ("/network", #"{"network":"apple:3g"}"#), ("/faults", #"{"faults":"reset@head"}"#),
        ] {
            #expect(try server.ask("PUT", path, body).status == 200, "\(path)")
        }
        #expect(try server.ask("POST", "/reset").status == 204)
        #expect(try stalled.read(count: 3) == Array("old".utf8))
        #expect(try server.ask("GET", "/journal").text == "{\"count\":0,\"exchanges\":[]}\n")
        #expect(try server.get("/get").status == 200)
        #expect(try server.ask("GET", "/routes").text.contains(#""label":"a""#))
        #expect(try server.ask("GET", "/states").text == "{}\n")
        #expect(try server.ask("GET", "/network").text.hasPrefix(#"{"network":null"#))
        #expect(try server.ask("GET", "/faults").text.contains(#""faults":[]"#))
    }

    @Test(
        "A response that the script delays ends with its connection at a reset, one that the network delays does not",
        arguments: [
            ("/faults", #"{"faults":"delay=1h@before-head"}"#, true),
            ("/faults", #"{"faults":"stall=forever@body:1"}"#, true),
            ("/faults", #"{"faults":"delay=1h@body:1"}"#, true),
            ("/network", #"{"network":{"name":"far","delay":"1h"}}"#, false),
        ]
    )
    func delayed(path: String, body: String, ends: Bool) throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", path, body).status == 200)
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/get")
        let namespace = server.server.handler.site
        while namespace.parked.isEmpty {}
        #expect(try server.ask("POST", "/reset").status == 204)
        #expect(namespace.parked.isEmpty == ends)
        if ends { _ = try client.readToEnd() }
    }

    @Test("A response that the script delays ends with its connection when its namespace ends")
    func delayedInNamespace() throws {
        let server = try ControlledServer()
        let opened = #"{"name":"n","routes":[{"path":"/a","answer":{"delay":"1h"}}]}"#
        #expect(try server.ask("POST", "/namespaces", opened).status == 201)
        let client = try RawClient(port: server.server.port)
        try client.request("GET", "/-/n/a")
        while server.server.handler.run("n")?.parked.isEmpty == true {}
        #expect(try server.ask("DELETE", "/namespaces/n").status == 204)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test("A clock that follows the machine's can be stopped, moved and continued")
    func hold() throws {
        let clock = MovableClock(following: VirtualClock(wallSeconds: ControlledServer.begin))
        let server = try MockServer.started(clock: clock)
        defer { server.stop() }
        let control = try server.startControl()
        func set(_ method: String, _ path: String, _ body: String) throws -> String {
            let client = try RawClient(port: control.port)
            try client.request(method, path, ["Authorization: Bearer \(control.token)"], body: body)
            return try client.response().text
        }
        #expect(try set("PUT", "/clock", #"{"running":false}"#).contains("\"running\":false"))
        #expect(!clock.isRunning)
        #expect(try set("POST", "/clock/advance", #"{"by":"90s"}"#).contains("00:01:30 GMT"))
        #expect(try set("PUT", "/clock", #"{"running":true}"#).contains("\"running\":true"))
        #expect(clock.isRunning)
    }
}
