import CacheClient
import CacheSemantics
import Clocks
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("Responses that break off at any byte, RFC 9112 §8 and RFC 9111 §3.3", .timeLimit(.minutes(20)))
struct FaultSweepTests {
    /// Returns an answer of 600 bytes on the wire: the `Date` has a fixed length.
    static func answer() -> OriginScript.Answer {
        var answer = OriginScript.Answer()
        answer.fields = [
            FieldLine("Cache-Control", .text("max-age=3600")), FieldLine("ETag", .text("\"v1\"")),
        ]
        answer.body = .generated(size: 482)
        return answer
    }
    static let size = 600

    private static func fault(_ action: FaultAction, at byte: Int) -> Fault {
        let head = size - 482
        return byte < head
            ? Fault(action, at: .head, byte: byte) : Fault(action, at: .body, byte: byte - head)
    }

    @Test(
        "A reset or a close at any byte results in an error or the whole content, and nothing short is stored",
        .checks("rfc9111.3.3.incomplete-not-complete"),
        arguments: [FaultAction.close, .reset]
    )
    func sweep(action: FaultAction) async throws {
        let test = try TestClient()
        let server = MockServer(clock: test.clock)
        try server.start()
        defer { server.stop() }
        let routes = (0...Self.size).map { byte in
            var answer = Self.answer()
            answer.faults = [Self.fault(action, at: byte)]
            return Route(label: "\(byte)", path: .exact("/\(byte)"), answers: [answer])
        }
        let whole = Route(label: "whole", path: .exact("/whole"), answers: [Self.answer()])
        let origin = server.open(
            token: "t",
            routes: routes + [whole],
            clock: test.clock,
            startedAt: startOfTime
        )
        let base = "\(server.url)\(origin.base)"
        let expected = try await test.client.fetch(ClientRequest(url: base + "/whole")).body
        #expect(expected.count == 482)
        await Self.waitForEnd(of: origin)
        #expect(origin.record()[0].bytesSent == Self.size)
        for byte in 0...Self.size {
            let request = ClientRequest(url: "\(base)/\(byte)")
            let body = await Self.body(request, test.client)
            #expect(body == nil || body == expected, "\(action) at byte \(byte)")
            #expect((body != nil) == (byte == Self.size), "\(action) at byte \(byte)")
            var stored = request
            stored.policy = .returnCacheDataDontLoad
            let kept = await Self.body(stored, test.client)
            #expect(kept == body, "what is stored after \(action) at byte \(byte)")
        }
    }

    private static func waitForEnd(of origin: OriginNamespace) async {
        let (events, sink) = AsyncStream.makeStream(of: Void.self)
        origin.onActivity { sink.yield() }
        if origin.record()[0].isEnded { return }
        for await _ in events where origin.record()[0].isEnded { return }
    }

    private static func body(_ request: ClientRequest, _ client: CachingClient) async -> [UInt8]? {
        do throws(ClientError) {
            return try await client.fetch(request).body
        } catch {
            return nil
        }
    }
}
