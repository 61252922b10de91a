import Locks
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Faults that requests ask for", .blocking)
struct RequestedFaultTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

    private struct Stage {
        let stage: ProxyStage
        let heads = Lock<[String]>([])

        init(allows: Bool = true) throws {
            let heads = heads
            stage = try ProxyStage(configure: { $0.allowsRequestFaults = allows }) { connection in
                while let head = connection.readHead() {
                    heads.withLock { $0.append(head) }
                    connection.send(RequestedFaultTests.answer)
                }
            }
        }
    }

    private static func request(_ fault: String, closes: Bool = false) -> String {
        "GET /a HTTP/1.1\r\nhOst: h\r\ncachecheck-FAULT: \(fault)\r\nX-B:  b \r\n"
            + (closes ? "Connection: close\r\n\r\n" : "\r\n")
    }

    @Test("A request's fault happens to its own response only, and the upstream does not see the field")
    func happens() throws {
        let own = try Stage()
        defer { own.stage.stop() }
        let client = try own.stage.client()
        try client.send(Self.request("interim=103@before-head"))
        #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 103 "))
        #expect(try client.read(count: Self.answer.utf8.count) == Array(Self.answer.utf8))
        try client.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.read(count: Self.answer.utf8.count) == Array(Self.answer.utf8))
        #expect(
            own.heads.withLock { $0 } == [
                "GET /a HTTP/1.1\r\nhOst: h\r\nX-B:  b \r\n\r\n", "GET /b HTTP/1.1\r\nHost: h\r\n\r\n",
            ]
        )
    }

    @Test("A reset that a request asks for comes after exactly the bytes before it", arguments: [0, 2, 5])
    func resets(_ count: Int) throws {
        let own = try Stage()
        defer { own.stage.stop() }
        let client = try own.stage.client()
        try client.send(Self.request("reset@body:\(count)"))
        let expected = Array(Self.answer.utf8.dropLast(5 - count))
        #expect(try client.ending(after: expected.count) == Ending(bytes: expected, isReset: true))
    }

    @Test("A status that a request asks for is answered without the upstream")
    func status() throws {
        let own = try Stage()
        defer { own.stage.stop() }
        let client = try own.stage.client()
        try client.send(Self.request("status=503@before-head"))
        #expect(try client.read(through: "\r\n").hasPrefix("HTTP/1.1 503 "))
        #expect(own.heads.withLock { $0 }.isEmpty)
    }

    @Test("Without the option the field passes as any other")
    func passes() throws {
        let own = try Stage(allows: false)
        defer { own.stage.stop() }
        let client = try own.stage.client()
        let request = Self.request("status=503@before-head")
        try client.send(request)
        #expect(try client.read(count: Self.answer.utf8.count) == Array(Self.answer.utf8))
        #expect(own.heads.withLock { $0 } == [request])
    }

    @Test(
        "A field that is not understood is 400 with what was found and expected",
        arguments: [
            ("explode@body", "explode"), ("", "expected"), ("reset@accept", "accept"),
            ("reset@body:1; reset@request-head", "request-head"), ("reset@body path=/a", "path="),
            ("reset@body requests=2", "requests="),
        ]
    )
    func refuses(_ value: String, _ part: String) throws {
        let own = try Stage()
        defer { own.stage.stop() }
        let client = try own.stage.client()
        try client.send(Self.request(value))
        let head = try client.read(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 400 "))
        let content = try client.read(through: "\n")
        #expect(content.hasPrefix("cachecheck proxy: CacheCheck-Fault: found "))
        #expect(content.contains(part))
        #expect(own.heads.withLock { $0 }.isEmpty)
    }
}
