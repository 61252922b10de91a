import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Bytes of any protocol", .blocking)
struct ByteTests {
    private func stage(
        _ faults: String,
        origin: @escaping @Sendable (ServerConnection) -> Void
    ) throws -> ProxyStage {
        try ProxyStage(faults, configure: { $0.mode = .bytes }, origin: origin)
    }

    @Test("A server that speaks first is heard, and both directions end on their own")
    func passes() throws {
        let stage = try stage("") { connection in
            connection.send("220 ready\r\n")
            _ = connection.read(count: 6)
            connection.send("GET / HTTP/1.1\r\n\r\n250 bye\r\n")
        }
        defer { stage.stop() }
        let client = try stage.client()
        #expect(try client.read(through: "\n") == "220 ready\r\n")
        try client.send("QUIT\r\n")
        #expect(
            String(decoding: try client.readToEnd(), as: UTF8.self) == "GET / HTTP/1.1\r\n\r\n250 bye\r\n"
        )
    }

    @Test("A fault of the body counts all bytes to the client", arguments: [0, 1, 9, 10])
    func down(_ count: Int) throws {
        let stage = try stage("reset@body:\(count)") { connection in
            connection.send("0123456789")
            connection.waitForClose()
        }
        defer { stage.stop() }
        let end = try stage.client().ending(after: count)
        #expect(end == Ending(bytes: Array("0123456789".utf8.prefix(count)), isReset: true))
    }

    @Test("A fault of the request's body counts all bytes to the upstream")
    func up() async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Ending.self)
        let stage = try stage("close@request-body:4") { connection in
            let (bytes, isReset) = connection.readToEnd()
            continuation.yield(Ending(bytes: bytes, isReset: isReset))
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("ab")
        try client.send("cdefgh")
        var next = ends.makeAsyncIterator()
        #expect(await next.next() == Ending(bytes: Array("abcd".utf8), isReset: false))
    }
}
