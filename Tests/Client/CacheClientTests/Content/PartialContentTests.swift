import CacheClient
import CacheSemantics
import CacheStorage
import HTTPTypes
import Testing
import TestSupport

@Suite("Parts over the wire, RFC 9111 §3.3 and §3.4", .timeLimit(.minutes(20)))
struct PartialContentTests {
    private static let fields = "Cache-Control: max-age=60\r\nETag: \"v1\"\r\n"

    /// Returns a server whose first response breaks off after four of its ten bytes, or stops until the client closes,
    /// which posts `closed`; then it answers a range.
    private func server(closed: Wake? = nil) -> ScriptedServer {
        ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            guard head.contains("\r\nRange: bytes=4-\r\n"), head.contains("\r\nIf-Range: \"v1\"\r\n") else {
                connection.send("HTTP/1.1 200 OK\r\n\(Self.fields)Content-Length: 10\r\n\r\n0123")
                guard let closed else { return }
                connection.waitForClose()
                return closed.post()
            }
            connection.send(
                "HTTP/1.1 206 Partial Content\r\n\(Self.fields)Content-Range: bytes 4-9/10\r\n"
                    + "Content-Length: 6\r\n\r\n456789"
            )
        }
    }

    private func text(_ response: StreamingResponse) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A streamed response that broke off is completed by the next stream and then stored")
    func streamed() async throws {
        let test = try TestClient()
        let server = server()
        let request = ClientRequest(url: server.url + "/")
        let first = try await test.client.stream(request)
        await #expect(throws: ClientError.self) { try await text(first) }
        let second = try await test.client.stream(request)
        #expect(second.response.status.code == 200)
        #expect(second.response.headerFields[.contentLength] == "10")
        #expect(second.cacheStatus.forward == .partial)
        #expect(try await text(second) == "0123456789")
        let third = try await test.client.fetch(request)
        #expect(third.source == .memory)
        #expect(third.text == "0123456789")
        #expect(server.connections == 2)
    }

    @Test("A part that is too large to be stored leaves a stored part of the same response as it is")
    func tooLargePart() async throws {
        let test = try TestClient(memoryCapacity: 64 << 10)
        let server = ScriptedServer { connection in
            guard let head = connection.readHead() else { return }
            let (range, size) = head.contains("bytes=0-3\r\n") ? ("0-3", 4) : ("4-100003", 100_000)
            connection.send(
                "HTTP/1.1 206 Partial Content\r\n\(Self.fields)Content-Range: bytes \(range)/200000\r\n"
                    + "Content-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size)
            )
        }
        let first = ClientRequest(url: server.url + "/", fields: [.range: "bytes=0-3"])
        #expect(try await test.client.fetch(first).source == .origin)
        let second = ClientRequest(url: server.url + "/", fields: [.range: "bytes=4-100003"])
        #expect(try await text(try await test.client.stream(second)).utf8.count == 100_000)
        #expect(try await test.client.fetch(first).source == .memory)
    }

    @Test("What a cancelled stream has received is stored, and the next request completes it")
    func cancelledStream() async throws {
        let test = try TestClient()
        let closed = Wake()
        let server = server(closed: closed)
        let request = ClientRequest(url: server.url + "/")
        let first = try await test.client.stream(request)
        var pieces = first.body.makeAsyncIterator()
        #expect(try await pieces.next() == Array("0123".utf8))
        first.cancel()
        let error = await #expect(throws: ClientError.self) { try await pieces.next() }
        #expect(error?.isCancellation == true)
        // A request that comes before would still join the exchange, which would then not be cancelled.
        closed.wait()
        let second = try await test.client.fetch(request)
        #expect(second.cacheStatus.forward == .partial)
        #expect(second.text == "0123456789")
        #expect(server.connections == 2)
    }

    @Test("A stream of a range has the status, the fields and the bytes of the part")
    func streamedRange() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, _ in
            "HTTP/1.1 200 OK\r\n\(Self.fields)Content-Length: 10\r\n\r\n0123456789"
        }
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        for (field, value, status) in [
            (HTTPField.Name.range, "bytes=2-4", 206), (.range, "bytes=10-", 416),
            (.ifNoneMatch, "\"v1\"", 304),
        ] {
            let request = ClientRequest(
                url: server.url + "/",
                fields: [field: value, .acceptEncoding: "gzip, deflate"]
            )
            let response = try await test.client.stream(request)
            #expect(response.response.status.code == status)
            #expect(response.source == .memory)
            #expect(try await text(response) == (status == 206 ? "234" : ""))
        }
        #expect(server.connections == 1)
    }

    @Test("cachedResponse(for:) does not return a part")
    func lookup() async throws {
        let test = try TestClient()
        let server = server()
        let request = ClientRequest(url: server.url + "/")
        _ = await test.failure(request)
        #expect(test.store.entryCount == 1)
        #expect(test.client.cachedResponse(for: request)?.stored.statusCode == nil)
        let range = ClientRequest(url: request.url, fields: [.range: "bytes=0-1"])
        #expect(test.client.cachedResponse(for: range)?.stored.statusCode == nil)
    }

    @Test("With a hook that decides on storing, a response that broke off is not stored")
    func hook() async throws {
        let test = try TestClient { $0.willCache = { $0 } }
        let server = server()
        _ = await test.failure(ClientRequest(url: server.url + "/"))
        #expect(test.store.entryCount == 0)
    }
}
