import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Faults along a message's bytes")
struct FaultTrackTests {
    struct Row: CustomTestStringConvertible {
        let faults: String
        let expected: String
        var pieces = ["abcdef"]
        var testDescription: String { faults + " " + pieces.joined(separator: "|") }
    }

    @Test(
        "Each fault happens at its byte",
        arguments: [
            Row(faults: "reset@body:2", expected: "HHab!reset"),
            Row(faults: "reset@body", expected: "HH!reset"),
            Row(faults: "reset@body:6", expected: "HHabcdef!reset"),
            Row(faults: "reset@body:100", expected: "HHabcdef!reset"),
            Row(faults: "close@head:1", expected: "H!cut"),
            Row(faults: "close@before-head", expected: "!cut"),
            Row(faults: "half-close@body:50%", expected: "HHabc!drainAndClose"),
            Row(faults: "close@end", expected: "HHabcdef!cut"),
            Row(faults: "delay=2s@before-head", expected: "(2.0s)HHabcdef"),
            Row(faults: "delay=2s@body:3", expected: "HHabc(2.0s)def"),
            Row(faults: "stall@body:3", expected: "HHabc(hold)def"),
            Row(faults: "stall=forever@head", expected: "(stall)HHabcdef"),
            Row(faults: "truncate@body:4", expected: "HHabcd"),
            Row(faults: "garbage=xyz@body:1", expected: "HHaxyzbcdef"),
            Row(faults: "rewrite=XY@body:4", expected: "HHabcdXY"),
            Row(faults: "rewrite=XYZ@body:1", expected: "HHaXYZef", pieces: ["ab", "cdef"]),
            Row(faults: "duplicate=2@body:1", expected: "HHabcbcdef"),
            Row(faults: "duplicate=3@body:1", expected: "HHabcdbcdef", pieces: ["ab", "c", "def"]),
            Row(faults: "duplicate@body:4", expected: "HHabcdefef"),
            Row(faults: "duplicate=5@body; duplicate=2@body:2", expected: "HHababcdcdef"),
            Row(faults: "slow=40@body:2", expected: "HHab(0.05s)cd(0.05s)ef"),
            Row(faults: "interim=103@before-head", expected: "HTTP/1.1 103 Early Hints\r\n\r\nHHabcdef"),
            Row(faults: "delay=1s@body:2; delay=2s@body:2", expected: "HHab(1.0s)(2.0s)cdef"),
            Row(faults: "delay=1s@body:3; reset@body:2", expected: "HHab!reset"),
            Row(faults: "delay=1s@head; close@body:1", expected: "(1.0s)HHa!cut"),
            Row(faults: "reset@body:2; delay=1s@body:2", expected: "HHab(1.0s)!reset"),
            Row(faults: "rewrite=XY@body:2; slow=40@body:2", expected: "HHab(0.05s)XY(0.05s)ef"),
            Row(faults: "rewrite=XY@body:2; duplicate=2@body:2", expected: "HHabXYXYef"),
        ]
    )
    func places(_ row: Row) throws {
        #expect(Self.played(try Fault.list(text: row.faults), row.pieces) == row.expected)
    }

    /// Plays a response of the head `HH` and content in pieces; every piece has its own buffer.
    static func played(_ faults: [Fault], _ pieces: [String]) -> String {
        var track = FaultTrack(faults)
        let total = pieces.reduce(0) { $0 + $1.utf8.count }
        var text = ""
        let head = Array("HH".utf8)
        track.enter(.beforeHead)
        track.enter(.head, total: head.count)
        track.take(head.indices, of: head)
        track.enter(.body, total: total)
        text += written(track.takeSteps())
        for piece in pieces {
            let bytes = Array(piece.utf8)
            track.take(bytes.indices, of: bytes)
            text += written(track.takeSteps())
        }
        track.finish()
        return text + written(track.takeSteps())
    }

    private static func written(_ steps: [RawReply.Step]) -> String {
        steps.map { step in
            switch step {
            case .write(let bytes): String(decoding: bytes, as: UTF8.self)
            case .wait(let time):
                "(\(time.components.seconds == 0 ? "0.05" : "\(time.components.seconds).0")s)"
            case .hold: "(hold)"
            case .pause: "(stall)"
            case .end(let ending): "!" + "\(ending)"
            default: "(unexpected)"
            }
        }.joined()
    }

