import Addresses
import HTTPServing
import Locks
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("The forward proxy, RFC 9112 §3.2", .timeLimit(.minutes(20)), .blocking)
struct ForwardingTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// An origin that remembers the heads of its requests.
    private final class Origin: Sendable {
        let heads = Lock<[String]>([])
        let server = Lock<ScriptedServer?>(nil)

        init(_ answer: String = ForwardingTests.answer) {
            let made = ScriptedServer { [heads] connection in
                while let head = connection.readHead() {
                    heads.withLock { $0.append(head) }
                    connection.send(answer)
                }
            }
            server.withLock { $0 = made }
        }

        var port: Int { server.withLock { $0?.port } ?? 0 }

        deinit { server.withLock { $0 }?.stop() }
    }

    @Test(
        "A target in absolute form becomes one in origin form, Host is its authority, and other fields pass as they are",
        arguments: [
            (
                "GET http://ORIGIN/a?b=c%20d HTTP/1.1\r\nhost: other\r\nx-A:  1\r\nProxy-Connection: x\r\n\r\n",
                "GET /a?b=c%20d HTTP/1.1\r\nhost: ORIGIN\r\nx-A:  1\r\n\r\n"
            ),
            ("GET http://ORIGIN HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nHost: ORIGIN\r\n\r\n"),
            (
                "GET HTTP://ORIGIN?q HTTP/1.1\r\nHost: ORIGIN\r\n\r\n",
                "GET /?q HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"
            ),
            (
                "OPTIONS http://ORIGIN HTTP/1.1\r\nHost: a\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"
            ),
            (
                "OPTIONS http://ORIGIN/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "OPTIONS / HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"
            ),
            (
                "GET http://ORIGIN/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic eDp5\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"
            ),
        ]
    )
    func readdresses(_ sent: String, _ received: String) throws {
        let origin = Origin()
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try stage.client()
        func own(_ text: String) -> String {
            text.split(separator: "ORIGIN", omittingEmptySubsequences: false).joined(
                separator: "127.0.0.1:\(origin.port)"
            )
        }
        try client.send(own(sent))
        #expect(try client.response().text == "ok")
        #expect(origin.heads.withLock { $0 } == [own(received)])
    }

    @Test("One connection reaches several servers in turn, and the server of each request answers it")
    func several() throws {
        let origins = [
            Origin("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
            Origin("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"),
        ]
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try stage.client()
        for index in [0, 1, 1, 0, 1] {
            try client.send("GET http://127.0.0.1:\(origins[index].port)/ HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == ["a", "b"][index])
        }
    }

    @Test("Requests to several servers that come at once are answered in their order")
    func pipelined() throws {
        let origins = [
            Origin("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
            Origin("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"),
        ]
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try stage.client()
        let places = [0, 0, 1, 0, 1, 1]
        try client.send(
            places.map { "GET http://127.0.0.1:\(origins[$0].port)/ HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        )
        #expect(try places.map { _ in try client.response().text } == places.map { ["a", "b"][$0] })
    }

    @Test(
        "An address that is not public is refused unless it is allowed, and the response says how",
        arguments: ["127.0.0.1", "localhost", "[::1]"]
    )
    func refusesPrivate(_ host: String) throws {
        let origin = Origin()
        let stage = try ForwardStage(allows: false)
        defer { stage.proxy.stop() }
        for head in [
            "GET http://\(host):\(origin.port)/ HTTP/1.1\r\n", "CONNECT \(host):\(origin.port) HTTP/1.1\r\n",
        ] {
            let client = try stage.client()
            try client.send("\(head)Host: a\r\n\r\n")
            let response = try client.response()
            #expect(response.status == 403)
            #expect(response.text.contains("is not a public address"))
            #expect(response.text.contains("--allow ADDRESS/BITS"))
        }
        #expect(origin.heads.withLock { $0.isEmpty })
    }

    @Test(
        "A target that names no server gets a 400 that states what was expected",
        arguments: [
            ("GET / HTTP/1.1", "expected http://HOST/PATH or CONNECT"),
            ("GET ftp://a/ HTTP/1.1", "expected http://HOST/PATH or CONNECT"),
            ("GET https://a/ HTTP/1.1", "expected CONNECT for https://"),
            ("GET http://a:x/ HTTP/1.1", "expected HOST or HOST:PORT"),
            ("GET http://user@a/ HTTP/1.1", "expected HOST or HOST:PORT"),
            ("CONNECT a HTTP/1.1", "expected CONNECT HOST:PORT"),
            ("CONNECT / HTTP/1.1", "expected CONNECT HOST:PORT"),
        ]
    )
    func invalid(_ line: String, _ expected: String) throws {
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try stage.client()
        try client.send("\(line)\r\nHost: a\r\n\r\n")
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response.text.contains(expected))
    }

    @Test("A server that refuses connections is 502 with the cause")
    func unreachable() throws {
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try stage.client()
        try client.send("GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.contains("cannot connect to 127.0.0.1:1: connection refused"))
    }

    @Test("Faults and rules of requests apply to targets in absolute form, by their paths")
    func faults() throws {
        let origin = Origin()
        let stage = try ForwardStage(
            "status=503@before-head path=/a",
            rules: "rules: [{path: /b, answer: {status: 404}}]"
        )
        defer { stage.proxy.stop() }
        let client = try stage.client()
        for (path, status) in [("/a", 503), ("/b", 404), ("/c", 200)] {
            try client.send("GET http://127.0.0.1:\(origin.port)\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().status == status)
        }
        #expect(stage.proxy.journal.map(\.target).last == "http://127.0.0.1:\(origin.port)/c")
    }

    @Test("A server takes the place of all that requests name, which are not looked up, and sees their names")
    func replaced() throws {
        let origin = Origin()
        let server = try #require(Upstream(authority: "127.0.0.1:\(origin.port)"))
        let stage = try ForwardStage(allows: false, replacement: server)
        defer { stage.proxy.stop() }
        let client = try stage.client()
        for name in ["a.invalid", "b.invalid:81"] {
            try client.send("GET http://\(name)/x HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            #expect(try client.response().text == "ok")
        }
        try client.send("CONNECT c.invalid:80 HTTP/1.1\r\nHost: c.invalid:80\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
        try client.send("GET /y HTTP/1.1\r\n\r\n")
        #expect(try client.response().text == "ok")
        #expect(
            origin.heads.withLock { $0 } == [
                "GET /x HTTP/1.1\r\nHost: a.invalid\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: b.invalid:81\r\n\r\n", "GET /y HTTP/1.1\r\n\r\n",
            ]
        )
    }

    // MARK: Tunnels

    /// Returns a client whose tunnel to a server is open.
    private func tunnel(_ stage: ForwardStage, to port: Int) throws -> RawClient {
        let client = try stage.client()
        try client.send("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
        return client
    }

    @Test("A tunnel passes the bytes of both directions, and its ends one by one")
    func tunnels() async throws {
        let origin = ScriptedServer { connection in
            connection.send("hello")
            let (bytes, _) = connection.readToEnd()
            connection.send("\(bytes.count)")
        }
        defer { origin.stop() }
        let stage = try ForwardStage()
        defer { stage.proxy.stop() }
        let client = try tunnel(stage, to: origin.port)
        #expect(try client.read(count: 5) == Array("hello".utf8))
        try client.send(Array(repeating: 0xFF, count: 100_000))
        client.endSending()
        #expect(try client.ending(after: 6) == Ending(bytes: Array("100000".utf8), isReset: false))
        let entry = try #require(await stage.journal { $0.first?.ended != nil }.first)
        #expect(entry.method == "CONNECT")
        #expect(entry.target == "127.0.0.1:\(origin.port)")
        #expect(entry.status == 200)
        #expect(entry.ended == "complete")
    }

    @Test(
        "Faults of a tunnel count its bytes",
        arguments: [("reset@body:3", true, 3), ("close@body:0", false, 0), ("reset@end", true, 5)]
    )
    func tunnelFaults(_ fault: String, _ isReset: Bool, _ count: Int) async throws {
        let origin = ScriptedServer { connection in
            connection.send("hello")
            connection.close()
        }
        defer { origin.stop() }
        let stage = try ForwardStage(fault)
        defer { stage.proxy.stop() }
        let client = try tunnel(stage, to: origin.port)
        let expected = Ending(bytes: Array("hello".utf8.prefix(count)), isReset: isReset)
        #expect(try client.ending(after: count) == expected)
        let entry = try #require(await stage.journal { $0.first?.ended != nil }.first)
        #expect(entry.injected.count == 1)
        #expect(entry.ended == (isReset ? "reset" : "close"))
    }

    @Test("A status fault answers CONNECT in place of a tunnel")
    func refusedTunnel() throws {
        let origin = Origin()
        let stage = try ForwardStage("status=504@before-head")
        defer { stage.proxy.stop() }
        let client = try stage.client()
        try client.send("CONNECT 127.0.0.1:\(origin.port) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response().status == 504)
    }
}
