import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Exchanges over libcurl", .timeLimit(.minutes(20)))
struct CurlTransportTests {
    @Test("Field lines arrive in order, with their case and repetitions")
    func fields() async throws {
        let server = ScriptedServer { _, _ in
            answer("200 Fine", "X-b: 1", "x-A: 2", "X-b:  3 ", body: "hello")
        }
        let response = try await TestClient().client.fetch(ClientRequest(url: server.url + "/a"))
        let lines = response.response.headerFields.dropFirst().map { $0.name.rawName + "=" + $0.value }
        #expect(lines == ["X-b=1", "x-A=2", "X-b=3"])
        #expect(response.text == "hello")
        #expect(response.response.status.code == 200)
    }

    @Test("The second request uses the first one's connection")
    func keepAlive() async throws {
        let server = ScriptedServer { number, _ in answer(body: "\(number)") }
        let client = try TestClient().client
        let first = try await client.fetch(ClientRequest(url: server.url + "/1"))
        let second = try await client.fetch(ClientRequest(url: server.url + "/2"))
        #expect(first.metrics.map(\.isReusedConnection) == [false])
        #expect(second.metrics.map(\.isReusedConnection) == [true])
        #expect(server.connections == 1)
    }

    @Test("A head that begins like the previous one is read to its own end")
    func similarHeads() async throws {
        let heads = [
            ["X-A: 1", "X-B: 2"], ["X-A: 1", "X-B: 2"], ["X-A: 1", "X-B: 3"], ["X-A: 1"],
            ["X-A: 1", "X-B: 3", "X-C: 4"], ["X-A: 1", "X-B: 3", "X-C: 4"], ["X-A: 12"], [],
        ]
        let server = ScriptedServer { number, _ in
            let lines = heads[(number - 1) % heads.count].joined(separator: "\r\n")
            let fields = lines.isEmpty ? "" : lines + "\r\n"
            return "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 1\r\n\r\nx"
        }
        let client = try TestClient().client
        for head in heads {
            let response = try await client.fetch(ClientRequest(url: server.url + "/")).response
            #expect(
                response.headerFields.map { "\($0.name.rawName): \($0.value)" } == head + [
                    "Content-Length: 1"
                ]
            )
        }
        #expect(server.connections == 1)
    }

    @Test("An interim response and trailers are distinguished from the final head")
    func interimAndTrailers() async throws {
        let server = ScriptedServer { _, _ in
            "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                + "X: final\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: t\r\n\r\n"
        }
        let response = try await TestClient().client.fetch(ClientRequest(url: server.url + "/"))
        #expect(response.response.status.code == 200)
        #expect(response.response.headerFields.map(\.name.rawName) == ["Transfer-Encoding", "X"])
        #expect(response.text == "abc")
    }

    @Test("However fast a server sends, content arrives in small pieces, and none after a pause")
    func pieces() async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            let block = [UInt8](repeating: 0x78, count: 8 << 20)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(2 * block.count)\r\n\r\n")
            for _ in 0..<2 { connection.send(block) }
        }
        let authority = "127.0.0.1:\(server.port)"
        let request = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
        let receiver = PieceCounter(pausesAt: 1 << 20)
        let transport = try TestClient().transport
        let exchange = transport.start(TransportRequest(head: request), receiver: receiver)
        for await _ in receiver.pauses { break }
        #expect(receiver.received < 1 << 20 + 128 << 10)
        exchange.resume()
        for await _ in receiver.pauses {}
        #expect(receiver.received == 16 << 20)
        #expect(receiver.largest <= 96 << 10)
        withExtendedLifetime(transport) {}
    }

    @Test("A folded field line is one value")
    func folding() async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "X-Fold: a\r\n   b", body: "x") }
        let response = try await TestClient().client.fetch(ClientRequest(url: server.url + "/"))
        #expect(response.response.headerFields.last?.value == "a b")
    }

    @Test("Only Host is sent in addition to what the cache has seen")
    func requestFields() async throws {
        let heads = Lock([String]())
        let server = ScriptedServer { _, head in
            heads.withLock { $0.append(head) }
            return answer()
        }
        _ = try await TestClient().client.fetch(ClientRequest(url: server.url + "/a?b#c"))
        let expected =
            "GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAccept-Encoding: gzip, deflate\r\n\r\n"
        #expect(heads.withLock { $0 } == [expected])
    }

    @Test("Cookies are sent as one line at the position of the first, RFC 6265 §5.4")
    func cookies() async throws {
        let heads = Lock([String]())
        let server = ScriptedServer { _, head in
            heads.withLock { $0.append(head) }
            return answer()
        }
        let client = try TestClient().client
        var split: HTTPFields = [.userAgent: "t"]
        split[.cookie] = "a=1; b=2"
        var appended = HTTPFields()
        for value in ["a=1", "", "b=2; c=3"] { appended.append(HTTPField(name: .cookie, value: value)) }
        appended[.userAgent] = "t"
        for fields in [split, appended, [.cookie: "d=4"]] {
            _ = try await client.fetch(ClientRequest(url: server.url + "/", fields: fields))
        }
        let lines = heads.withLock { $0 }.map { head in
            head.split(separator: "\r\n").filter { $0.hasPrefix("Cookie") || $0.hasPrefix("User-Agent") }
        }
        #expect(
            lines == [
                ["User-Agent: t", "Cookie: a=1; b=2"], ["Cookie: a=1; b=2; c=3", "User-Agent: t"],
                ["Cookie: d=4"],
            ]
        )
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: Int
        let sent: String?
    }

    @Test(
        "A response that breaks off fails with Foundation's code and is not stored",
        arguments: [
            Failure(testDescription: "closed at once", code: -1005, sent: ""),
            Failure(
                testDescription: "cut inside the head",
                code: -1005,
                sent: "HTTP/1.1 200 OK\r\nCache-Con"
            ),
            Failure(testDescription: "cut after a field", code: -1005, sent: "HTTP/1.1 200 OK\r\nA: b\r\n"),
            Failure(
                testDescription: "cut inside the content",
                code: -1005,
                sent: "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 10\r\n\r\nabc"
            ),
            Failure(
                testDescription: "cut inside a chunk",
                code: -1005,
                sent:
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc"
            ),
            Failure(testDescription: "not HTTP", code: -1017, sent: "garbage\r\n\r\n"),
            Failure(testDescription: "reset", code: -1005, sent: nil),
        ]
    )
    func failures(_ row: Failure) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            if let sent = row.sent { connection.send(sent) } else { connection.reset() }
        }
        let test = try TestClient { $0.engine.keepsPartialContent = false }
        let error = await test.failure(ClientRequest(url: server.url + "/"))
        #expect(error?.code.rawValue == row.code)
        #expect(test.store.entryCount == 0)
    }

    @Test(
        "An unsupported URL fails with Foundation's code",
        arguments: [
            ("http://127.0.0.1:1/", -1004), ("http://no-such-host.invalid/", -1003), ("ftp://host/", -1002),
            ("nonsense", -1000), ("http:///path", -1000), ("http://user:secret@host/", -1000),
            ("http://host/a b", -1000), ("http://host:99999/", -1000),
        ]
    )
    func unusableURLs(_ url: String, _ code: Int) async throws {
        let error = try await TestClient().failure(ClientRequest(url: url))
        #expect(error?.code.rawValue == code)
    }

    @Test("localhost is found without a name server")
    func localhost() async throws {
        let server = ScriptedServer { _, _ in answer(body: "x") }
        let response = try await TestClient().client.fetch(
            ClientRequest(url: "http://localhost:\(server.port)/")
        )
        #expect(response.text == "x")
    }

    @Test("Cancelling closes the connection and fails with -999")
    func cancellation() async throws {
        let test = try TestClient()
        let server = SilentServer()
        let task = Task { await test.failure(ClientRequest(url: server.url)) }
        await server.waitForRequest()
        task.cancel()
        #expect(await task.value?.code == -999)
        await server.waitForClose()
    }

    @Test("A task that is cancelled before its request sends nothing")
    func earlyCancellation() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, _ in answer() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await test.failure(ClientRequest(url: server.url + "/"))
        }
        #expect(await task.value?.code == -999)
    }

    @Test("Without a response the request fails with -1001 when the clock has moved by the timeout")
    func timeout() async throws {
        let test = try TestClient()
        let server = SilentServer()
        let task = Task { await test.failure(ClientRequest(url: server.url, timeout: .seconds(30))) }
        await server.waitForRequest()
        #expect(test.clock.nextDeadline == .seconds(30))
        test.clock.advance(by: .seconds(30))
        #expect(await task.value?.code == -1001)
    }

    @Test("A finished request leaves no timer behind")
    func timerEnds() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, _ in answer() }
        _ = try await test.client.fetch(ClientRequest(url: server.url + "/"))
        #expect(test.clock.nextDeadline == nil)
    }

    @Test("The number of connections to one host is limited")
    func connectionLimit() async throws {
        let test = try TestClient(connectionsPerHost: 2)
        let server = ScriptedServer { number, _ in answer(body: "\(number)") }
        let client = test.client
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { _ = try? await client.fetch(ClientRequest(url: server.url + "/\(number)")) }
            }
        }
        #expect(server.connections <= 2)
    }

    @Test(
        "A body from memory, from a file and from a stream arrives whole",
        arguments: ["bytes", "file", "stream", "sized"]
    )
    func uploads(_ form: String) async throws {
        let server = ScriptedServer { connection in
            let head = connection.readHead() ?? ""
            let isChunked = head.contains("Transfer-Encoding: chunked")
            let body = isChunked ? connection.readChunks() : connection.read(count: 6)
            connection.send(
                answer("200 OK", body: (head.contains("Expect") ? "expects " : "") + (body ?? ""))
            )
        }
        let file = try TestFolder()
        let body: RequestBody =
            switch form {
            case "bytes": .bytes(Array("abcdef".utf8))
            case "file": .file(path: try file.write("upload", "abcdef"))
            default: .stream(UploadStream(length: form == "sized" ? .bytes(6) : nil, pieces: Self.pieces))
            }
        let response = try await TestClient().client.fetch(
            ClientRequest(url: server.url + "/", method: .post, body: body)
        )
        let whole = response.text.filter { "abcdef".contains($0) }
        #expect(whole == "abcdef")
    }

    private static var pieces: AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { stream in
            stream.yield(Array("abc".utf8))
            stream.yield(Array("def".utf8))
            stream.finish()
        }
    }

    @Test(
        "A stream with more or fewer bytes than announced fails the request, and is not cut off",
        arguments: [
            (1, "more than 1"), (3, "more than 3"), (5, "more than 5"), (7, "6"), (20, "6"),
        ] as [(Int, String)]
    )
    func wrongLength(_ length: Int, found: String) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            if connection.read(count: length) != nil { connection.send(answer("201 Created", body: "")) }
        }
        let body = RequestBody.stream(UploadStream(length: .bytes(length), pieces: Self.pieces))
        let error = await (try TestClient()).failure(
            ClientRequest(url: server.url + "/", method: .post, body: body)
        )
        #expect(error?.cause?.kind == .bodyExhausted)
        #expect(
            error?.description.contains("has \(found) bytes, and its length was given as \(length).") == true
        )
    }

    @Test(
        "A request with a time limit of any length is answered",
        arguments: [.seconds(Int64.max), .seconds(Int64.max) * 18] as [Duration]
    )
    func longTimeout(_ timeout: Duration) async throws {
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            connection.send(answer(body: "x"))
        }
        let client = try CachingClient(cache: .memory())
        let response = try await client.fetch(ClientRequest(url: server.url + "/", timeout: timeout))
        #expect(response.text == "x")
    }

    @Test("A streamed response is collected up to the limit, and beyond it the error says so")
    func collecting() async throws {
        let server = ScriptedServer { connection in
            while connection.readHead() != nil { connection.send(answer(body: "abcdef")) }
        }
        let test = try TestClient()
        for (limit, text) in [(5, nil), (6, "abcdef"), (100, "abcdef")] as [(Int, String?)] {
            let response = try await test.client.stream(ClientRequest(url: server.url + "/\(limit)"))
            do throws(ClientError) {
                #expect(try await response.collected(limit: .bytes(limit)).text == text)
            } catch {
                #expect(text == nil)
                #expect(error.cause?.kind == .tooLarge)
                #expect(error.description.contains("more than 5 bytes"))
            }
        }
    }

    @Test("Uploading a missing file fails the load with -1100 and sends nothing")
    func missingFile() async throws {
        let test = try TestClient()
        let request = ClientRequest(
            url: "http://127.0.0.1:1/",
            method: .post,
            body: .file(path: "/nonexistent/file")
        )
        let error = await test.failure(request)
        #expect(error?.code == -1100)
    }

    @Test(
        "A request on a connection after a response of HTTP/1.0 has the client's own version (RFC 9112 §2.3)"
    )
    func ownVersion() async throws {
        let lines = Lock<[Substring]>([])
        let server = ScriptedServer { _, head in
            lines.withLock { $0 += head.split(separator: "\r\n").prefix(1) }
            return "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"
        }
        let test = try TestClient()
        for _ in 0..<2 { _ = try await test.client.fetch(ClientRequest(url: server.url + "/a")) }
        #expect(lines.withLock { $0 } == ["GET /a HTTP/1.1", "GET /a HTTP/1.1"])
    }

    @Test("Content of unknown length is not sent to a server that speaks HTTP/1.0, RFC 9112 §6.1")
    func chunksForHTTP10() async throws {
        let versions = Lock(["1.0", "1.0", "1.1", "1.1", "1.0 503", "1.1"])
        let server = ScriptedServer { connection in
            let head = connection.readHead() ?? ""
            if head.contains("chunked") { _ = connection.readChunks() }
            if head.contains("Content-Length: 6") { _ = connection.read(count: 6) }
            let version = versions.withLock { $0.removeFirst() }
            let start = version.contains(" ") ? version : version + " 200"
            connection.send("HTTP/\(start) X\r\nContent-Length: 1\r\n\r\n\(head.first ?? "-")")
        }
        let client = try TestClient().client
        let send = { (length: ByteCount?) in
            let body = RequestBody.stream(UploadStream(length: length, pieces: Self.pieces))
            return try await client.fetch(ClientRequest(url: server.url + "/", method: .post, body: body))
                .text
        }
        #expect(try await client.get(server.url + "/").text == "G")
        await #expect(throws: ClientError.self) { try await send(nil) }
        #expect(try await send(.bytes(6)) == "P")
        #expect(try await client.get(server.url + "/").text == "G")
        #expect(try await send(nil) == "P")
        // A reply of 503 may be that of a proxy in front of the server.
        #expect(try await client.get(server.url + "/").status == 503)
        #expect(try await send(nil) == "P")
        #expect(versions.withLock { $0 } == [])
    }

    @Test(
        "A refused expectation is the response, and the request is not sent again",
        arguments: ["POST", "PUT"]
    )
    func refusedExpectation(method: String) async throws {
        let heads = Lock(0)
        let server = ScriptedServer { _, _ in
            heads.withLock { $0 += 1 }
            return "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 10\r\n\r\n0123456789"
        }
        let test = try TestClient()
        let request = ClientRequest(
            url: server.url + "/a",
            method: try #require(HTTPRequest.Method(method)),
            fields: [.expect: "100-continue"],
            body: .bytes(Array("hello".utf8))
        )
        let response = try await test.client.fetch(request)
        #expect(response.status == 417)
        #expect(response.response.headerFields[values: .contentLength] == ["0"])
        #expect(response.body.isEmpty)
        #expect(heads.withLock { $0 } == 1)
    }
}
