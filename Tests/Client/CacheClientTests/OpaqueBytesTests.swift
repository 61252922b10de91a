import CacheClient
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite(
    "Field values that are equal as text and differ in their bytes (RFC 9110 §5.5)",
    .timeLimit(.minutes(20))
)
struct OpaqueBytesTests {
    /// Bytes that are not UTF-8, and canonically equivalent characters.
    private static let pairs: [(first: [UInt8], second: [UInt8])] = [
        ([0xE9], [0xE8]), (Array("\u{E9}".utf8), Array("e\u{301}".utf8)),
    ]

    private func request(_ url: String, cookie: [UInt8]) -> ClientRequest {
        ClientRequest(url: url, fields: HTTPFields([HTTPField(name: .cookie, value: cookie)]))
    }

    /// Returns a server whose responses contain the bytes of the request's cookie.
    private func echo(_ fields: String, before: @escaping @Sendable () -> Void = {}) -> ScriptedServer {
        ScriptedServer { connection in
            while let head = connection.readHeadBytes() {
                before()
                let mark = Array("Cookie: ".utf8)
                let line = head.split(separator: 0x0D).first { $0.dropFirst().starts(with: mark) } ?? []
                let cookie = line.dropFirst(1 + mark.count)
                connection.send(
                    Array("HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: \(cookie.count)\r\n\r\n".utf8)
                        + cookie
                )
            }
        }
    }

    @Test("The origin receives each request's own bytes on a connection that is used again", arguments: pairs)
    func ownBytes(first: [UInt8], second: [UInt8]) async throws {
        let test = try TestClient()
        let server = echo("Cache-Control: no-store")
        for cookie in [first, second, first] {
            #expect(try await test.client.fetch(request(server.url + "/", cookie: cookie)).body == cookie)
        }
        #expect(server.connections == 1)
    }

    @Test(
        "A request that waits gets no response to a cookie with other bytes (RFC 9111 §4.1)",
        arguments: pairs
    )
    func otherVariant(first: [UInt8], second: [UInt8]) async throws {
        let test = try TestClient()
        let gate = Gate()
        let server = echo("Cache-Control: max-age=60\r\nVary: Cookie") { gate.wait() }
        let (client, observer) = (test.client, Countdown(2) { gate.open() })
        let own = [first, second].map { request(server.url + "/", cookie: $0) }
        async let one = client.fetch(own[0], observer: observer)
        async let other = client.fetch(own[1], observer: observer)
        #expect(try await [one.body, other.body] == [first, second])
    }
}
