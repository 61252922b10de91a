import CacheSemantics
import CacheStorage
import HTTPTypes
import TestSupport
import Testing

@testable import CacheClient

@Suite("Responses that are rejected or accepted unchanged, RFC 9112 §2.2, §5, §6", .timeLimit(.minutes(20)))
struct RejectedResponseTests {
    @Test("A rejected response fails with -1017 and is not stored", arguments: ResponseRows.rejected)
    func rejected(_ row: ResponseRow) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(row.text)
        }
        let test = try TestClient { $0.engine.keepsPartialContent = false }
        let error = await test.failure(ClientRequest(url: server.url + "/"))
        #expect(error?.code == -1017, "\(error?.description ?? "no error")")
        #expect(test.store.entryCount == 0)
    }

    @Test("The parser itself rejects what libcurl may accept", arguments: ResponseRows.rejected)
    func rejectedByParser(_ row: ResponseRow) {
        var parser = HeadParser()
        parser.begin()
        // libcurl parses chunks itself: only the trailers of a chunked body's text are left.
        let trailers =
            row.head.contains("chunked") ? String(row.body.trimmingPrefix("5\r\nhello\r\n0\r\n")) : ""
        let problems = (row.interim + row.head + trailers).utf8
            .split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            .map { Array($0) + [0x0A] }
            .compactMap { line -> String? in
                if case .malformed(let problem) = line.withUnsafeBytes({ parser.take($0) }) { return problem }
                return nil
            }
        // The parser treats a NUL like any other byte within a value, where it becomes a space.
        #expect(!problems.isEmpty || row.testDescription == "a value has a NUL")
    }

    @Test("Responses that the RFCs permit are read to their end", arguments: ResponseRows.accepted)
    func accepted(_ row: ResponseRow) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(row.text)
        }
        let response = try await TestClient().client.fetch(ClientRequest(url: server.url + "/"))
        #expect(response.text == "hello")
        #expect(response.response.headerFields[HTTPField.Name("X") ?? .accept] == "a b")
    }

    @Test(
        "A rejected response to HEAD fails with -1017",
        arguments: ["Content-Length: +5", "Transfer-Encoding: gzip"]
    )
    func head(_ line: String) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n")
        }
        let error = try await TestClient().failure(ClientRequest(url: server.url + "/", method: .head))
        #expect(error?.code == -1017)
    }

    @Test(
        "After a response on a reused connection that begins with a folded line, the client continues normally"
    )
    func foldedOnReusedConnection() async throws {
        // Before 8.1.0 libcurl wrote to freed memory at the second response of an easy handle.
        let server = ScriptedServer { number, _ in
            "HTTP/1.1 200 OK\r\n" + (number.isMultiple(of: 2) ? " X: y\r\n" : "X-A: aaaa\r\n")
                + "Cache-Control: no-store\r\nContent-Length: 2\r\n\r\nok"
        }
        let test = try TestClient()
        for _ in 0..<20 {
            let good = try await test.client.fetch(ClientRequest(url: server.url + "/"))
            #expect(good.text == "ok")
            let error = await test.failure(ClientRequest(url: server.url + "/"))
            #expect(error?.code == -1017)
        }
    }

    @Test(
        "Handles are reused from libcurl 8.1.0 on",
        arguments: [(0x075801, false), (0x0800FF, false), (0x080100, true)]
    )
    func versions(_ version: Int, _ allowsReuse: Bool) {
        #expect(CurlVersion.allowsReuse(UInt32(version)) == allowsReuse)
    }

    @Test(
        "The version of HTTP of the head is reported",
        arguments: [("1.0", HTTPVersion.http10), ("1.1", .http11)]
    )
    func receivedVersion(_ version: String, _ expected: HTTPVersion) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send("HTTP/\(version) 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let test = try TestClient()
        let streamed = try await test.client.stream(ClientRequest(url: server.url + "/"))
        #expect(streamed.metrics.version == expected)
        let whole = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        #expect(whole.metrics.map(\.version) == [expected])
    }
}
