import Clocks
import OriginScript
import Testing

@testable import HTTPServing
@testable import MockOrigin

@Suite("Faults applied to a reply")
struct ReplyFaultsTests {
    /// Composes the reply whose content is ten digits.
    private func reply(_ faults: String, framing: Framing = .length, chunks: [Int] = []) throws
        -> ComposedReply
    {
        let faults = try Fault.list(text: faults)
        let answer = Answer.with { answer in
            answer.date = .none
            answer.body = .text("0123456789")
            (answer.framing, answer.chunks, answer.faults) = (framing, chunks, faults)
        }
        return composed(answer)
    }

    private func composed(_ answer: Answer) -> ComposedReply {
        let moment = HTTPTimestamp(wallSeconds: 0)
        let request = ServedRequest(method: "GET", target: "/")
        let context = AnswerContext(request: request, now: moment, startedAt: moment)
        return ComposedReply.compose(answer, context, ContentStore(folder: nil))
    }

    private func run(_ faults: String, framing: Framing = .length) throws -> String {
        let reply = try reply(faults, framing: framing)
        return Self.text(reply.rendered()) + " \(reply.ending)"
    }

    /// Returns the written bytes, with `|` for each wait of a second, and `~` for a hold.
    private static func text(_ steps: [RawReply.Step]) -> String {
        let texts = steps.map { step in
            switch step {
            case .write(let bytes): String(decoding: bytes, as: UTF8.self)
            case .wait(let time): String(repeating: "|", count: Int(time.seconds.rounded()))
            case .end: ""
            default: "~"
            }
        }
        return texts.joined().replacing("\r\n", with: "/")
    }

    private static let head = "HTTP/1.1 200 OK/Content-Length: 10//"

    @Test(
        "A fault applies at its byte",
        arguments: [
            ("reset@head:8", "HTTP/1.1 reset"), ("close@before-head", " cut"), ("close@head", " cut"),
            ("close@body", head + " cut"), ("reset@body:4", head + "0123 reset"),
            ("half-close@body:50%", head + "01234 drainAndClose"), ("close@end", head + "0123456789 cut"),
            ("reset@body:99", head + "0123456789 reset"), ("stall@body:2", head + "01~23456789 keepAlive"),
            ("delay=2s@head:9", "HTTP/1.1 ||200 OK/Content-Length: 10//0123456789 keepAlive"),
            ("truncate@body:3", head + "012 keepAlive"),
            ("truncate@head:15", "HTTP/1.1 200 OK0123456789 keepAlive"),
            ("garbage=??@body:1", head + "0??123456789 keepAlive"),
            ("duplicate=2@body:1", head + "0121" + "23456789 keepAlive"),
            ("duplicate@body:8", head + "0123456789" + "89 keepAlive"),
            ("rewrite=abc@body:4", head + "0123abc789 keepAlive"),
            ("rewrite=404@head:9", "HTTP/1.1 404 OK/Content-Length: 10//0123456789 keepAlive"),
            ("content-length=+5@head", "HTTP/1.1 200 OK/Content-Length: 15//0123456789 close"),
            ("content-length=-5@head", "HTTP/1.1 200 OK/Content-Length: 5//0123456789 close"),
            ("slow=1@body:8", head + "01234567|8|9 keepAlive"),
            ("slow=1@head:38", "HTTP/1.1 200 OK/Content-Length: 10/\r|\n0123456789 keepAlive"),
            ("interim=103@before-head", "HTTP/1.1 103 Early Hints//" + head + "0123456789 keepAlive"),
            (
                "status=503/30s@before-head",
                "HTTP/1.1 503 Service Unavailable/Retry-After: 30/Content-Length: 0// keepAlive"
            ),
        ]
    )
    func bytes(fault: String, expected: String) throws {
        #expect(try run(fault) == expected)
    }

