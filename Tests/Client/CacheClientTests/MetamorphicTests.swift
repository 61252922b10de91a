import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Metamorphic
import Testing
import TestSupport

@Suite("Equivalent messages get the same answers, RFC 9110 §5")
struct MetamorphicTests {
    /// Cases of the engine's test, over sockets, each in its plain form and with all transformations at once.
    @Test(
        "The client answers a sample of generated cases the same in every equivalent form",
        arguments: 0..<4
    )
    func cases(part: UInt64) async throws {
        for number in 0..<15 {
            let seed = 9_111 &+ part &* 2_500 &+ UInt64(number)
            let exchange = ExchangeCase(seed: seed)
            let plain = try await Self.words(RenderedCase(exchange))
            let other = try await Self.words(RenderedCase(exchange, .all, seed: seed))
            #expect(plain == other, "seed \(seed)\n\(exchange)")
        }
    }

    /// Returns the caller's responses to both requests, and the number of requests at the origin.
    private static func words(_ rendered: RenderedCase) async throws -> String {
        let asked = Lock(0)
        let server = ScriptedServer { number, _ in
            asked.withLock { $0 = number }
            return number == 1
                ? head(rendered.exchange.answer.status, rendered.answer, body: "one")
                : head(rendered.exchange.reply?.status ?? 200, rendered.reply, body: "two")
        }
        defer { server.stop() }
        let clock = VirtualClock(wallSeconds: Double(rendered.start.secondsSinceEpoch))
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        var settings = CachingClient.Configuration()
        settings.engine.kind = rendered.exchange.isShared ? .shared : .private
        settings.followsRedirects = false
        let client = CachingClient(settings, store: store, transport: try CurlTransport(), clock: clock)
        var request = ClientRequest(url: server.url + "/a")
        request.fields = HTTPFields(lines: rendered.first)
        let first = await result(of: request, client)
        clock.advance(by: .seconds(rendered.exchange.wait))
        client.isOnline = rendered.exchange.reply != nil
        request.fields = HTTPFields(lines: rendered.second)
        request.policy = rendered.exchange.policy
        request.method = HTTPRequest.Method(rawValue: rendered.exchange.second.method) ?? .get
        let second = await result(of: request, client)
        await client.waitForBackgroundWork()
        return "\(first)\n\(second)\nasked \(asked.withLock { $0 }) times"
    }

    private static func result(of request: ClientRequest, _ client: CachingClient) async -> String {
        do throws(ClientError) {
            let response = try await client.fetch(request)
            let age = response.response.headerFields[.age] ?? "none"
            return "\(response.response.status.code) \(response.source) \(response.text) age \(age)"
        } catch {
            return "error \(error.code)"
        }
    }

    private static func head(_ status: Int, _ lines: [(name: String, value: String)], body: String) -> String
    {
        let hasBody = status != 204 && status != 304
        // A closed connection only costs the next request a new one.
        let fields = lines.filter { $0.name.lowercased() != "connection" }
        return "HTTP/1.1 \(status) Status\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
            + (hasBody ? "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" : "\r\n")
    }
}
