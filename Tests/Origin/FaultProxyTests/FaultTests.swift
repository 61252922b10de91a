import CLibrary
import Clocks
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing
import Threads

@testable import FaultProxy

@Suite("Faults between a client and an upstream", .blocking)
struct FaultTests {
    private static let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test("`requests=` counts from the start of the proxy, not from the change of the faults")
    func counting() throws {
        let server = try MockServer.started(routes: [.get("/a")])
        defer { server.stop() }
        let proxy = try FaultProxy.started(upstream: server.url)
        defer { proxy.stop() }
        #expect([proxy.url("/a?b"), proxy.url("a?b")] == [proxy.url + "/a?b", proxy.url + "/a?b"])
        let client = try RawClient(port: proxy.port)
        var statuses: [Int] = []
        for number in 1...4 {
            if number == 3 { proxy.use(faults: [try Fault(text: "status=503@before-head requests=4")]) }
            try client.request("GET", "/a")
            statuses.append(try client.response().status)
        }
        #expect(statuses == [200, 200, 200, 503])
    }

    @Test("A proxy is started with faults, and not with an upstream that is no URL of a server")
    func started() throws {
        let server = try MockServer.started(routes: [.get("/a")])
        defer { server.stop() }
        let faults = [try Fault(text: "status=503@before-head")]
        let proxy = try FaultProxy.started(upstream: server.url, faults: faults)
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/a")
        #expect(try client.response().status == 503)
        for url in ["ftp://x", "127.0.0.1:80", "http://a/b"] {
            #expect(throws: ServerError.badOrigin(url)) { try FaultProxy.started(upstream: url) }
        }
    }

