import CacheClient
import CacheSemantics
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("The targets that a client sends and builds its keys from", .blocking)
struct TargetTests {
    /// Answers each request with its target, fresh for a minute.
    private static func echo() -> ScriptedServer {
        ScriptedServer { _, head in
            let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            return answer("200 OK", "Cache-Control: max-age=60", body: target)
        }
    }

    @Test(
        "The target is sent as it is in the key",
        arguments: [
            ("/%73ecret", "/%73ecret"), ("/a%2fb?%7e", "/a%2fb?%7e"), ("/x/../a", "/a"),
            ("/x/%2e%2E/%61", "/%61"), ("/ü?ü", "/%C3%BC?%C3%BC"), ("?q", "/?q"), ("", "/"), ("/a#f", "/a"),
        ]
    )
    func sent(given: String, sent: String) async throws {
        let server = Self.echo()
        defer { server.stop() }
        let test = try TestClient()
        let request = ClientRequest(url: server.url + given)
        #expect(try await test.client.fetch(request).text == sent)
        #expect(test.client.cacheKey(for: request)?.targetURI == server.url + sent)
        #expect(try await test.client.fetch(ClientRequest(url: server.url + sent)).source == .memory)
    }

    @Test(
        "A request whose Host is not that of its URL is sent, but neither stored nor answered from the store",
        arguments: [false, true]
    )
    func otherHost(byHook: Bool) async throws {
        let host = try #require(HTTPField.Name("Host"))
        let asked = Lock<[String]>([])
        let server = ScriptedServer { _, head in
            let named = head.contains("Host: evil") ? "evil" : "own"
            asked.withLock { $0.append(named) }
            return answer("200 OK", "Cache-Control: max-age=60", body: named)
        }
        defer { server.stop() }
        let test = try TestClient { configuration in
            guard byHook else { return }
            configuration.willSend = { request, _ in
                guard request.path == "/?evil" else { return nil }
                var request = request
                request.path = "/"
                request.headerFields[host] = "evil"
                return request
            }
        }
        let plain = ClientRequest(url: server.url + "/")
        var other = ClientRequest(url: server.url + (byHook ? "/?evil" : "/"))
        if !byHook { other.fields[host] = "evil" }
        for _ in 1...2 { #expect(try await test.client.fetch(other).text == "evil") }
        #expect(try await test.client.fetch(plain).text == "own")
        #expect(try await test.client.fetch(plain).source == .memory)
        #expect(try await test.client.fetch(other).text == "evil")
        #expect(asked.withLock { $0 } == ["evil", "evil", "own", "evil"])
    }

    @Test("A Host that says what the URL says does not matter to the cache", arguments: ["", "LOCALHOST"])
    func sameHost(name: String) async throws {
        let server = Self.echo()
        defer { server.stop() }
        let test = try TestClient()
        let host = try #require(HTTPField.Name("Host"))
        let authority = String(server.url.dropFirst("http://".count))
        let url = name.isEmpty ? server.url : "http://\(name.lowercased()):\(server.port)"
        var request = ClientRequest(url: url + "/a")
        request.fields[host] = name.isEmpty ? authority : "\(name):\(server.port)"
        #expect(try await test.client.fetch(request).source == .origin)
        #expect(try await test.client.fetch(ClientRequest(url: url + "/a")).source == .memory)
        #expect(try await test.client.fetch(request).source == .memory)
    }

    @Test(
        "If percent-encoding is normalized, requests, keys and the URLs of hooks are normalized"
    )
    func normalized() async throws {
        let server = Self.echo()
        defer { server.stop() }
        let test = try TestClient { $0.normalizesPercentEncoding = true }
        let request = ClientRequest(url: server.url + "/%73ecret?%7e=%2f")
        #expect(try await test.client.fetch(request).text == "/secret?~=%2F")
        #expect(test.client.cacheKey(for: request)?.targetURI == server.url + "/secret?~=%2F")
        #expect(try await test.client.fetch(request).source == .memory)
        #expect(test.client.hit(for: request) != nil)
        let hooked = try TestClient { configuration in
            configuration.normalizesPercentEncoding = true
            configuration.willSend = { request, _ in
                var request = request
                request.path = "/%61"
                return request
            }
        }
        let asked = ClientRequest(url: server.url + "/")
        #expect(try await hooked.client.fetch(asked).text == "/a")
        #expect(hooked.client.hit(for: asked) == nil)
        #expect(hooked.client.hit(for: ClientRequest(url: server.url + "/a")) == nil)
    }

    @Test("A HEAD with content is sent with it, and ends after the head of the response")
    func headWithContent() async throws {
        let server = ScriptedServer { _, head in
            let isSent = head.hasPrefix("HEAD ") && head.contains("Content-Length: 3")
            return "HTTP/1.1 \(isSent ? "200 OK" : "400 Bad Request")\r\nContent-Length: 5\r\n\r\n"
        }
        defer { server.stop() }
        let test = try TestClient()
        var request = ClientRequest(url: server.url + "/a", method: .head)
        request.body = .bytes(Array("q=1".utf8))
        let response = try await test.client.fetch(request)
        #expect(response.response.status == .ok)
        #expect(response.response.headerFields[.contentLength] == "5")
        #expect(response.body.isEmpty)
    }

    @Test("An invalid URL has no key")
    func noKey() throws {
        #expect(try TestClient().client.cacheKey(for: ClientRequest(url: "nothing")) == nil)
    }

    @Test(
        "A partitioned client answers an account from memory only with its own responses",
        .checks("rfc9111.2.credentials"),
        arguments: [("Cookie", "sid=1"), ("Authorization", "Bearer a")]
    )
    func partition(name: String, value: String) async throws {
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=60", body: "\(number)")
        }
        defer { server.stop() }
        let test = try TestClient { configuration in
            configuration.engine.partition = CredentialPartition(salt: Array("sixteen bytes ok".utf8))
        }
        let anonymous = ClientRequest(url: server.url + "/")
        let own = ClientRequest(url: server.url + "/", fields: [try #require(HTTPField.Name(name)): value])
        #expect(try await test.client.fetch(anonymous).text == "1")
        #expect(test.client.hit(for: own) == nil)
        #expect(try await test.client.fetch(own).text == "2")
        let (hit, ownHit) = (test.client.hit(for: anonymous), test.client.hit(for: own))
        #expect(hit?.body == Array("1".utf8) && ownHit?.body == Array("2".utf8))
        #expect(hit.map(test.client.confirms) == true && ownHit.map(test.client.confirms) == true)
        #expect(hit?.key != ownHit?.key)
    }

    @Test(
        "A GET with content is not a hit, whether its content is in memory, in a file or a stream",
        .checks("rfc9110.9.3.1.content")
    )
    func content() async throws {
        let count = Lock(0)
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if head.lowercased().contains("content-length: 1") { _ = connection.read(count: 1) }
                if head.lowercased().contains("chunked") { _ = connection.readChunks() }
                connection.send(answer("200 OK", "Cache-Control: max-age=60", body: "\(number)"))
            }
        }
        defer { server.stop() }
        let folder = try TestFolder()
        let path = try folder.write("a", "x")
        let test = try TestClient()
        func get(_ body: RequestBody?) async throws -> String {
            try await test.client.fetch(ClientRequest(url: server.url + "/", body: body)).text
        }
        let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        #expect(try await get(nil) == "1")
        #expect(try await get(.bytes([1])) == "2")
        #expect(try await get(.file(path: path)) == "3")
        #expect(try await get(.stream(UploadStream(pieces: pieces))) == "4")
        #expect(try await get(nil) == "1")
        #expect(try await get(.bytes([])) == "1")
        #expect(test.client.hit(for: ClientRequest(url: server.url + "/", body: .bytes([1]))) == nil)
        #expect(
            test.client.cachedResponse(for: ClientRequest(url: server.url + "/", body: .bytes([1]))) == nil
        )
    }
}
