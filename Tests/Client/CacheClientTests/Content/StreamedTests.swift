import CacheClient
import HTTPTypes
import TestSupport
import Testing

@Suite("Content that is read piece by piece", .timeLimit(.minutes(20)))
struct StreamedTests {
    /// Reads a response to its end; its content, and the error that ended it.
    private func read(_ response: StreamingResponse) async -> (String, ClientError?) {
        var content: [UInt8] = []
        do throws(ClientError) {
            for try await piece in response.body { content += piece }
            return (String(decoding: content, as: UTF8.self), nil)
        } catch {
            return (String(decoding: content, as: UTF8.self), error)
        }
    }

    @Test(
        "Content that breaks off throws at its end, stored for others or not",
        arguments: ["max-age=60", "no-store"]
    )
    func broken(directive: String) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(
                "HTTP/1.1 200 OK\r\nCache-Control: \(directive)\r\nContent-Length: 10\r\n\r\nhello"
            )
        }
        let test = try TestClient { $0.engine.keepsPartialContent = false }
        let (content, error) = await read(try await test.client.stream(ClientRequest(url: server.url + "/")))
        #expect(content == "hello")
        #expect(error?.code == .connectionLost)
        #expect(test.store.entryCount == 0)
    }

    @Test(
        "Content that is read piece by piece may be larger than the limit, which applies to what is held or decoded"
    )
    func limit() async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: no-store", body: "0123456789")
        }
        let test = try TestClient { $0.largestContent = .bytes(9) }
        let request = ClientRequest(url: server.url + "/")
        let (content, error) = await read(try await test.client.stream(request))
        #expect(content == "0123456789")
        #expect(error == nil)
        #expect(await test.failure(request)?.code == .tooLarge)
    }

    @Test(
        "A stored response without content has none, and one with content has all of it",
        arguments: ["", "hello"]
    )
    func stored(body: String) async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: body) }
        let test = try TestClient()
        let request = ClientRequest(url: server.url + "/")
        for source in [ResponseSource.origin, .memory] {
            let response = try await test.client.stream(request)
            #expect(response.source == source)
            #expect(response.storedLength == (source == .memory ? .bytes(body.utf8.count) : nil))
            let (content, error) = await read(response)
            #expect(content == body)
            #expect(error == nil)
        }
    }

    @Test("A part, or a confirmation, of a stored response is answered from it, piece by piece")
    func parts() async throws {
        let server = ScriptedServer { _, _ in
            answer("200 OK", "Cache-Control: max-age=60", "ETag: \"a\"", body: "0123456789")
        }
        let test = try TestClient()
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        let rows: [(HTTPFields, Int, String)] = [
            ([.range: "bytes=2-4"], 206, "234"), ([.range: "bytes=20-"], 416, ""),
            ([.ifNoneMatch: "\"a\""], 304, ""),
        ]
        for (fields, status, text) in rows {
            let request = ClientRequest(url: server.url + "/", fields: fields)
            let whole = try await test.client.fetch(request)
            #expect(whole.status == status)
            #expect(whole.text == text)
            let response = try await test.client.stream(request)
            #expect(response.status == status)
            #expect(await read(response).0 == text)
        }
        #expect(server.connections == 1)
    }
}
