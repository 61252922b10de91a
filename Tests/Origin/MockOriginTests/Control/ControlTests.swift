import Clocks
import ControlServing
import HTTPServing
import LocatedYAML
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A server with a control API, on a clock that only a test moves.
final class ControlledServer: Sendable {
    static let begin = 1_767_225_600.0
    let clock = VirtualClock(wallSeconds: begin)
    let server: MockServer
    let control: OriginControl

    init(_ routes: [Route] = [], serverClock: (VirtualClock) -> any TimeSource = { $0 }) throws {
        server = try MockServer.started(routes: routes, clock: serverClock(clock))
        control = try server.startControl()
    }

    deinit { server.stop() }

    /// Sends a request to the control API.
    func ask(
        _ method: String,
        _ path: String,
        _ body: String = "",
        token: String? = nil
    ) throws -> RawResponse {
        let client = try RawClient(port: control.port)
        try client.request(method, path, ["Authorization: Bearer \(token ?? control.token)"], body: body)
        return try client.response()
    }

    /// Sends a request to the origin.
    func get(_ target: String, _ lines: [String] = [], method: String = "GET", body: String = "") throws
        -> RawResponse
    {
        let client = try RawClient(port: server.port)
        try client.request(method, target, lines, body: body)
        return try client.response()
    }
}

@Suite("Control API", .timeLimit(.minutes(20)), .blocking)
struct ControlTests {
    @Test("A control API that is started while or after its server stops does not stay open")
    func stoppedMeanwhile() throws {
        let server = try MockServer.started()
        var configuration = ControlServer.Configuration()
        configuration.port = try OwnPort.next()
        server.stop()
        #expect(throws: ServerError.notStarted) { try server.startControl(configuration) }
        #expect(throws: (any Error).self) { try RawClient(port: configuration.port) }
        try server.start()
        let control = try server.startControl()
        let port = control.port
        #expect((try? RawClient(port: port)) != nil)
        server.stop()
        #expect(throws: (any Error).self) { try RawClient(port: port) }
    }

    @Test("A server that was stopped during an outage has no timer left")
    func stoppedOutage() throws {
        let clock = VirtualClock(wallSeconds: 0)
        let server = try MockServer.started(clock: clock)
        server.use(faults: FaultPlan(faults: try Fault.list(text: "refuse@accept from=10s for=5s every=20s")))
        clock.advance(by: .seconds(11))
        #expect(clock.nextDeadline == .seconds(15))
        server.stop()
        #expect(clock.nextDeadline == nil)
    }

    @Test("Without a token only /health, the description and the page's files are available")
    func tokens() throws {
        let server = try ControlledServer()
        for path in ["/routes", "/nothing", "/events", "/openapi.json/x"] {
            let client = try RawClient(port: server.control.port)
            try client.request("GET", path)
            #expect(try client.response().status == 401, "\(path)")
            #expect(try server.ask("GET", path, token: "wrong-token").status == 401, "\(path)")
        }
        let client = try RawClient(port: server.control.port)
        try client.request("GET", "/health")
        #expect(try client.response().text == "{\"status\":\"ok\"}\n")
        try client.request("GET", "/openapi.json")
        let description = try client.response()
        #expect(description.status == 200)
        #expect(description.text.contains(#""openapi":"3.1.0""#))
    }

    @Test("The description reveals nothing of the site, because it is public")
    func description() throws {
        let server = try ControlledServer([
            Route(label: "hidden", path: .exact("/hidden"), answers: [.text("x")])
        ])
        let text = try server.ask("GET", "/openapi.json", token: "").text
        #expect(!text.contains("hidden"))
        #expect(!text.contains(server.control.token))
    }

