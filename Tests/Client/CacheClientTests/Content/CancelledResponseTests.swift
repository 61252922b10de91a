import CacheClient
import Testing
import TestSupport

@Suite("Responses that are cancelled while their content is read", .timeLimit(.minutes(20)))
struct CancelledResponseTests {
    /// Returns a server that sends the beginning of a response, and a stream that ends when its connection is closed.
    private func unendingServer(_ cacheControl: String) -> (server: ScriptedServer, closed: AsyncStream<Void>)
    {
        let (closed, closedDone) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            let fields = "Cache-Control: \(cacheControl)\r\nContent-Length: 100\r\n\r\n"
            connection.send("HTTP/1.1 200 OK\r\n\(fields)abc")
            connection.waitForClose()
            closedDone.finish()
        }
        return (server, closed)
    }

    /// Reads the rest of a response, and returns the error.
    private func failure(of response: StreamingResponse) async -> ClientError? {
        do throws(ClientError) {
            for try await _ in response.body {}
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A cancelled response closes its connection, and each later read throws a cancellation",
        arguments: ["max-age=60", "no-store"]
    )
    func cancelledResponse(_ cacheControl: String) async throws {
        let test = try TestClient()
        let (server, closed) = unendingServer(cacheControl)
        let log = EventLog()
        let response = try await test.client.stream(ClientRequest(url: server.url + "/"), observer: log)
        response.cancel()
        response.cancel()
        for await _ in closed {}
        #expect(await failure(of: response)?.isCancellation == true)
        #expect(await failure(of: response)?.isCancellation == true)
        #expect(log.shape == ["will-send", "response", "fail"])
    }

    /// A way to stop reading before the end.
    struct Leaving: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leave: @Sendable (consuming StreamingResponse) async throws -> Void
    }

    @Test(
        "The last event of a stream that is not read to its end is a failure",
        arguments: ["max-age=60", "no-store"],
        [
            Leaving(testDescription: "released unread") { _ in },
            Leaving(testDescription: "released in the midst") { for try await _ in $0.body { break } },
            Leaving(testDescription: "larger than the caller's limit") {
                let response = $0
                await #expect(throws: ClientError.self) { try await response.collected(limit: .bytes(2)) }
            },
        ]
    )
    func unreadStream(_ cacheControl: String, way: Leaving) async throws {
        let test = try TestClient()
        let (server, closed) = unendingServer(cacheControl)
        let log = EventLog()
        try await way.leave(test.client.stream(ClientRequest(url: server.url + "/"), observer: log))
        for await _ in closed {}
        #expect(log.names.first == "will-send")
        #expect(log.names.filter { ["fail", "finish"].contains($0) } == ["fail"])
        #expect(log.names.last == "fail")
    }

    @Test("Cancelling a response ends the read that waits for it", arguments: ["max-age=60", "no-store"])
    func cancelledRead(_ cacheControl: String) async throws {
        let test = try TestClient()
        let (server, closed) = unendingServer(cacheControl)
        let response = try await test.client.stream(ClientRequest(url: server.url + "/"))
        let (arrived, arrivedDone) = AsyncStream<Void>.makeStream()
        let reader = Task { () -> ClientError? in
            do throws(ClientError) {
                for try await _ in response.body { arrivedDone.finish() }
                return nil
            } catch {
                return error
            }
        }
        for await _ in arrived {}
        await Activity(test.transport.loop).blocked()
        response.cancel()
        #expect(await reader.value?.isCancellation == true)
        for await _ in closed {}
    }

    @Test(
        "A cancelled response from the store throws a cancellation, one that has been read to its end nothing"
    )
    func cancelledStoredResponse() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: "x") }
        let request = ClientRequest(url: server.url + "/")
        let first = try await test.client.stream(request)
        #expect(await failure(of: first) == nil)
        first.cancel()
        #expect(await failure(of: first) == nil)
        let second = try await test.client.stream(request)
        #expect(second.source == .memory)
        second.cancel()
        #expect(await failure(of: second)?.isCancellation == true)
        let third = try await test.client.stream(request)
        #expect(try await third.collected(limit: .bytes(1)).text == "x")
    }
}
