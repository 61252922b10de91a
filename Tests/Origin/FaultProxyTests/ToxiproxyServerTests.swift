import Clocks
import Locks
import TestSupport
import Testing

@testable import FaultProxy

@Suite("The Toxiproxy API, api.go of Toxiproxy 2.12", .blocking)
struct ToxiproxyServerTests {
    private let clock = VirtualClock(wallSeconds: 0)
    private let origin: ScriptedServer
    private let server: ToxiproxyServer

    init() throws {
        origin = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
            }
        }
        var configuration = ToxiproxyServer.Configuration()
        configuration.port = nil
        server = ToxiproxyServer(configuration, clock: clock)
        try server.start()
    }

    private func end() {
        server.stop()
        origin.stop()
    }

    private func ask(_ method: String, _ path: String, _ body: String = "", agent: String = "test") throws
        -> RawResponse
    {
        let client = try RawClient(port: server.port)
        try client.request(method, path, ["User-Agent: \(agent)"], body: body)
        return try client.response()
    }

    /// Creates a proxy in front of the origin and returns its port.
    private func create(_ name: String = "p", port: Int = 0) throws -> Int {
        let body =
            #"{"name":"\#(name)","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:\#(origin.port)"}"#
        let answer = try ask("POST", "/proxies", body)
        #expect(answer.status == 201)
        return try self.port(answer.text)
    }

    private func port(_ json: String) throws -> Int {
        let parts = json.split(separator: #""listen":"127.0.0.1:"#, omittingEmptySubsequences: false)
        return try #require(Int(parts[parts.count - 1].prefix { $0.isNumber }))
    }

    private func add(_ toxic: String) throws {
        #expect(try ask("POST", "/proxies/p/toxics", toxic).status == 200)
    }

    @Test(
        "A request that a page of another site may have made is refused",
        arguments: [
            ("Host: evil.example:8474", 403), ("Host: localhost.evil.example", 403),
            ("Host: LOCALHOST:8474", 200),
            ("Host: 127.0.0.1:8474", 200), ("Host: [::1]:8474", 200), ("Host: app.localhost", 200),
            ("Host: localhost\r\nOrigin: http://evil.example", 403), ("Host: localhost\r\nOrigin: null", 403),
        ]
    )
    func foreign(lines: String, status: Int) throws {
        defer { end() }
        let client = try RawClient(port: server.port)
        try client.send("GET /proxies HTTP/1.1\r\n\(lines)\r\n\r\n")
        #expect(try client.response().status == status)
    }

    @Test("A path without an operation is 404, because no token is required")
    func unknownPath() throws {
        defer { end() }
        #expect(try ask("GET", "/nothing").status == 404)
        #expect(try ask("PUT", "/proxies").status == 405)
    }

    @Test("A proxy is created with defaults, shown, changed and removed")
    func proxies() throws {
        defer { end() }
        let port = try create(port: OwnPort.next())
        let shown =
            #"{"name":"p","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:\#(origin.port)","enabled":true,"toxics":[]}"#
        #expect(try ask("GET", "/proxies/p").text == shown + "\n")
        #expect(try ask("GET", "/proxies").text == #"{"p":\#(shown)}"# + "\n")
        let client = try RawClient(port: port)
        try client.request("GET", "/")
        #expect(try client.response().text == "body")
        #expect(try ask("PATCH", "/proxies/p", #"{"enabled":false}"#).text.contains(#""enabled":false"#))
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        #expect(try ask("POST", "/reset").status == 204)
        #expect(try port == self.port(ask("GET", "/proxies/p").text))
        #expect(try ask("DELETE", "/proxies/p").status == 204)
        #expect(try ask("GET", "/proxies").text == "{}\n")
    }

    @Test("Toxics are added with defaults, changed and removed")
    func toxics() throws {
        defer { end() }
        _ = try create()
        let shown =
            #"{"attributes":{"latency":5,"jitter":0},"name":"latency_downstream","type":"latency","stream":"downstream","toxicity":1}"#
        let added = try ask("POST", "/proxies/p/toxics", #"{"type":"latency","attributes":{"latency":5}}"#)
        #expect(added.status == 200)
        #expect(added.text == shown + "\n")
        #expect(try ask("GET", "/proxies/p/toxics").text == "[\(shown)]\n")
        let path = "/proxies/p/toxics/latency_downstream"
        let changed = try ask("POST", path, #"{"attributes":{"jitter":2},"toxicity":0.5,"type":"timeout"}"#)
        #expect(
            changed.text == shown.replacing(#""jitter":0"#, with: #""jitter":2"#).replacing(
                #""toxicity":1"#,
                with: #""toxicity":0.5"#
            ) + "\n"
        )
        #expect(try ask("GET", path).text == changed.text)
        #expect(try ask("DELETE", path).status == 204)
        #expect(try ask("GET", "/proxies/p/toxics").text == "[]\n")
    }

    @Test(
        "Requests that Toxiproxy rejects are rejected with its status and message",
        arguments: [
            ("GET", "/proxies/q", "", 404, "proxy not found"),
            ("POST", "/proxies", #"{"name":"p","upstream":"a:1"}"#, 409, "proxy already exists"),
            ("POST", "/proxies", #"{"upstream":"a:1"}"#, 400, "missing required field: name"),
            ("POST", "/proxies", #"{"name":"q"}"#, 400, "missing required field: upstream"),
            ("POST", "/proxies", "{", 400, "bad request body: "),
            (
                "POST", "/proxies", #"{"name":"q","upstream":"a:1","listen":"0.0.0.0:0"}"#, 400,
                "bad request body: listen"
            ),
            ("POST", "/populate", #"[{"name":"q"}]"#, 400, "missing required field: upstream at proxy 1"),
            ("POST", "/proxies/p/toxics", #"{"type":"none"}"#, 400, "invalid toxic type"),
            (
                "POST", "/proxies/p/toxics", #"{"type":"latency","stream":"up"}"#, 400,
                "stream was invalid, can be either upstream or downstream"
            ),
            (
                "POST", "/proxies/p/toxics", #"{"type":"latency","toxicity":2}"#, 400,
                "bad request body: toxicity"
            ),
            ("POST", "/proxies/p/toxics", #"{"type":"timeout"}"#, 409, "toxic already exists"),
            ("DELETE", "/proxies/p/toxics/t", "", 404, "toxic not found"),
        ]
    )
    func rejects(_ method: String, _ path: String, _ body: String, _ status: Int, _ message: String) throws {
        defer { end() }
        _ = try create()
        try add(#"{"type":"timeout"}"#)
        let answer = try ask(method, path, body)
        #expect(answer.status == status)
        #expect(answer.text.contains(#""error":"\#(message)"#))
        #expect(answer.text.hasSuffix(#""status":\#(status)}"# + "\n"))
    }

    @Test("A port that is taken is a problem, and the proxy is not created")
    func takenPort() throws {
        defer { end() }
        let port = try create()
        let body = #"{"name":"q","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:1"}"#
        #expect(try ask("POST", "/proxies", body).status == 500)
        #expect(try ask("GET", "/proxies/q").status == 404)
    }

    @Test("Browsers are rejected, and the version is that of the API")
    func guards() throws {
        defer { end() }
        #expect(try ask("GET", "/version", agent: "Mozilla/5.0").status == 403)
        #expect(try ask("GET", "/version").text == #"{"version":"2.12.0"}"# + "\n")
    }

    @Test("Populate leaves equal proxies and replaces others")
    func populates() throws {
        defer { end() }
        let port = try create()
        let same = #"{"name":"p","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:\#(origin.port)"}"#
        try add(#"{"type":"timeout"}"#)
        let kept = try ask("POST", "/populate", "[\(same)]")
        #expect(kept.status == 201)
        #expect(kept.text.contains("timeout_downstream"))
        let other = #"{"name":"p","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:9"}"#
        #expect(
            try ask("POST", "/populate", "[\(other)]").text.contains(
                #""upstream":"127.0.0.1:9","enabled":true,"toxics":[]"#
            )
        )
    }

    // MARK: Effects on connections

    /// Sends a request through the proxy and moves the clock from deadline to deadline until its response is read.
    private func timed(_ port: Int) async throws -> Duration {
        let began = clock.elapsed
        let client = try RawClient(port: port)
        try client.request("GET", "/")
        let isDone = Lock(false)
        // Not on the threads that other tests block, since the client waits for it only so long.
        let mover = Task(executorPreference: ThreadExecutor()) { [clock] in
            while !isDone.withLock({ $0 }), !Task.isCancelled {
                await clock.waitForSleeper()
                if !isDone.withLock({ $0 }) { clock.advanceToNextDeadline() }
            }
        }
        defer { mover.cancel() }
        #expect(try client.response().text == "body")
        isDone.withLock { $0 = true }
        return clock.elapsed - began
    }

    @Test("Latency in both directions adds up, and ends with the toxics")
    func latency() async throws {
        defer { end() }
        let port = try create()
        try add(#"{"type":"latency","attributes":{"latency":300}}"#)
        try add(#"{"type":"latency","stream":"upstream","attributes":{"latency":700}}"#)
        #expect(try await timed(port) == .seconds(1))
        #expect(try ask("POST", "/reset").status == 204)
        #expect(try await timed(port) == .zero)
    }

    @Test("Data beyond a limit does not arrive, and the connection is closed")
    func limit() throws {
        defer { end() }
        let port = try create()
        try add(#"{"type":"limit_data","attributes":{"bytes":20}}"#)
        let client = try RawClient(port: port)
        try client.request("GET", "/")
        #expect(
            try client.ending(after: 20)
                == Ending(bytes: Array("HTTP/1.1 200 OK\r\nCon".utf8), isReset: false)
        )
    }

    @Test("A reset of the peer is a reset, before any byte")
    func reset() throws {
        defer { end() }
        let port = try create()
        try add(#"{"type":"reset_peer","attributes":{"timeout":0}}"#)
        let client = try RawClient(port: port)
        try client.request("GET", "/")
        #expect(try client.ending(after: 0) == Ending(bytes: [], isReset: true))
    }

    @Test("A timeout closes the connection when the clock says so")
    func timeout() async throws {
        defer { end() }
        let port = try create()
        try add(#"{"type":"timeout","attributes":{"timeout":4000}}"#)
        let client = try RawClient(port: port)
        await clock.waitForSleeper()
        #expect(clock.nextDeadline == .seconds(4))
        clock.advanceToNextDeadline()
        #expect(try client.ending(after: 0) == Ending(bytes: [], isReset: false))
    }

    @Test("A toxic that is added affects open connections, and what it delays leaves when it is removed")
    func live() throws {
        defer { end() }
        let port = try create()
        let client = try RawClient(port: port)
        try client.request("GET", "/")
        #expect(try client.response().text == "body")
        try add(#"{"type":"latency","attributes":{"latency":60000}}"#)
        try client.request("GET", "/")
        while clock.nextDeadline == nil {}
        #expect(try ask("DELETE", "/proxies/p/toxics/latency_downstream").status == 204)
        #expect(try client.response().text == "body")
    }
}
