import CacheClient
import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("A client without a store", .timeLimit(.minutes(20)))
struct StorelessTests {
    private func client() throws -> CachingClient {
        let test = try TestClient()
        return CachingClient(store: nil, transport: test.transport, clock: test.clock)
    }

    @Test(
        "Each response is passed on, and none is stored",
        arguments: [
            "200 OK", "204 No Content", "299 x", "300 Multiple", "304 Not Modified", "399 x", "404 Not Found",
            "500 x",
        ]
    )
    func passedOn(status: String) async throws {
        let hasContent = !["204", "304"].contains(status.prefix(3))
        let server = ScriptedServer { _, _ in
            "HTTP/1.1 \(status)\r\nCache-Control: max-age=60\r\n"
                + (hasContent ? "Content-Length: 1\r\n\r\nx" : "\r\n")
        }
        let client = try client()
        let fields: HTTPFields = status.hasPrefix("304") ? [.ifNoneMatch: "\"a\""] : [:]
        for _ in 0..<2 {
            let response = try await client.fetch(ClientRequest(url: server.url + "/", fields: fields))
            #expect(response.status == Int(status.prefix(3)))
            #expect(response.text == (hasContent ? "x" : ""))
            #expect(response.source == .origin)
            #expect(response.cacheStatus.isHit == false)
            #expect(response.cacheStatus.isStored == false)
            #expect(response.cacheStatus.forwardStatus == Int(status.prefix(3)))
        }
        #expect(server.connections == 1)
    }

    @Test("Redirects are followed, and coded content is decoded", arguments: [301, 302, 303, 307, 308])
    func general(status: Int) async throws {
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                guard head.hasPrefix("GET /coded ") else {
                    connection.send(answer("\(status) x", "Location: /coded"))
                    continue
                }
                let content = gzipped(Array("hello".utf8))
                let fields = "Content-Encoding: gzip\r\nContent-Length: \(content.count)\r\n\r\n"
                connection.send(Array("HTTP/1.1 200 OK\r\n\(fields)".utf8) + content)
            }
        }
        let response = try await client().fetch(ClientRequest(url: server.url + "/"))
        #expect(response.text == "hello")
        #expect(response.metrics.map(\.status) == [status, 200])
    }

    @Test(
        "What does not answer the request fails with -1011",
        arguments: ["206 Partial Content", "304 Not Modified"]
    )
    func rejected(status: String) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 \(status)\r\nContent-Range: bytes 0-0/2\r\n\r\nx")
        }
        let client = try client()
        let error = await #expect(throws: ClientError.self) {
            try await client.fetch(ClientRequest(url: server.url + "/"))
        }
        #expect(error?.code == .badResponse)
    }

    @Test("Nothing is found, and edits have no effect")
    func edits() throws {
        let client = try client()
        let request = ClientRequest(url: "http://a.example/")
        #expect(client.cachedResponse(for: request) == nil)
        #expect(!client.store(HTTPResponse(status: .ok), body: [1], for: request))
        #expect(client.cachedResponse(for: request) == nil)
        #expect(client.hit(for: request) == nil)
        for outcome in [
            client.removeCachedResponse(for: request), client.removeAllCachedResponses(),
            client.removeCachedResponses(since: HTTPDate(secondsSinceEpoch: 0)),
        ] {
            #expect(outcome.failure == nil)
        }
    }
}