    @Test("Routes are added, listed with their counts, replaced and removed")
    func routes() throws {
        let server = try ControlledServer([Route(label: "old", path: .exact("/a"), answers: [.text("old")])])
        let added = try server.ask("POST", "/routes", #"{"label":"new","path":"/a","answer":{"body":"new"}}"#)
        #expect(added.status == 201)
        #expect(added.text == "{\"labels\":[\"new\"]}\n")
        #expect(try server.get("/a").text == "new")
        let list = try server.ask("GET", "/routes").text
        #expect(list.contains(#""label":"new","path":"/a","methods":[],"priority":0,"requests":1"#))
        #expect(list.contains(#""label":"old","path":"/a","methods":[],"priority":0,"requests":0"#))
        #expect(try server.ask("PUT", "/routes/new", #"{"path":"/a","answer":{"status":418}}"#).status == 200)
        #expect(try server.get("/a").status == 418)
        #expect(try server.ask("DELETE", "/routes/new").status == 204)
        #expect(try server.get("/a").text == "old")
        #expect(try server.ask("DELETE", "/routes/new").status == 404)
        #expect(try server.ask("PUT", "/routes", #"[{"path":"/b","answer":{"body":"b"}}]"#).status == 200)
        #expect(try server.get("/a").status == 404)
        #expect(try server.get("/b").text == "b")
        #expect(try server.ask("POST", "/reset").status == 204)
        #expect(try server.get("/a").text == "old")
    }

    @Test(
        "A reset that keeps routes restarts sequences and clears the journal, and a later one restores the loaded routes"
    )
    func resetKeepingRoutes() throws {
        let server = try ControlledServer([
            Route(label: "s", path: .exact("/s"), answers: [.text("1"), .text("2")])
        ])
        #expect(
            try server.ask("POST", "/routes", #"{"label":"new","path":"/a","answer":{"body":"new"}}"#).status
                == 201
        )
        #expect(try server.ask("PUT", "/pages", #"{"/get":{"status":"418"}}"#).status == 200)
        #expect(try server.get("/s").text == "1")
        #expect(try server.ask("POST", "/reset?keep=routes").status == 204)
        #expect(try server.ask("GET", "/journal").text.contains("\"exchanges\":[]"))
        #expect(try server.get("/s").text == "1")
        #expect(try server.get("/a").text == "new")
        #expect(try server.get("/get").status == 418)
        #expect(try server.ask("POST", "/reset?keep=states").status == 422)
        #expect(try server.ask("POST", "/reset").status == 204)
        #expect(try server.get("/a").status == 404)
        #expect(try server.get("/get").status == 200)
    }

    @Test("A change of another route does not affect a sequence")
    func sequences() throws {
        let server = try ControlledServer([
            Route(label: "s", path: .exact("/s"), answers: [.text("1"), .text("2"), .text("3")])
        ])
        #expect(try server.get("/s").text == "1")
        #expect(try server.ask("POST", "/routes", #"{"path":"/x","answer":{}}"#).status == 201)
        #expect(try server.get("/s").text == "2")
    }

    @Test(
        "Invalid input is refused with its position, and nothing is changed",
        arguments: [
            ("POST", "/routes", #"{"path":"/a","anser":{}}"#, #""place":"body:1:14","found":"unknown key"#),
            (
                "POST", "/routes", #"{"label":"a","path":"/a","answer":{}}"#,
                "label \\\"a\\\" of another route"
            ),
            ("POST", "/routes", "{", #""place":"body:1:2""#),
            ("PUT", "/states", #"{"m":[]}"#, #""expected":"text in quotes""#),
            ("PUT", "/states", #"{"m":1}"#, #""place":"body:1:6","found":"\"1\"","expected":"text in"#),
            ("POST", "/namespaces", #"{"name":1}"#, #""place":"body:1:9","found":"\"1\"","expected":"#),
            ("POST", "/namespaces", #"{"states":{"m":true}}"#, #""place":"body:1:16""#),
            ("POST", "/journal/search", #"{"route":1}"#, #""place":"body:1:10""#),
            ("PUT", "/faults", #"{"faults":"reset@bdy"}"#, #""place":"body:1:11""#),
            ("PUT", "/network", #"{"network":"apple:4g"}"#, #""expected":"\"apple:3g\" or \"wpt:4g\""#),
            ("PUT", "/pages", #"{"/get":{"etag":"v1"}}"#, "an entity tag ("),
            ("POST", "/journal/search", #"{"count":1}"#, #"unknown key \"count\" in a selection of"#),
            ("POST", "/clock/advance", #"{"by":"soon"}"#, #""expected":"a duration such as"#),
            ("POST", "/clock/advance", "", #"a move of the clock without \"by\""#),
            ("POST", "/journal/wait", #"{"count":-1}"#, #""expected":"a whole number, at least 0""#),
            ("POST", "/namespaces", #"{"name":"a/b"}"#, #""expected":"1 to 64 letters"#),
            (
                "POST", "/namespaces", #"{"faults":"stall@accept"}"#,
                #""expected":"a fault of a request or an answer;"#
            ),
            ("PUT", "/states", "[]", #""expected":"a map of machines to states""#),
            ("PUT", "/pages", "[]", #""expected":"a map of pages to their settings""#),
            ("PUT", "/routes/a", #"{"label":"b","path":"/b","answer":{}}"#, #""expected":"\"a\", or none""#),
            ("PUT", "/routes/a", #"{"path":"/b","answr":{}}"#, #""found":"unknown key"#),
            ("GET", "/events?since=x", "", #""place":"query:1:1""#),
            ("GET", "/routes?limit=1", "", #""found":"parameter \"limit\"""#),
        ]
    )
    func refusals(method: String, path: String, body: String, part: String) throws {
        let server = try ControlledServer([Route(label: "a", path: .exact("/a"), answers: [.text("a")])])
        let answer = try server.ask(method, path, body)
        #expect(answer.status == 422)
        #expect(answer.text.contains(part), "\(answer.text)")
        #expect(try server.get("/a").text == "a")
        #expect(try server.get("/b").status == 404)
    }

    @Test("A method that a path does not have is 405, an unknown path 404, large content 413")
    func statuses() throws {
        let server = try ControlledServer()
        #expect(try server.ask("PATCH", "/routes").status == 405)
        #expect(try server.ask("GET", "/rutes").status == 404)
        let client = try RawClient(port: server.control.port)
        let lines = ["Authorization: Bearer \(server.control.token)", "Content-Length: 5000000"]
        try client.request("POST", "/routes", lines)
        let answer = try client.response()
        #expect(answer.status == 413)
        #expect(answer.text.hasPrefix("{\"error\":"))
    }

    @Test(
        "A namespace has a name of 1 to 64 letters, digits, dashes and underscores, and expires within 1s to 24h",
        arguments: [
            ("a", "1s", true), ("a-_9Zz0A", "24h", true), (String(repeating: "x", count: 64), "1h", true),
            (String(repeating: "x", count: 65), "1h", false), ("", "1h", false), ("a.b", "1h", false),
            ("a@", "1h", false), ("[", "1h", false), ("`", "1h", false), ("{", "1h", false),
            (":", "1h", false), ("é", "1h", false), ("a", "999ms", false), ("a", "86401s", false),
        ]
    )
    func namespaces(name: String, lifetime: String, isAccepted: Bool) throws {
        let server = try ControlledServer()
        let answer = try server.ask(
            "POST",
            "/namespaces",
            #"{"name":"\#(name)","expires-after":"\#(lifetime)"}"#
        )
        #expect(answer.status == (isAccepted ? 201 : 422), "\(answer.text)")
        #expect(
            try server.ask("DELETE", "/namespaces/\(isAccepted ? name : "none")").status
                == (isAccepted ? 204 : 404)
        )
    }

    @Test("The clock is moved, and due events happen")
    func clock() throws {
        let server = try ControlledServer()
        let added = #"{"path":"/later","after":"60s","answer":{"body":"now"}}"#
        #expect(try server.ask("POST", "/routes", added).status == 201)
        #expect(try server.get("/later").status == 404)
        let moved = try server.ask("POST", "/clock/advance", #"{"by":"61s"}"#)
        #expect(moved.text.hasPrefix(#"{"now":"Thu, 01 Jan 2026 00:01:01 GMT","seconds":1767225661,"#))
        #expect(try server.get("/later").text == "now")
        #expect(try server.ask("PUT", "/clock", #"{"running":false}"#).status == 409)
    }

    @Test("The state of a machine is set")
    func states() throws {
        let server = try ControlledServer()
        let added = #"{"path":"/a","when":{"session":"open"},"answer":{"body":"yours"}}"#
        #expect(try server.ask("POST", "/routes", added).status == 201)
        let missed = try server.get("/a")
        #expect(missed.status == 404)
        #expect(missed.text.contains("1: state of session is start, expected open"))
        #expect(try server.ask("PUT", "/states", #"{"session":"open"}"#).text == "{\"session\":\"open\"}\n")
        #expect(try server.get("/a").text == "yours")
    }

    @Test("An unmatched request gets its near misses with the differences")
    func nearest() throws {
        let server = try ControlledServer()
        let added = #"""
            [{"label":"order","path":"/orders/{id}","method":"POST","fields":{"X-Key":"1"},"answer":{}},
             {"label":"far","path":"/x/y/z","answer":{}}]
            """#
        #expect(try server.ask("POST", "/routes", added).status == 201)
        let missed = try server.get("/orders/7", ["X-Key: 2"])
        #expect(missed.status == 405)
        #expect(
            missed.text.contains(
                "  order: method is GET, expected POST; field X-Key is \"2\", expected \"1\"\n  far: path is "
            )
        )
    }

    @Test(
        "Routes without labels get the next free numbers, and routes are listed in the order in which they match"
    )
    func order() throws {
        let server = try ControlledServer([Route(label: "2", path: .exact("/a"), answers: [.text("old")])])
        let added = #"""
            [{"path":"/a","answer":{}},{"path":"/b","priority":5,"answer":{}},{"path":"/c","priority":-1,"answer":{}}]
            """#
        #expect(try server.ask("POST", "/routes", added).text == "{\"labels\":[\"1\",\"3\",\"4\"]}\n")
        let list = try server.ask("GET", "/routes").text
        let labels = list.split(separator: "\"label\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(labels == ["3", "1", "2", "4"])
        #expect(try server.ask("GET", "/routes/3").text.contains(#""path":"/b""#))
        #expect(try server.ask("GET", "/routes/9").status == 404)
        #expect(try server.ask("PUT", "/routes/9", #"{"path":"/b","answer":{}}"#).status == 404)
    }
}
