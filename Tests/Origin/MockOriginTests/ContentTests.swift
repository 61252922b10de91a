import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Content of answers")
struct ContentTests {
    private static let text = Content(Array("0123456789".utf8))

    private func string(_ content: Content?) -> String? {
        content?.bytes().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A part has its bytes, and what is beyond either end is left out")
    func parts() {
        let middle = Self.text.part(2..<6)
        #expect(string(middle) == "2345" && middle.count == 4)
        #expect(string(middle.part(1..<3)) == "34")
        #expect([-1, 0, 2, 9].map { string(middle.prefix($0)) } == ["", "", "23", "2345"])
        #expect([-1, 0, 2, 9].map { string(middle.dropFirst($0)) } == ["2345", "2345", "45", ""])
        #expect(middle.dropFirst(4).isEmpty && !middle.dropFirst(3).isEmpty)
        #expect(middle.producer.count == 4)
        #expect(middle.producer.bytes(1..<3).map { Array($0) } == Array("34".utf8))
    }

    @Test("Only parts that follow each other in one buffer are joined")
    func joined() {
        let (first, second) = (Self.text.part(0..<3), Self.text.part(3..<5))
        #expect(string(first.joined(second)) == "01234")
        #expect(second.joined(first)?.count == nil)
        #expect(first.joined(Self.text.part(4..<5))?.count == nil)
        #expect(first.joined(Content(Array("0123456789".utf8)).part(3..<5))?.count == nil)
        #expect(Content.pattern(3).joined(Content.pattern(9).part(3..<5))?.count == nil)
    }

    @Test("The pattern is all printable characters, again and again, from the one that it begins with")
    func pattern() {
        let printable = String((0x20...0x7E).map { Character(UnicodeScalar($0)) })
        #expect(string(.pattern(95)) == printable)
        #expect(string(.pattern(190, shift: 95)) == printable + printable)
        #expect(string(.pattern(3, shift: 2)) == "\"#$")
        #expect(string(.pattern(100).part(94..<97)) == "~ !")
        // Beyond the piece that is kept in memory.
        let end = 95 * 512
        #expect(string(.pattern(end + 2).part(end - 1..<end + 2)) == "~ !")
        #expect([0, -1].map { Content.pattern($0).count } == [0, 0])
    }

    @Test(
        "The type of a file is that of what follows the last dot of its name, in any case",
        arguments: [
            ("a.html", "text/html; charset=utf-8"), ("a.HTM", "text/html; charset=utf-8"),
            ("a/b.c/d.png", "image/png"), (".css", "text/css; charset=utf-8"),
            ("a.tar.gz", "application/gzip"), ("a.b/c", "application/octet-stream"),
            ("png", "application/octet-stream"), ("a.", "application/octet-stream"),
            ("a.unknown", "application/octet-stream"), ("", "application/octet-stream"),
        ]
    )
    func types(name: String, expected: String) { #expect(MediaType.of(name) == expected) }

    @Test(
        "Gzip is allowed if it has a weight above zero, or if everything has that and gzip is not named",
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("gzip;q=0.001", true),
            ("gzip; Q=0", false), ("gzip;q=0.000", false), ("gzip;q=x", false), ("gzip;a=b;q=0", false),
            ("gzip;a=b", true), ("*;q=0", false), ("*, gzip;q=0", false), ("br, *;q=0.1", true),
            ("x-gzip;q=0, *", false), ("gzip2", false), (",,gzip", true),
        ] as [(String?, Bool)]
    )
    func codings(value: String?, expected: Bool) { #expect(AcceptedCoding.allowsGzip(value) == expected) }
}
