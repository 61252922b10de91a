import CacheClient
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Methods and content in short", .timeLimit(.minutes(20)))
struct MethodTests {
    /// Returns a server that answers each request with its request line, media type and content.
    private static func echo() -> ScriptedServer {
        ScriptedServer { connection in
            while let head = connection.readHead() {
                let lines = head.split(separator: "\r\n")
                let type = lines.first { $0.lowercased().hasPrefix("content-type:") } ?? "none"
                let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                let count = length.flatMap { Int($0.drop { $0 != " " }.dropFirst()) }
                let isChunked = head.lowercased().contains("transfer-encoding: chunked")
                let content =
                    isChunked
                    ? connection.readChunks().map(decoded) : connection.read(count: count ?? 0)
                let text = "\(lines[0].prefix { $0 != " " })|\(type)|\(content ?? "")"
                connection.send(answer("200 OK", body: text))
            }
        }
    }

    /// Returns the content of chunks: each other line, after its size.
    private static func decoded(_ chunks: String) -> String {
        chunks.split(separator: "\r\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element).joined()
    }

    @Test("PUT, DELETE and POST send their content, a text as text/plain")
    func methods() async throws {
        let client = try TestClient().client
        let server = Self.echo()
        defer { server.stop() }
        let url = server.url + "/"
        let plain = "Content-Type: text/plain; charset=utf-8"
        #expect(try await client.put(url, body: [0x61]).text == "PUT|none|a")
        #expect(try await client.put(url, text: "ü").text == "PUT|\(plain)|ü")
        #expect(try await client.post(url, body: [0x61]).text == "POST|none|a")
        #expect(try await client.post(url, text: "b").text == "POST|\(plain)|b")
        #expect(try await client.delete(url).text == "DELETE|none|")
        let xml: HTTPFields = [.contentType: "text/xml"]
        #expect(
            try await client.post(url, text: "<a/>", fields: xml).text == "POST|Content-Type: text/xml|<a/>"
        )
    }

    @Test(
        "A successful PUT or DELETE invalidates what is stored, RFC 9111 §4.4",
        arguments: ["PUT", "DELETE"]
    )
    func invalidation(method: String) async throws {
        let client = try TestClient().client
        let server = ScriptedServer { number, _ in
            answer("200 OK", "Cache-Control: max-age=60", body: "\(number)")
        }
        defer { server.stop() }
        let url = server.url + "/"
        #expect(try await client.get(url).text == "1")
        #expect(try await client.get(url).text == "1")
        _ = method == "PUT" ? try await client.put(url, text: "x") : try await client.delete(url)
        #expect(try await client.get(url).text == "3")
    }

    @Test("Content may be any asynchronous sequence of bytes in pieces, with or without a length")
    func sequences() async throws {
        let client = try TestClient().client
        let server = Self.echo()
        defer { server.stop() }
        let arrays = AsyncStream<[UInt8]> { continuation in
            for piece in ["ab", "", "c"] { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
        }
        let slices = AsyncThrowingStream<ArraySlice<UInt8>, any Error> { continuation in
            continuation.yield([0x78, 0x79, 0x7A].dropFirst())
            continuation.finish()
        }
        let streams = [
            UploadStream(pieces: arrays), UploadStream(length: .bytes(2), pieces: slices),
            UploadStream(pieces: Countdown(from: 3).map { Array("\($0)".utf8) }),
        ]
        var seen: [String] = []
        for stream in streams {
            let request = ClientRequest(url: server.url + "/", method: .post, body: .stream(stream))
            seen.append(try await client.fetch(request).text)
        }
        #expect(seen == ["POST|none|abc", "POST|none|yz", "POST|none|321"])
    }

    @Test("A sequence that fails fails its request, and one that is too long is not sent to its end")
    func failingSequence() async throws {
        let test = try TestClient()
        let server = Self.echo()
        defer { server.stop() }
        let failing = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: CancellationError()) }
        let taken = Lock(0)
        let endless = Countdown(from: .max).map { _ -> [UInt8] in
            taken.withLock { $0 += 1 }
            return [0x61]
        }
        for stream in [UploadStream(pieces: failing), UploadStream(length: .bytes(3), pieces: endless)] {
            let request = ClientRequest(url: server.url + "/", method: .post, body: .stream(stream))
            #expect(await test.failure(request)?.cause?.kind == .bodyExhausted)
        }
        #expect(taken.withLock { $0 } == 4)
    }

    /// Calls a function when nothing refers to it.
    private final class Release: Sendable {
        let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    @Test("An endless sequence that ignores cancellation is not read on once its request is over")
    func endlessSequence() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = ScriptedServer { connection in
            _ = connection.readHead()
            arrived.finish()
            connection.waitForClose()
        }
        defer { server.stop() }
        let (test, url) = (try TestClient(), server.url + "/")
        let (ends, end) = AsyncStream<String>.makeStream()
        let (isFinished, taken) = (Lock(false), Lock(0))
        let load = Task {
            let release = Release { end.yield("released") }
            let endless = Countdown(from: .max).map { [release] _ -> [UInt8] in
                _ = release
                if isFinished.withLock({ $0 }) { taken.withLock { $0 += 1 } }
                if taken.withLock({ $0 }) > 1_000 { throw CancellationError() }
                return [UInt8](repeating: 0x61, count: 1_024)
            }
            let body = RequestBody.stream(UploadStream(pieces: endless))
            return await test.failure(ClientRequest(url: url, method: .post, body: body))
        }
        for await _ in arrivals {}
        isFinished.withLock { $0 = true }
        load.cancel()
        #expect(await load.value?.code == .cancelled)
        for await _ in ends { break }
        #expect(taken.withLock { $0 } < 1_000)
    }

    /// Counts down to 1.
    private struct Countdown: AsyncSequence, Sendable {
        let start: Int

        init(from start: Int) { self.start = start }

        struct Iterator: AsyncIteratorProtocol {
            var next: Int

            mutating func next() async -> Int? {
                defer { next -= 1 }
                return next > 0 ? next : nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(next: start) }
    }
}
