import CacheClient
import CacheSemantics
import HTTPTypes
import TestSupport
import Testing

@Suite("A late 304 that names another variant, RFC 9111 §4 and §4.4")
struct AliasRaceTests {
    /// An origin whose 304 waits until the client has done something else.
    private final class LateOrigin: Sendable {
        let server: ScriptedServer
        private let asked = Wake()
        private let released = Gate()

        init() {
            server = ScriptedServer { [asked, released] connection in
                while let head = connection.readHead() {
                    if head.hasPrefix("POST") {
                        connection.send(answer("200 OK", body: "done"))
                    } else if head.contains("no-cache") {
                        connection.send(answer("200 OK", Self.new, "ETag: \"s2\"", body: "new"))
                    } else if head.contains("If-None-Match") {
                        asked.post()
                        released.wait()
                        connection.send(answer("304 Not Modified", Self.old, "ETag: \"s1\""))
                    } else {
                        connection.send(answer("200 OK", Self.old, "ETag: \"s1\"", body: "old"))
                    }
                }
            }
        }

        /// Waits until the conditional request has arrived.
        func waitForCondition() async {
            await withCheckedContinuation { continuation in
                startThread { [asked] in
                    asked.wait()
                    continuation.resume()
                }
            }
        }

        /// Sends the 304.
        func release() { released.open() }

        private static let old =
            "Cache-Control: max-age=600\r\nVary: X-V\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT"
        private static let new =
            "Cache-Control: max-age=600\r\nVary: X-V\r\nDate: Thu, 01 Jan 2026 00:00:05 GMT"
    }

    private static func request(
        _ origin: LateOrigin,
        _ version: String,
        method: HTTPRequest.Method = .get,
        _ control: String? = nil
    ) throws -> ClientRequest {
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("X-V"))] = version
        fields[.cacheControl] = control
        return ClientRequest(url: origin.server.url + "/a", method: method, fields: fields)
    }

    @Test("It does not replace a newer response that was stored meanwhile")
    func overtaken() async throws {
        let origin = LateOrigin()
        defer { origin.server.stop() }
        let test = try TestClient()
        _ = try await test.client.fetch(Self.request(origin, "1"))
        let late = Task { try await test.client.fetch(Self.request(origin, "2")).text }
        await origin.waitForCondition()
        #expect(try await test.client.fetch(Self.request(origin, "2", "no-cache")).text == "new")
        origin.release()
        #expect(try await late.value == "old")
        let after = try await test.client.fetch(Self.request(origin, "2"))
        #expect(after.text == "new" && after.source == .memory)
    }

    @Test(
        "It is not used after an invalidation of the variant that it names",
        arguments: [HTTPRequest.Method.get, .head]
    )
    func invalidated(_ method: HTTPRequest.Method) async throws {
        let origin = LateOrigin()
        defer { origin.server.stop() }
        let test = try TestClient()
        _ = try await test.client.fetch(Self.request(origin, "1"))
        let late = Task { try await test.client.fetch(Self.request(origin, "2", method: method)) }
        await origin.waitForCondition()
        _ = try await test.client.fetch(Self.request(origin, "1", method: .post))
        origin.release()
        _ = try await late.value
        #expect(test.client.hit(for: try Self.request(origin, "2")) == nil)
        #expect(test.client.hit(for: try Self.request(origin, "1")) == nil)
    }
}
