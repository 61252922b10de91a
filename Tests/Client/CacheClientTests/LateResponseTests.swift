import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import Testing
import TestSupport

@Suite("Responses that arrive late, RFC 9111 §4 and §4.4", .timeLimit(.minutes(20)))
struct LateResponseTests {
    /// Holds the first GET until the gate opens; reports its arrival.
    private func server(_ gate: Gate, _ asked: AsyncStream<Void>.Continuation) -> ScriptedServer {
        ScriptedServer { connection in
            while let head = connection.readHead() {
                let isGet = head.hasPrefix("GET")
                if isGet, connection.number == 1 {
                    asked.yield()
                    gate.wait()
                }
                let body = isGet ? "\(connection.number)" : ""
                connection.send(answer("200 OK", "Cache-Control: max-age=60", body: body))
            }
        }
    }

    @Test(
        "Another client's POST invalidates the response that a GET is waiting for",
        .checks("rfc9111.4.4.unsafe")
    )
    func invalidatedMeanwhile() async throws {
        let test = try TestClient()
        let other = CachingClient(store: test.store, transport: test.transport, clock: test.clock)
        let gate = Gate()
        let (asked, isAsked) = AsyncStream<Void>.makeStream()
        let server = server(gate, isAsked)
        let get = ClientRequest(url: server.url + "/")
        let late = Task { try await test.client.fetch(get) }
        for await _ in asked.prefix(1) {}
        _ = try await other.fetch(ClientRequest(url: get.url, method: .post))
        // This request must not join an exchange from before the POST, or it would wait for the gate.
        let second = try await test.client.fetch(get)
        #expect(second.text == "2")
        gate.open()
        #expect(try await late.value.text == "1")
        let third = try await test.client.fetch(get)
        #expect(third.text == "2")
        #expect(third.source == .memory)
    }

    @Test(
        "A part that was requested before an invalidation does not make the stored response fresh again",
        .checks("rfc9111.4.4.validates"),
        arguments: ["DELETE", "HEAD"]
    )
    func partInvalidatedMeanwhile(_ method: String) async throws {
        let test = try TestClient()
        let gate = Gate()
        let (asked, isAsked) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                if head.contains("Range: bytes=6-") {
                    isAsked.yield()
                    gate.wait()
                    connection.send(Self.part)
                } else {
                    connection.send(
                        Self.whole(tag: head.hasPrefix("GET") && connection.number < 3 ? 1 : 2, head)
                    )
                }
            }
        }
        let url = server.url + "/"
        let late = Task { try await test.client.fetch(ClientRequest(url: url, fields: [.range: "bytes=6-"])) }
        for await _ in asked.prefix(1) {}
        #expect(try await test.client.fetch(ClientRequest(url: url)).text == "1111111111")
        let changing = try #require(HTTPRequest.Method(method))
        let fields: HTTPFields = [.cacheControl: "no-cache"]
        _ = try await test.client.fetch(ClientRequest(url: url, method: changing, fields: fields))
        gate.open()
        #expect(try await late.value.text == "1111")
        #expect(try await test.client.fetch(ClientRequest(url: url)).source != .memory)
    }

    private static let part =
        "HTTP/1.1 206 Partial Content\r\nCache-Control: max-age=1000\r\nETag: \"1\"\r\n"
        + "Content-Range: bytes 6-9/10\r\nContent-Length: 4\r\n\r\n1111"

    /// Returns a response of ten bytes with this tag; without content to HEAD, and after DELETE.
    private static func whole(tag: Int, _ head: String) -> String {
        let digits = String(repeating: "\(tag)", count: 10)
        let start =
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nETag: \"\(tag)\"\r\nContent-Length: 10\r\n\r\n"
        return head.hasPrefix("HEAD") ? start : start + digits
    }

    @Test("The response to an earlier request does not replace that to a later one")
    func askedEarlier() async throws {
        let test = try TestClient()
        let gate = Gate()
        let (asked, isAsked) = AsyncStream<Void>.makeStream()
        let server = server(gate, isAsked)
        let late = Task { try await test.client.fetch(ClientRequest(url: server.url + "/")) }
        for await _ in asked.prefix(1) {}
        test.clock.advance(by: .seconds(2))
        // A request that requires the origin joins no exchange.
        let fields: HTTPFields = [.cacheControl: "no-cache"]
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/", fields: fields))
        gate.open()
        let first = try await late.value
        #expect(first.text == "1")
        #expect(first.cacheStatus.isStored == false)
        let third = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        #expect(third.source == .memory)
        #expect(third.text == "2")
    }

    @Test(
        "Offline, a request that requires validation gets a 504 with this reason",
        .checks("rfc9111.5.2.1.4.no-cache"),
        arguments: ["Cache-Control", "Pragma"]
    )
    func offlineNoCache(_ text: String) async throws {
        let name = try #require(HTTPField.Name(text))
        let test = try TestClient()
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: "x") }
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        test.client.isOnline = false
        let fields: HTTPFields = [name: "no-cache"]
        let refused = try await test.client.fetch(ClientRequest(url: server.url + "/", fields: fields))
        #expect(refused.response.status.code == 504)
        #expect(refused.cause?.code == -1009)
        #expect(refused.cacheStatus.detail?.contains("no-cache") == true)
        #expect(refused.findings.contains { $0.rule == .requestNoCache && !$0.held })
    }
}
