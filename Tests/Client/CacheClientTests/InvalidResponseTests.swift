import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@testable import CacheClient

@Suite("Responses that a caller cannot get", .timeLimit(.minutes(20)))
struct InvalidResponseTests {
    /// Responses to an unsafe request that are an error for the caller, although the origin has carried it out.
    static let responses = [
        "HTTP/1.1 304 Not Modified\r\nETag: \"z\"\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/1\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.2 200 OK\r\nContent-Length: abc\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nX y: b\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 103 E\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n y: b\r\n\r\n",
    ]

    @Test(
        "An unsafe request invalidates although its response is invalid, RFC 9111 §4.4",
        arguments: responses
    )
    func invalidates(_ response: String) async throws {
        let server = ScriptedServer { number, _ in
            number == 2
                ? response
                : "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 1\r\n\r\n\(number)"
        }
        let test = try TestClient()
        let url = server.url + "/a"
        #expect(try await test.client.fetch(ClientRequest(url: url)).text == "1")
        #expect(await test.failure(ClientRequest(url: url, method: .post)) != nil)
        #expect(try await test.client.fetch(ClientRequest(url: url)).text == "3")
    }

    @Test(
        "An unsafe request without a response invalidates, because the origin may have carried it out",
        arguments: ["lost", "cancelled"]
    )
    func unanswered(_ end: String) async throws {
        let (asked, askedDone) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                if head.hasPrefix("POST") {
                    askedDone.finish()
                    if end == "cancelled" { connection.waitForClose() }
                    return
                }
                connection.send(answer("200 OK", "Cache-Control: max-age=60", body: "\(connection.number)"))
            }
        }
        let test = try TestClient()
        let url = server.url + "/a"
        #expect(try await test.client.fetch(ClientRequest(url: url)).text == "1")
        let post = Task { await test.failure(ClientRequest(url: url, method: .post)) }
        for await _ in asked {}
        if end == "cancelled" { post.cancel() }
        #expect(await post.value != nil)
        #expect(try await test.client.fetch(ClientRequest(url: url)).text == "2")
    }
}
