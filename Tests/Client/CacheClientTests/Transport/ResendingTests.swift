import CacheSemantics
import HTTPTypes
import Locks
import TestSupport
import Testing

@testable import CacheClient

@Suite("Requests on reused connections that were closed, RFC 9110 §9.2.2", .timeLimit(.minutes(20)))
struct ResendingTests {
    /// A server whose connections carry one exchange, and are closed without a response when a second request arrives.
    private struct ClosingServer {
        let server: ScriptedServer
        let heads = Lock([String]())
        var url: String { server.url + "/" }

        init(resets: Bool = false, contentBytes: Int = 0) {
            let heads = heads
            server = ScriptedServer { connection in
                for number in 1...2 {
                    guard let head = connection.readHead() else { return }
                    heads.withLock { $0.append(String(head.prefix { $0 != " " })) }
                    let length = head.contains("Content-Length: \(contentBytes)") ? contentBytes : 0
                    if number == 1 {
                        _ = length == 0 ? "" : connection.read(count: length)
                        connection.send(answer(body: "x"))
                    } else if resets {
                        connection.reset()
                    }
                }
            }
        }

        var methods: [String] { heads.withLock { $0 } }
    }

    @Test("GET after GET is answered, however many reused connections were closed", arguments: [false, true])
    func manyGets(_ resets: Bool) async throws {
        let server = ClosingServer(resets: resets)
        let test = try TestClient()
        for number in 0..<24 {
            let response = try await test.client.fetch(ClientRequest(url: server.url + "\(number)"))
            #expect(response.text == "x")
            #expect(response.metrics.last?.attempts == (number == 0 ? 1 : 2))
            #expect(response.metrics.last?.isReusedConnection == false)
        }
        #expect(server.server.connections == 24)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        var fields = HTTPFields()
        var body: String?
        var streams = false
        let isResent: Bool

        var testDescription: String {
            let field = fields.first.map { " with \($0.name)" } ?? ""
            return "\(method)\(field)\(streams ? ", streamed," : "") \(isResent ? "is sent again" : "is not")"
        }
    }

    static let rows: [Row] = [
        Row(method: .get, isResent: true), Row(method: .head, isResent: true),
        Row(method: .get, fields: [.ifNoneMatch: "\"a\""], isResent: true),
        Row(method: .options, isResent: true), Row(method: .trace, isResent: true),
        Row(method: .query, body: "abcdef", isResent: true),
        Row(method: .put, body: "abcdef", isResent: true),
        Row(method: .delete, isResent: true),
        Row(method: .put, body: "abcdef", streams: true, isResent: false),
        Row(method: .put, fields: [.ifMatch: "\"a\""], body: "abcdef", isResent: false),
        Row(method: .put, fields: [.ifNoneMatch: "*"], body: "abcdef", isResent: false),
        Row(method: .put, fields: [.ifUnmodifiedSince: "Thu, 01 Jan 2026 00:00:00 GMT"], isResent: false),
        Row(method: .delete, fields: [.ifModifiedSince: "Thu, 01 Jan 2026 00:00:00 GMT"], isResent: false),
        Row(method: .delete, fields: [.ifMatch: "*"], isResent: false),
        Row(method: .post, body: "abcdef", isResent: false), Row(method: .post, isResent: false),
        Row(method: .patch, body: "abcdef", isResent: false),
        Row(method: HTTPRequest.Method("PROPPATCH") ?? .post, isResent: false),
    ]

    @Test("A request is sent again once, if that is safe", arguments: rows, [false, true])
    func resending(_ row: Row, _ resets: Bool) async throws {
        let server = ClosingServer(resets: resets, contentBytes: 6)
        let test = try TestClient()
        _ = try await test.client.fetch(ClientRequest(url: server.url + "first"))
        let body: RequestBody? = row.body.map {
            row.streams ? .stream(Self.stream($0)) : .bytes(Array($0.utf8))
        }
        let request = ClientRequest(url: server.url, method: row.method, fields: row.fields, body: body)
        if row.isResent {
            let response = try await test.client.fetch(request)
            #expect(response.metrics.last?.attempts == 2)
        } else {
            #expect(await test.failure(request)?.code == -1005)
        }
        let method = row.method.rawValue
        #expect(server.methods == ["GET", method] + (row.isResent ? [method] : []))
        #expect(server.server.connections == (row.isResent ? 2 : 1))
    }

    private static func stream(_ text: String) -> UploadStream {
        let pieces = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(Array(text.utf8))
            stream.finish()
        }
        return UploadStream(length: .bytes(text.utf8.count), pieces: pieces)
    }

    @Test("A request that was sent again is not sent a third time")
    func onlyOnce() async throws {
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil, connection.number == 1 else { return }
            connection.send(answer(body: "x"))
            _ = connection.readHead()
        }
        let test = try TestClient()
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        #expect(await test.failure(ClientRequest(url: server.url + "/b"))?.code == -1005)
        #expect(server.connections == 2)
    }

    @Test("A request is sent again on a new connection, even if another reused one is free")
    func newConnection() async throws {
        // The first two respond together, so that two connections are free. Each is closed when the next request
        // arrives.
        let arrivals = Lock([ServerConnection]())
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            let ready = arrivals.withLock { arrivals in
                arrivals.append(connection)
                return arrivals.count < 2 ? [] : arrivals.count == 2 ? arrivals : [connection]
            }
            for connection in ready { connection.send(answer(body: "x")) }
            _ = connection.readHead()
        }
        let test = try TestClient()
        let client = test.client
        async let one = client.fetch(ClientRequest(url: server.url + "/1"))
        async let two = client.fetch(ClientRequest(url: server.url + "/2"))
        _ = try await (one, two)
        let response = try await client.fetch(ClientRequest(url: server.url + "/3"))
        #expect(response.metrics.last?.attempts == 2)
        #expect(server.connections == 3)
    }

    @Test(
        "A request whose response has begun is not sent again",
        arguments: ["HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 103 E\r\n\r\n"]
    )
    func begun(_ start: String) async throws {
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send(answer(body: "x"))
            guard connection.readHead() != nil else { return }
            connection.send(start)
        }
        let test = try TestClient()
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/a"))
        #expect(await test.failure(ClientRequest(url: server.url + "/b"))?.code == -1005)
        #expect(server.connections == 1)
    }

    @Test("A POST that was sent fails with -1005, even if the server no longer listens")
    func postWithoutListener() async throws {
        let server = ClosingServer()
        let test = try TestClient()
        _ = try await test.client.fetch(ClientRequest(url: server.url))
        server.server.stop()
        #expect(await test.failure(ClientRequest(url: server.url, method: .post))?.code == -1005)
        #expect(server.methods == ["GET", "POST"])
    }

    @Test("A streamed response tells at its head how often its request was sent")
    func streamed() async throws {
        let server = ClosingServer()
        let test = try TestClient()
        for attempts in [1, 2, 2] {
            let request = ClientRequest(url: server.url + "\(server.methods.count)")
            let response = try await test.client.stream(request)
            #expect(response.metrics.attempts == attempts)
            #expect(try await response.collected(limit: .kibibytes(1)).text == "x")
        }
    }

    @Test("Nothing is sent again if this is disabled")
    func switchedOff() async throws {
        let server = ClosingServer()
        let test = try TestClient(resends: false)
        _ = try await test.client.fetch(ClientRequest(url: server.url + "a"))
        #expect(await test.failure(ClientRequest(url: server.url + "b"))?.code == -1005)
        #expect(server.methods == ["GET", "GET"])
    }
}