    @Test("The client receives exactly the bytes before a reset or close", arguments: ["reset", "close"])
    func everyByteOfResponse(_ action: String) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        let stage = try ProxyStage { connection in
            while connection.readHead() != nil { connection.send(Array(head.utf8) + Self.content) }
        }
        defer { stage.stop() }
        for count in 0...1000 {
            stage.proxy.context.injector.use(
                FaultPlan(faults: try Fault.list(text: "\(action)@body:\(count)"))
            )
            let client = try stage.client()
            try client.request("GET", "/")
            _ = try client.read(through: "\r\n\r\n")
            let end = try client.ending(after: count)
            let isExact = end == Ending(bytes: Array(Self.content.prefix(count)), isReset: action == "reset")
            guard isExact else {
                Issue.record("at byte \(count): \(end.bytes.count) bytes, reset \(end.isReset)")
                return
            }
        }
    }

    @Test("The upstream receives exactly the bytes before a reset or close", arguments: ["reset", "close"])
    func everyByteOfRequest(_ action: String) async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Ending.self)
        let stage = try ProxyStage { connection in
            _ = connection.readHead()
            let (bytes, isReset) = connection.readToEnd()
            continuation.yield(Ending(bytes: bytes, isReset: isReset))
        }
        defer { stage.stop() }
        var next = ends.makeAsyncIterator()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"
        for count in 0...1000 {
            stage.proxy.context.injector.use(
                FaultPlan(faults: try Fault.list(text: "\(action)@request-body:\(count)"))
            )
            let client = try stage.client()
            try client.send(Array(head.utf8) + Self.content)
            let end = await next.next()
            let expected = Ending(bytes: Array(Self.content.prefix(count)), isReset: action == "reset")
            guard end == expected else {
                Issue.record("at byte \(count): \(end?.bytes.count ?? -1) bytes")
                return
            }
        }
    }

    @Test(
        "A status takes the place of the upstream's response, and the next request passes on the same connection"
    )
    func status() throws {
        let stage = try ProxyStage(
            "status=503/30s@before-head requests=2",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
        )
        defer { stage.stop() }
        let client = try stage.client()
        var responses: [RawResponse] = []
        for body in ["", "content", ""] {
            try client.request(body.isEmpty ? "GET" : "POST", "/", body: body)
            responses.append(try client.response())
        }
        #expect(responses.map(\.status) == [200, 503, 200])
        #expect(responses[1]["Retry-After"] == "30")
    }

    @Test(
        "An answer in the upstream's place ends the connection where the client asks for that (RFC 9112 §9.3)",
        arguments: [
            ("HTTP/1.1\r\nConnection: close", true), ("HTTP/1.1\r\nConnection: x, Close", true),
            ("HTTP/1.0", true), ("HTTP/1.0\r\nConnection: keep-alive", false), ("HTTP/1.1", false),
        ]
    )
    func closes(_ rest: String, _ closes: Bool) throws {
        let rules = "rules: [{path: /rule, answer: {status: 502, body: x}}]"
        let stage = try ProxyStage(
            "status=503@before-head path=/fault",
            configure: { configuration in
                if let file = try? ProxyRuleFile.decode(rules, path: "rules.yaml") {
                    configuration.rules = file
                }
            }
        ) { _ in }
        defer { stage.stop() }
        for (path, status) in [("/fault", 503), ("/rule", 502)] {
            let client = try stage.client()
            for _ in 0..<(closes ? 1 : 2) {
                try client.send("GET \(path) \(rest)\r\nHost: h\r\n\r\n")
                let response = try client.response()
                #expect(response.status == status)
                #expect((response["Connection"] == "close") == closes)
            }
            if closes { #expect(try client.isAtEnd()) }
        }
    }

    @Test("A delay waits by the proxy's clock")
    func delay() async throws {
        let clock = VirtualClock(wallSeconds: 0)
        let stage = try ProxyStage(
            "delay=2s@before-head",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            clock: clock
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        await clock.waitForSleeper()
        #expect(clock.nextDeadline == .seconds(2))
        clock.advance(by: .seconds(2))
        #expect(try client.response().text == "a")
    }

    @Test("A held response waits for a release")
    func held() throws {
        let stage = try ProxyStage("stall@body:1", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        _ = try client.read(through: "\r\n\r\na")
        while stage.proxy.context.injector.release(label: nil) == 0 {}
        #expect(try client.read(count: 1) == [0x62])
    }

    @Test("A misstated length is followed by the end of the connection")
    func length() throws {
        let stage = try ProxyStage(
            "content-length=+10@head",
            answer: "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\n\r\nab"
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.read(through: "\r\n\r\n").contains("Content-Length: 12\r\n"))
        #expect(try client.ending(after: 2) == Ending(bytes: Array("ab".utf8), isReset: false))
    }

    @Test("The same seed makes the same decisions, whatever else passes")
    func decisions() throws {
        func drawn(_ paths: [String]) throws -> [String] {
            let stage = try ProxyStage(
                "status=503@before-head chance=50%; delay=0s..1ms@body path=/a",
                answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
            )
            defer { stage.stop() }
            let client = try stage.client()
            for path in paths {
                try client.request("GET", path)
                _ = try client.response()
            }
            return stage.proxy.context.injector.faults.decisions.map(\.description)
        }
        let paths = (0..<20).map { _ in "/a" }
        let first = try drawn(paths)
        #expect(first == (try drawn(paths)))
        #expect(first.contains { $0.contains("connection#1 request#7\t1 status@before-head\tchance ") })
    }

    @Test("An outage refuses connections and cuts open ones")
    func outage() async throws {
        let clock = VirtualClock(wallSeconds: 0)
        let stage = try ProxyStage(
            "refuse@accept from=10s for=5s",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            clock: clock
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.response().text == "a")
        clock.advance(by: .seconds(10))
        #expect(throws: (any Error).self) { try stage.client() }
        #expect((try? client.isAtEnd()) != false)
        clock.advance(by: .seconds(5))
        let later = try stage.client()
        try later.request("GET", "/")
        #expect(try later.response().text == "a")
    }

    @Test("A reset at accepting comes before anything is read")
    func accept() throws {
        let stage = try ProxyStage("reset@accept", answer: "")
        defer { stage.stop() }
        #expect(try stage.client().ending(after: 0).isReset)
        #expect(stage.origin.connections == 0)
    }

    struct Network: CustomTestStringConvertible {
        let profile: String
        let milliseconds: ClosedRange<Double>
        var testDescription: String { profile }
    }

    @Test(
        "A network profile delays and limits both directions",
        arguments: [
            // 200 ms for the connection and for the request, 49,000 bytes each way at 780 and 330 kbit/s.
            Network(profile: "apple:3g", milliseconds: 1980...2500),
            // A latency for the request; both ways at 50 kB/s.
            Network(profile: "chrome:3g", milliseconds: 3860...4700),
        ]
    )
    func network(_ row: Network) throws {
        let clock = VirtualClock(wallSeconds: 0)
        let schedule = try NetworkSchedule(text: row.profile)
        let size = 49_000
        let stage = try ProxyStage(clock: clock, configure: { $0.network = schedule }) { connection in
            _ = connection.readHead()
            _ = connection.read(count: size)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            connection.send([UInt8](repeating: 0x61, count: size))
            connection.waitForClose()
        }
        defer { stage.stop() }
        let (port, received) = (stage.proxy.port, Lock<Int?>(nil))
        // A separate thread: others block those of tasks, and the clock must not wait for them.
        SystemThread {
            let count = try? Self.upload(size, port: port)
            received.withLock { $0 = count ?? -1 }
        }.detach()
        while received.withLock({ $0 == nil }) {
            if !clock.advanceToNextDeadline() { sched_yield() }
        }
        #expect(received.withLock { $0 } == size)
        let elapsed = clock.elapsed.components
        let milliseconds = Double(elapsed.seconds) * 1000 + Double(elapsed.attoseconds) * 1e-15
        #expect(row.milliseconds.contains(milliseconds), "\(milliseconds) ms")
    }

    private static func upload(_ size: Int, port: Int?) throws -> Int {
        let client = try RawClient(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
        try client.send([UInt8](repeating: 0x61, count: size))
        return try client.response().body.count
    }
}
