import CacheStorage
import Clocks
import HTTPTypes
import Locks
import TestSupport
import Testing

@testable import CacheClient

@Suite("Requests one after another on the same handles of libcurl", .timeLimit(.minutes(20)))
struct RequestSequenceTests {
    /// A request, and what the server must receive of it.
    struct Kind: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var host = "127.0.0.1"
        var path = "/a"
        var fields = HTTPFields()
        var body: (@Sendable () -> RequestBody)?
        var version = HTTPVersion.http11
        var connectTimeout: Duration?
        /// The request line.
        let line: String
        /// The field lines besides `Host`, in any order.
        var lines: Set<String> = []
        var content = ""
        var testDescription: String { "\(line) \(host) \(lines.sorted()) \(content.count)" }
    }

    private static let bytes: @Sendable () -> RequestBody = { .bytes(Array("abc".utf8)) }
    private static let stream: @Sendable () -> RequestBody = {
        let pieces = AsyncStream<[UInt8]> { stream in
            stream.yield(Array("abc".utf8))
            stream.finish()
        }
        return .stream(UploadStream(pieces: pieces))
    }

    static let kinds: [Kind] = [
        Kind(line: "GET /a HTTP/1.1"), Kind(host: "localhost", line: "GET /a HTTP/1.1"),
        Kind(path: "/b?c", line: "GET /b?c HTTP/1.1"),
        Kind(fields: [.from: "d"], line: "GET /a HTTP/1.1", lines: ["From: d"]),
        Kind(connectTimeout: .seconds(3600), line: "GET /a HTTP/1.1"),
        Kind(version: .http10, line: "GET /a HTTP/1.0"),
        Kind(method: .head, line: "HEAD /a HTTP/1.1"),
        Kind(method: .head, path: "/b", fields: [.from: "d"], line: "HEAD /b HTTP/1.1", lines: ["From: d"]),
        Kind(method: .options, path: "*", line: "OPTIONS * HTTP/1.1"),
        Kind(method: .delete, line: "DELETE /a HTTP/1.1"),
        Kind(method: .post, line: "POST /a HTTP/1.1", lines: ["Content-Length: 0"]),
        Kind(body: bytes, line: "GET /a HTTP/1.1", lines: ["Content-Length: 3"], content: "abc"),
        Kind(
            method: .post,
            body: bytes,
            line: "POST /a HTTP/1.1",
            lines: ["Content-Length: 3"],
            content: "abc"
        ),
        Kind(
            method: .put,
            host: "localhost",
            body: stream,
            line: "PUT /a HTTP/1.1",
            lines: ["Transfer-Encoding: chunked"],
            content: "3\r\nabc\r\n0\r\n\r\n"
        ),
    ]

    /// A server that keeps what it has received, and a transport.
    private final class Fixture: Sendable {
        private let received = Lock<(head: String, content: String)>(("", ""))
        private let server: ScriptedServer
        private let transport: CurlTransport

        init(reusesHandles: Bool) throws {
            let received = received
            server = ScriptedServer { connection in
                while let head = connection.readHead() {
                    let content: String? =
                        if head.contains("chunked") {
                            connection.readChunks()
                        } else {
                            head.contains("Content-Length: 3") ? connection.read(count: 3) : ""
                        }
                    received.withLock { $0 = (head, content ?? "") }
                    connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + (head.hasPrefix("HEAD") ? "" : "ok")
                    )
                }
            }
            let core = LoopCore(connectionsPerHost: 6, reusesHandles: reusesHandles)
            transport = CurlTransport(loop: try ClientLoop(core))
        }

        var port: Int { server.port }

        /// Sends a request; returns the content of the response.
        func send(_ kind: Kind, authority: String? = nil) async throws(TransportError) -> String {
            let head = HTTPRequest(
                method: kind.method,
                scheme: "http",
                authority: authority ?? "\(kind.host):\(server.port)",
                path: kind.path,
                headerFields: kind.fields
            )
            var request = TransportRequest(head: head, body: kind.body?())
            (request.newestVersion, request.connectTimeout) = (kind.version, kind.connectTimeout)
            let exchange = Exchange(clock: SystemClock(), timeout: .seconds(60), at: .zero)
            _ = exchange.begin(request, over: transport, at: SystemClock().elapsed)
            return String(decoding: try await exchange.content(), as: UTF8.self)
        }

        /// Returns the received parts of the last request: its line, its fields, its content.
        func last(_ host: String) -> [String] {
            let (head, content) = received.withLock { $0 }
            let lines = head.split(separator: "\r\n").map(String.init)
            return lines.prefix(1)
                + lines.dropFirst().filter { $0 != "Host: \(host):\(server.port)" }.sorted()
                + [content]
        }
    }

    @Test("What is sent does not depend on the request before", arguments: kinds, [true, false])
    func sequence(first: Kind, reusesHandles: Bool) async throws {
        let fixture = try Fixture(reusesHandles: reusesHandles)
        for second in [first] + Self.kinds {
            for kind in [first, second] {
                #expect(try await fixture.send(kind) == (kind.method == .head ? "" : "ok"))
                #expect(fixture.last(kind.host) == [kind.line] + kind.lines.sorted() + [kind.content])
            }
        }
    }

    @Test(
        "A target that is none fails, and the next request is sent as it is",
        arguments: ["/a b", "/a\r\nX: y"],
        [true, false]
    )
    func noTarget(path: String, reusesHandles: Bool) async throws {
        let fixture = try Fixture(reusesHandles: reusesHandles)
        let plain = Kind(line: "GET /a HTTP/1.1")
        for _ in 0..<2 {
            #expect(try await fixture.send(plain) == "ok")
            #expect(fixture.last("127.0.0.1") == ["GET /a HTTP/1.1", ""])
            await #expect(throws: TransportError.self) {
                try await fixture.send(Kind(path: path, line: ""))
            }
            #expect(fixture.last("127.0.0.1") == ["GET /a HTTP/1.1", ""])
        }
        #expect(try await fixture.send(plain) == "ok")
        #expect(fixture.last("127.0.0.1") == ["GET /a HTTP/1.1", ""])
    }

    @Test(
        "A target without a slash does not continue the authority, RFC 9110 §7.1",
        arguments: [true, false]
    )
    func withoutSlash(reusesHandles: Bool) async throws {
        let fixture = try Fixture(reusesHandles: reusesHandles)
        let error = await #expect(throws: TransportError.self) {
            try await fixture.send(Kind(path: ".1:\(fixture.port)/a", line: ""), authority: "127.0.0")
        }
        #expect(error?.kind == .badURL)
        #expect(fixture.last("127.0.0.1") == [""])
    }

    @Test("A fragment is not sent, RFC 9110 §7.1", arguments: [true, false])
    func fragment(reusesHandles: Bool) async throws {
        let fixture = try Fixture(reusesHandles: reusesHandles)
        #expect(try await fixture.send(Kind(path: "/a#b", line: "")) == "ok")
        #expect(fixture.last("127.0.0.1") == ["GET /a HTTP/1.1", ""])
    }
}