    @Test("Chunk framing after a truncation is omitted, and the last chunk is sent")
    func truncatesChunks() throws {
        var track = FaultTrack(try Fault.list(text: "truncate@body:3"))
        let buffer = Array("2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n".utf8)
        track.enter(.body)
        track.frame(0..<3, of: buffer)
        track.take(3..<5, of: buffer)
        track.frame(5..<10, of: buffer)
        track.take(10..<12, of: buffer)
        track.frame(12..<14, of: buffer)
        track.enterOnce(.end)
        track.take(14..<19, of: buffer)
        #expect(Self.written(track.takeSteps()) == "2\r\nab\r\n2\r\nc0\r\n\r\n")
    }

    @Test(
        "The content is kept as the receiver gets it, without framing and without what other events send",
        arguments: [
            ("", "abcdef"), ("reset@body:2", "ab"), ("truncate@body:4", "abcd"),
            ("rewrite=XYZ@body:1", "aXYZef"), ("duplicate=2@body:1", "abcbcdef"),
            ("duplicate@body:4", "abcdefef"), ("garbage=xyz@body:1", "axyzbcdef"),
            ("garbage=xyz@end", "abcdef"), ("interim=103@before-head", "abcdef"), ("slow=40@body", "abcdef"),
        ]
    )
    func content(_ faults: String, _ content: String) throws {
        var track = FaultTrack(faults.isEmpty ? [] : try Fault.list(text: faults), keepsContent: true)
        let buffer = Array("HH2;x\r\nab4\r\ncdef0\r\n\r\n".utf8)
        track.enter(.beforeHead)
        track.enter(.head, total: 2)
        track.take(0..<2, of: buffer)
        track.enter(.body, total: 6)
        track.frame(2..<7, of: buffer)
        track.take(7..<9, of: buffer)
        var kept = track.takeContent()
        track.frame(9..<12, of: buffer)
        track.take(12..<16, of: buffer)
        track.enterOnce(.end)
        track.take(16..<21, of: buffer)
        track.finish()
        kept += track.takeContent()
        #expect(String(decoding: kept, as: UTF8.self) == content)
    }

    @Test("Bytes that follow each other in one buffer are one step, and those of two buffers are two")
    func merges() {
        var track = FaultTrack([])
        let (buffer, made) = (Array("2\r\nab\r\n".utf8), Array("cdefghijkl".utf8))
        track.enter(.body)
        track.frame(0..<3, of: buffer)
        track.take(3..<5, of: buffer)
        track.frame(5..<7, of: buffer)
        track.take(7..<10, of: made)
        let texts = track.takeSteps().map { Self.written([$0]) }
        #expect(texts == ["2\r\nab\r\n", "jkl"])
    }

    @Test("All duplicates of a message together send at most 16 MiB twice")
    func duplicates() throws {
        let faults = "duplicate=10MiB@body; duplicate=10MiB@body:10MiB; duplicate@body:25MiB"
        var track = FaultTrack(try Fault.list(text: faults))
        let piece = [UInt8](repeating: 0x61, count: 5 << 20)
        var sent = 0
        track.enter(.body)
        for _ in 1...6 {
            track.take(piece.indices, of: piece)
            sent += Self.count(track.takeSteps())
        }
        track.finish()
        sent += Self.count(track.takeSteps())
        #expect(sent == (30 + 16) << 20)
        #expect(track.takeMarks().count == 3)
    }

    private static func count(_ steps: [RawReply.Step]) -> Int {
        steps.reduce(0) { if case .write(let bytes) = $1 { $0 + bytes.count } else { $0 } }
    }

    @Test("A fault that happened is noted with its byte")
    func marks() throws {
        var track = FaultTrack(try Fault.list(text: "delay=1s@body:2; reset@body:4; delay=1s@body:5"))
        let bytes = Array("abcdef".utf8)
        track.enter(.body, total: 6)
        track.take(bytes.indices, of: bytes)
        track.finish()
        #expect(track.takeMarks().map(\.offset) == [2, 4])
    }
}
