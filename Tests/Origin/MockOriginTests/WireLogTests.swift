import OriginScript
import TestSupport
import Testing

@testable import MockOrigin

@Suite("The log of a connection's bytes", .blocking)
struct WireLogTests {
    /// Requests `/a` once and returns the log when the exchange has ended.
    private static func log(of answer: Answer, _ read: (RawClient) throws -> Void) async throws -> [Substring]
    {
        let fixture = try MockServerFixture(answer)
        fixture.namespace.recordWireBytes()
        let client = try fixture.client()
        try client.request("GET", "/-/t/a", ["X: y"])
        try read(client)
        let namespace = fixture.namespace
        await fixture.wait { namespace.record().first?.isEnded == true }
        return namespace.wireLog.split(separator: "\n")
    }

    @Test("It contains the request and the response of an exchange, with one line for each of their lines")
    func lines() async throws {
        let log = try await Self.log(
            of: .text("a\u{1}b\nc") { $0.fields = [FieldLine("ETag", .text("\"v\""))] }
        ) {
            let status = try $0.response().status
            #expect(status == 200)
        }
        #expect(log.first?.hasPrefix("--- ") == true)
        #expect(log.first?.hasSuffix(" bytes, complete, keepAlive") == true)
        #expect(log.contains("> GET /-/t/a"))
        #expect(log.contains("> X: y"))
        #expect(log.contains("< HTTP/1.1 200 OK"))
        #expect(log.contains("< ETag: \"v\""))
        #expect(log.suffix(2) == ["< a\\x01b", "< c"])
    }

    @Test("A byte that is no printable character is in two hexadecimal digits")
    func hexadecimal() async throws {
        let log = try await Self.log(of: .text("\0\u{F}\u{10}\u{1F} ~\u{7F}ü")) { _ = try $0.response() }
        #expect(log.last == #"< \x00\x0f\x10\x1f ~\x7f\xc3\xbc"#)
    }

    @Test("It contains the first mebibyte of content produced while it is written, and counts the rest")
    func largeContent() async throws {
        let size = 3 << 20
        let log = try await Self.log(of: .with { $0.body = .generated(size: size) }) {
            let count = try $0.response().body.count
            #expect(count == size)
        }
        let count = try #require(log.first?.split(separator: " ").dropLast(3).last.flatMap { Int($0) })
        #expect(count > size)
        #expect(log.reduce(0) { $0 + $1.utf8.count } > WireLog.keptBytes)
        #expect(log.last == "(\(count - WireLog.keptBytes) bytes more)")
    }

    @Test("It contains the written bytes of a response that is cut off")
    func cut() async throws {
        let log = try await Self.log(
            of: .text("0123456789") { $0.faults = [Fault(.close, at: .body, byte: 4)] }
        ) {
            let last = try $0.readToEnd().suffix(4)
            #expect(last.elementsEqual("0123".utf8))
        }
        #expect(log.last == "< 0123")
    }
}
