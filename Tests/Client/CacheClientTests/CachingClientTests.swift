import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import Czlib
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("The caching client", .timeLimit(.minutes(20)))
struct CachingClientTests {
    @Test("A fresh response is served from memory, without a request to the origin")
    func memoryHit() async throws {
        let test = try TestClient()
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=60", body: "\(number)")
        }
        let request = ClientRequest(url: server.url + "/")
        let first = try await test.client.fetch(request)
        test.clock.advance(by: .seconds(30))
        let second = try await test.client.fetch(request)
        #expect(first.source == .origin)
        #expect(first.cacheStatus.parameters["stored"] == "true")
        #expect(first.cacheStatus.parameters["fwd"] == "uri-miss")
        #expect(second.source == .memory)
        #expect(second.text == "1")
        #expect(second.age == .seconds(30))
        #expect(second.cacheStatus.parameters["ttl"] == "30")
        #expect(second.cacheStatus.description == "CacheCheck; hit; ttl=30; key=\"\(server.url)/\"")
    }

    @Test("A stale response is validated, and the caller sees the stored content")
    func validation() async throws {
        let test = try TestClient()
        let server = ScriptedServer { number, head in
            number == 1
                ? answer("200 OK", "Cache-Control: max-age=60", "ETag: \"v1\"", body: "one")
                : "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nCache-Control: max-age=60\r\n"
                    + (head.contains("If-None-Match: \"v1\"") ? "X-Asked: yes\r\n" : "") + "\r\n"
        }
        let request = ClientRequest(url: server.url + "/")
        _ = try await test.client.fetch(request)
        test.clock.advance(by: .seconds(61))
        let log = EventLog()
        let second = try await test.client.fetch(request, observer: log)
        #expect(second.source == .validated)
        #expect(second.text == "one")
        #expect(second.response.status.code == 200)
        #expect(second.response.headerFields.contains { $0.name.rawName == "X-Asked" })
        #expect(second.cacheStatus.parameters["fwd-status"] == "304")
        #expect(second.cacheStatus.parameters["fwd"] == "stale")
        #expect(log.names == ["will-send", "response", "data", "finish"])
        let third = try await test.client.fetch(request)
        #expect(third.source == .memory)
    }

    @Test("Events of a load from the network and of one from the store come in order")
    func events() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: "abc") }
        let request = ClientRequest(url: server.url + "/")
        let (first, second, third) = (EventLog(), EventLog(), EventLog())
        _ = try await test.client.fetch(request, observer: first)
        _ = try await test.client.fetch(request, observer: second)
        #expect(first.shape == ["will-send", "response", "data", "will-cache", "finish"])
        #expect(second.names == ["will-send", "response", "data", "finish"])
        _ = try? await test.client.fetch(ClientRequest(url: "http://127.0.0.1:1/"), observer: third)
        #expect(third.names == ["will-send", "fail"])
    }

    @Test("returnCacheDataDontLoad without an entry fails with -1008 and sends nothing")
    func dontLoad() async throws {
        let server = ScriptedServer { _, _ in answer() }
        let error = try await TestClient().failure(
            ClientRequest(url: server.url + "/", policy: .returnCacheDataDontLoad)
        )
        #expect(error?.code == -1008)
        #expect(server.connections == 0)
    }

    @Test("only-if-cached without an entry is a 504 without a request to the origin")
    func onlyIfCached() async throws {
        let server = ScriptedServer { _, _ in answer() }
        let response = try await TestClient().client.fetch(
            ClientRequest(url: server.url + "/", fields: [.cacheControl: "only-if-cached"])
        )
        #expect(response.response.status.code == 504)
        #expect(response.source == .generated)
        #expect(server.connections == 0)
    }

    @Test(
        "Offline, responses that may be served stale are served, others are a 504 with its cause, or else -1009"
    )
    func offline() async throws {
        let test = try TestClient()
        let server = ScriptedServer { _, head in
            answer(
                "200 OK",
                "Cache-Control: max-age=1" + (head.contains("/must") ? ", must-revalidate" : ""),
                body: "x"
            )
        }
        let (may, must) = (ClientRequest(url: server.url + "/may"), ClientRequest(url: server.url + "/must"))
        _ = try await test.client.fetch(may)
        _ = try await test.client.fetch(must)
        test.clock.advance(by: .seconds(10))
        test.client.isOnline = false
        let served = try await test.client.fetch(may)
        #expect(served.source == .memory)
        #expect(served.isStale)
        var configuration = CachingClient.Configuration()
        configuration.usesStaleWhenDisconnected = false
        let strict = CachingClient(
            configuration,
            store: test.store,
            transport: test.transport,
            clock: test.clock
        )
        strict.isOnline = false
        await #expect(throws: ClientError.self) { try await strict.fetch(may) }
        let refused = try await test.client.fetch(must)
        #expect(refused.response.status.code == 504)
        #expect(refused.cause?.code == -1009)
        #expect(await test.failure(ClientRequest(url: server.url + "/none"))?.code == -1009)
    }

    @Test("Gzip content is stored as received and decoded for the caller")
    func gzip() async throws {
        let test = try TestClient()
        let coded = gzipped(Array("hello hello hello".utf8))
        let server = ScriptedServer { connection in
            while connection.readHead() != nil {
                connection.send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\n"
                        + "Vary: Accept-Encoding\r\nContent-Length: \(coded.count)\r\n\r\n"
                )
                connection.send(coded)
            }
        }
        let request = ClientRequest(url: server.url + "/")
        let first = try await test.client.fetch(request)
        let second = try await test.client.fetch(request)
        #expect([first.text, second.text] == ["hello hello hello", "hello hello hello"])
        #expect(second.source == .memory)
        #expect(try test.client.cachedResponse(for: request)?.body.readAll() == coded)
    }

    @Test("Damaged gzip content fails and is not stored, and so does too much of it")
    func damagedGzip() async throws {
        let test = try TestClient { $0.largestContent = .bytes(1000) }
        let bomb = gzipped([UInt8](repeating: 0, count: 100_000))
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                let body = head.contains("/bomb") ? bomb : Array(bomb.prefix(20))
                connection.send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\n"
                        + "Content-Length: \(body.count)\r\n\r\n"
                )
                connection.send(body)
            }
        }
        #expect(await test.failure(ClientRequest(url: server.url + "/cut"))?.code == -1015)
        #expect(await test.failure(ClientRequest(url: server.url + "/bomb"))?.code == -1103)
        #expect(test.store.entryCount == 0)
    }

    @Test(
        "Content as received is limited, too, whether it is announced, in one piece or without an end",
        arguments: [(1000, true, false), (1001, true, true), (1001, false, true), (Int.max, false, true)]
    )
    func largest(bytes: Int, isAnnounced: Bool, fails: Bool) async throws {
        let test = try TestClient { $0.largestContent = .bytes(1000) }
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            let length = isAnnounced ? "Content-Length: \(bytes)\r\n" : ""
            connection.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(length)\r\n")
            let piece = [UInt8](repeating: 0x78, count: min(bytes, 65_536))
            // The client closes the connection; otherwise these are 640 MiB.
            for _ in 0..<(bytes == .max ? 10_000 : 1) where connection.send(piece) < piece.count { break }
        }
        let request = ClientRequest(url: server.url + "/")
        if fails {
            #expect(await test.failure(request)?.code == -1103)
            #expect(test.store.entryCount == 0)
        } else {
            #expect(try await test.client.fetch(request).body.count == bytes)
        }
    }

    @Test("Redirects are followed one by one through the cache, POST becoming GET on 302")
    func redirects() async throws {
        let test = try TestClient()
        let heads = Lock([String]())
        let server = ScriptedServer { connection in
            while let head = connection.readHead() {
                heads.withLock { $0.append(String(head.prefix { $0 != "\r\n" })) }
                if head.contains("POST") { _ = connection.read(count: 1) }
                connection.send(
                    head.contains(" /a ")
                        ? answer("302 Found", "Location: b?x#frag")
                        : answer("200 OK", "Cache-Control: max-age=9", body: "b")
                )
            }
        }
        let log = EventLog()
        let request = ClientRequest(url: server.url + "/a", method: .post, body: .bytes([65]))
        let response = try await test.client.fetch(request, observer: log)
        #expect(heads.withLock { $0 } == ["POST /a HTTP/1.1", "GET /b?x HTTP/1.1"])
        #expect(response.url == server.url + "/b?x#frag")
        #expect(response.redirects == 1)
        #expect(response.metrics.count == 2)
        #expect(log.shape == ["will-send", "will-send", "response", "data", "will-cache", "finish"])
        let direct = try await test.client.fetch(ClientRequest(url: server.url + "/b?x"))
        #expect(direct.source == .memory)
    }

    @Test("A load that a 304 validates has one transaction: from the network, with the status 304")
    func validatedMetrics() async throws {
        let server = ScriptedServer { _, head in
            head.lowercased().contains("if-none-match")
                ? answer("304 Not Modified", "ETag: \"v1\"", body: "")
                : answer("200 OK", "Cache-Control: no-cache", "ETag: \"v1\"", body: "b")
        }
        let client = try TestClient().client
        _ = try await client.fetch(ClientRequest(url: server.url + "/"))
        let response = try await client.fetch(ClientRequest(url: server.url + "/"))
        #expect(response.response.status == .ok && response.source == .validated)
        #expect(response.metrics.map(\.status) == [304])
        #expect(response.metrics.map(\.source) == [.validated])
    }

    @Test("Authorization does not follow a redirect to another origin")
    func credentials() async throws {
        let heads = Lock([String]())
        let other = ScriptedServer { _, head in
            heads.withLock { $0.append(head) }
            return answer()
        }
        let server = ScriptedServer { _, _ in answer("307 Temporary Redirect", "Location: \(other.url)/") }
        let fields: HTTPFields = [.authorization: "Bearer x"]
        _ = try await TestClient().client.fetch(ClientRequest(url: server.url + "/", fields: fields))
        #expect(heads.withLock { $0.map { $0.contains("Authorization") } } == [false])
    }

    @Test("The twenty-first redirect is -1007")
    func tooManyRedirects() async throws {
        let server = ScriptedServer { _, _ in answer("302 Found", "Location: /") }
        let error = try await TestClient().failure(ClientRequest(url: server.url + "/"))
        #expect(error?.code == -1007)
    }

    @Test("The will-cache hook replaces an entry, keeps it from disk, or refuses it")
    func hook() async throws {
        let server = ScriptedServer { _, _ in answer("200 OK", "Cache-Control: max-age=60", body: "one") }
        let request = ClientRequest(url: server.url + "/")
        let refusing = try TestClient { $0.willCache = { _ in nil } }
        _ = try await refusing.client.fetch(request)
        #expect(refusing.store.entryCount == 0)
        let appending = try TestClient {
            $0.willCache = { entry in
                var entry = entry
                entry.body = .bytes(Array("two".utf8))
                entry.userInfo["k"] = .integer(1)
                return entry
            }
        }
        let first = try await appending.client.fetch(request)
        let second = try await appending.client.fetch(request)
        #expect([first.text, second.text] == ["one", "two"])
        #expect(appending.client.cachedResponse(for: request)?.userInfo["k"] == .integer(1))
    }

    @Test("The cache's own expiry removes an entry when more than the interval has passed")
    func expiration() async throws {
        let test = try TestClient { $0.expirationInterval = .seconds(600) }
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=3600", body: "\(number)")
        }
        let request = ClientRequest(url: server.url + "/", policy: .returnCacheDataElseLoad)
        _ = try await test.client.fetch(request)
        test.clock.advance(by: .seconds(600))
        #expect(try await test.client.fetch(request).source == .memory)
        test.clock.advance(by: .milliseconds(1))
        #expect(test.client.cachedResponse(for: request) == nil)
        #expect(test.store.entryCount == 0)
        #expect(try await test.client.fetch(request).source == .origin)
    }

    @Test("An entry that the caller has stored is served whatever its age, and can be removed")
    func entriesByHand() async throws {
        let test = try TestClient()
        let request = ClientRequest(url: "http://nowhere.invalid/a", policy: .returnCacheDataDontLoad)
        #expect(test.client.store(HTTPResponse(status: .ok), body: [1, 2], for: request))
        test.clock.advance(by: .seconds(86_400))
        #expect(try await test.client.fetch(request).body == [1, 2])
        test.client.removeCachedResponse(for: request)
        #expect(test.client.cachedResponse(for: request) == nil)
    }

    @Test("stale-while-revalidate serves at once and validates once, however many requests there are")
    func staleWhileRevalidate() async throws {
        let test = try TestClient()
        let requests = Lock(0)
        let server = ScriptedServer { number, _ in
            requests.withLock { $0 = number }
            return answer(
                "200 OK",
                "Cache-Control: max-age=1, stale-while-revalidate=60",
                "ETag: \"\(number)\"",
                body: "\(number)"
            )
        }
        let request = ClientRequest(url: server.url + "/")
        _ = try await test.client.fetch(request)
        test.clock.advance(by: .seconds(5))
        for _ in 0..<3 {
            let stale = try await test.client.fetch(request)
            if stale.isStale { #expect(stale.text == "1") }
        }
        await test.client.waitForBackgroundWork()
        #expect(requests.withLock { $0 } == 2)
        #expect(try await test.client.fetch(request).text == "2")
        #expect(test.client.isIdle)
    }

    @Test(
        "A background validation ends when its response is too large to be stored, and the stale response is not used again",
        arguments: ["", "Content-Length: 10000000000\r\n"]
    )
    func staleWhileRevalidateTooLarge(length: String) async throws {
        let test = try TestClient(memoryCapacity: 64 << 10)
        let fields = "Cache-Control: max-age=1, stale-while-revalidate=60"
        let (accepted, end) = AsyncStream<Int>.makeStream()
        let server = ScriptedServer { connection in
            guard connection.readHead() != nil else { return }
            guard connection.number == 2 else {
                let body = "\(connection.number)"
                return connection.send(answer("200 OK", fields, "Connection: close", body: body))
            }
            connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\(length)\r\n")
            end.yield(connection.send([UInt8](repeating: 0, count: 64 << 20)))
            end.finish()
        }
        let request = ClientRequest(url: server.url + "/")
        #expect(try await test.client.fetch(request).text == "1")
        test.clock.advance(by: .seconds(5))
        #expect(try await test.client.fetch(request).text == "1")
        await test.client.waitForBackgroundWork()
        for await count in accepted { #expect(count < 64 << 20) }
        #expect(try await test.client.fetch(request).text == "3")
    }
}

/// Returns the gzip coding of `bytes`.
func gzipped(_ bytes: [UInt8]) -> [UInt8] { coded(bytes, 31) }

/// Returns bytes in one of zlib's forms: 31 is gzip, 15 is deflate with a header, -15 without.
func coded(_ bytes: [UInt8], _ windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + 1000)
    guard cachecheck_deflate_init(&stream, 6, windowBits) == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    let count = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            deflate(&stream, Z_FINISH)
            return output.count - Int(stream.avail_out)
        }
    }
    return Array(output[..<count])
}