    @Test(
        "In chunks, only bytes of the content are counted",
        arguments: [
            ("close@body:4", "a/0123 cut"), ("close@end", "a/0123456789/ cut"),
            ("close@end:100%", "a/0123456789/0// cut"), ("reset@end:2", "a/0123456789/0\r reset"),
            ("truncate@body:4", "a/01230// keepAlive"), ("truncate@end", "a/0123456789/ keepAlive"),
            ("close@body:100%", "a/0123456789/ cut"), ("duplicate@body:8", "a/012345678989/0// keepAlive"),
            ("stall@body:5;truncate@body:3", "a/012~0// keepAlive"),
        ]
    )
    func chunks(fault: String, expected: String) throws {
        #expect(
            try run(fault, framing: .chunked) == "HTTP/1.1 200 OK/Transfer-Encoding: chunked//" + expected
        )
    }

    @Test("A wrong length replaces any other framing", arguments: [Framing.chunked, .close])
    func length(framing: Framing) throws {
        #expect(
            try run("content-length=-4@head", framing: framing)
                == "HTTP/1.1 200 OK/\(framing == .close ? "Connection: close/" : "")Content-Length: 6//0123456789 close"
        )
    }

    @Test("At one position faults are applied in the order of the list, and the connection ends last")
    func order() throws {
        #expect(
            try run("delay=1s@body:5;stall@body:5;close@body:5;delay=1s@body:9") == Self.head
                + "01234|~ cut"
        )
        #expect(try run("close@body:7;reset@body:5;garbage=!@body:5") == Self.head + "01234! reset")
    }

    @Test(
        "A response in chunks that passes has the same bytes and waits as one of the mock server, except at the end of a chunk",
        arguments: [
            "reset@head:8", "close@body:5", "close@end", "reset@end:2", "truncate@body:6", "truncate@end",
            "garbage=!@body:5", "garbage=!@end", "duplicate=3@body:2",
            "rewrite=abcd@body:2",
            "slow=3@body:1", "delay=2s@body:6;close@body:6;stall@body:6", "interim=103@before-head",
            "slow=1@body:7;rewrite=a@body:8;duplicate=1@body:8",
        ]
    )
    func sameAsPassed(faults: String) throws {
        let served = try reply(faults, framing: .chunked, chunks: [4])
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        var track = FaultTrack(try Fault.list(text: faults))
        track.enter(.beforeHead)
        track.enter(.head, total: head.utf8.count)
        track.take(Content(Array(head.utf8)))
        track.enter(.body)
        for (size, content) in [("4", "0123"), ("6", "456789")] {
            track.frame(Content(Array("\(size)\r\n".utf8)))
            track.take(Content(Array(content.utf8)))
            track.frame(Content(Array("\r\n".utf8)))
        }
        track.enterOnce(.end)
        track.take(Content(Array("0\r\n\r\n".utf8)))
        track.finish()
        #expect(Self.text(served.rendered()) == Self.text(track.takeSteps()))
    }

    @Test("A duplicate of large content ends at 16 MiB")
    func longDuplicate() throws {
        let faults = try Fault.list(text: "duplicate@body")
        let answer = Answer.with { answer in
            answer.body = .generated(size: 17 << 20)
            answer.faults = faults
        }
        let repeated = composed(answer).steps.map { step in
            if case .raw(let bytes) = step { bytes.count } else { 0 }
        }
        #expect(repeated.max() == 16 << 20)
    }

    @Test(
        "A reply is cut off by a fault that ends it before the end of its content, or states a greater length",
        arguments: [
            ("delay=1s@body:3", false, false), ("garbage=??@body:1", false, false),
            ("slow=1@body:8", false, false), ("stall@body:2", false, false),
            ("rewrite=abc@body:4", false, false), ("interim=103@before-head", false, false),
            ("truncate@body:3", true, true), ("reset@body:3", true, true), ("reset@body:99", true, true),
            ("close@body:9", true, true), ("close@body:10", false, true), ("close@end", false, true),
            ("close@head", true, true), ("half-close@body:9", true, true),
            ("half-close@end", false, true), ("content-length=+1@head", true, true),
            ("content-length=-1@head", false, false),
        ]
    )
    func cutOff(faults: String, isCut: Bool, isCutInChunks: Bool) throws {
        #expect(try reply(faults).isCut == isCut)
        #expect(try reply(faults, framing: .chunked).isCut == isCutInChunks)
    }
}
