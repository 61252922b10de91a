import HTTPServing
import Locks
import Testing
import TestSupport

@Suite("Request targets, RFC 9112 §3.2", .timeLimit(.minutes(20)), .blocking)
struct TargetTests {
    let handler = TestHandler()

    @Test(
        "A target with a byte beyond ASCII results in 400 and reaches no handler",
        arguments: [0x80, 0xC3, 0xFF] as [UInt8],
        ["/a", "/prepared"]
    )
    func beyondASCII(byte: UInt8, path: String) throws {
        let server = try handler.server()
        let client = try RawClient(port: server.port)
        try client.send(Array("GET \(path)".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(try client.response().status == 400)
        #expect(handler.seen.withLock { $0.isEmpty })
    }
}
