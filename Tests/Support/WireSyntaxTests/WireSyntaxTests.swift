import Testing
import WireSyntax

@Suite("Syntax of HTTP messages, RFC 9110 §5.6, RFC 9112 and RFC 3986")
struct WireSyntaxTests {
    @Test("Exactly the characters of RFC 9110 §5.6.2 are token characters")
    func token() {
        let all = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        #expect((UInt8.min...UInt8.max).filter(Token.isCharacter) == all.utf8.sorted())
        #expect(Token.isToken("a-b"))
        #expect(!Token.isToken(""))
        #expect(!Token.isToken("é"))
    }

    @Test(
        "Spaces and tabs at both ends are trimmed, and nothing else",
        arguments: [
            ("", ""), (" \t ", ""), ("a", "a"), (" a\tb \t", "a\tb"), ("\na\r", "\na\r"),
            (" \u{301}a ", "\u{301}a"),
        ]
    )
    func trimming(text: String, trimmed: String) {
        #expect(Array(text.trimmingWhitespace.utf8) == Array(trimmed.utf8))
        #expect(Array(Array(text.utf8).trimmingWhitespace) == Array(trimmed.utf8))
    }

    @Test(
        "An absolute URL is split at its authority, and its fragment is dropped",
        arguments: [
            ("http://h", "http://h", "/"), ("HTTPS://H:8443/a?b#c", "https://H:8443", "/a?b"),
            ("http://h?b", "http://h", "/?b"), ("http://h#/a", "http://h", "/"),
            ("http://[::1]:80/a://b", "http://[::1]:80", "/a://b"),
            ("a+b.c-1://u@h//", "a+b.c-1://u@h", "//"),
        ]
    )
    func url(text: String, origin: String, target: String) {
        let parts = URLParts(text)
        #expect(parts?.origin == origin)
        #expect(parts?.target == target)
    }

    @Test(
        "A text without scheme or authority is not an absolute URL",
        arguments: ["", "/a", "//h/a", "http:/h", "http:///a", "http://", "1a://h", "://h", "data:x", "h:80"]
    )
    func noURL(text: String) {
        #expect(URLParts(text) == nil)
    }

    @Test(
        "Days are counted by the Gregorian calendar",
        arguments: [
            (1970, 1, 1, 0, 4), (1994, 11, 6, 9075, 0), (2000, 2, 29, 11_016, 2), (1969, 12, 31, -1, 3),
            (0, 3, 1, -719_468, 3), (2024, 2, 29, 19_782, 4), (9999, 12, 31, 2_932_896, 5),
        ]
    )
    func days(year: Int, month: Int, day: Int, count: Int64, weekday: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date.daysSince1970 == count)
        #expect(CivilDate(daysSince1970: count) == date)
        #expect(date.weekday == weekday)
        #expect(date.exists)
    }

    @Test(
        "A day that the calendar lacks does not exist",
        arguments: [(1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0)]
    )
    func noDay(year: Int, month: Int, day: Int) {
        #expect(!CivilDate(year: year, month: month, day: day).exists)
    }

    @Test(
        "A timestamp's fraction and offset are part of its value, RFC 3339 §5.8",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1985-04-12T23:20:50.52Z", 482_196_050.52),
            ("1996-12-19T16:39:57-08:00", 851_042_397), ("1996-12-19T16:39:57-0800", 851_042_397),
            ("1990-12-31T23:59:60Z", 662_688_000), ("1937-01-01t12:00:27.87+00:20", -1_041_337_172.13),
        ]
    )
    func timestamp(text: String, seconds: Double) {
        #expect(Timestamp.parse(text) == seconds)
    }

    @Test(
        "Anything else is not a timestamp",
        arguments: [
            "", "1970-01-01", "1970-01-01T00:00:00", "1970-02-30T00:00:00Z", "1970-01-01T24:00:00Z",
            "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Zx", "1970-01-01T00:00:00+24:00",
            "70-01-01T00:00:00Z",
        ]
    )
    func noTimestamp(text: String) {
        #expect(Timestamp.parse(text) == nil)
    }

    @Test("A head is split into lines at CRLF and LF, and a field line at its first colon")
    func head() throws {
        let bytes = Array("A: b:c \r\nB:\n\nC".utf8)
        let lines = MessageHead.lines(bytes)
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["A: b:c ", "B:", "", "C"])
        let field = try #require(MessageHead.field(lines[0]))
        #expect(String(decoding: field.name, as: UTF8.self) == "A")
        #expect(String(decoding: field.value, as: UTF8.self) == "b:c")
        #expect(MessageHead.field(lines[1])?.value.isEmpty == true)
        #expect(MessageHead.field(lines[3]) == nil)
    }

    @Test(
        "A status line needs a version and a code, and the reason may be absent",
        arguments: [
            ("HTTP/1.1 200 OK", 200, "OK"), ("HTTP/1.1 404 Not Found", 404, "Not Found"),
            ("HTTP/1.1 204", 204, ""), ("HTTP/1.1 x", nil, nil), ("200 OK", nil, nil), ("", nil, nil),
        ] as [(String, Int?, String?)]
    )
    func status(line: String, code: Int?, reason: String?) {
        #expect(MessageHead.status(line)?.code == code)
        #expect(MessageHead.status(line)?.reason == reason)
    }
}
