import Testing
import TextCodings

@Suite("Base64, RFC 4648 §4")
struct Base64Tests {
    @Test(
        "Every byte is preserved, with the padding of RFC 4648 §10",
        arguments: [
            ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
            (Array("foob".utf8), "Zm9vYg=="), ([0xFF, 0xFE, 0xFD, 0], "//79AA=="), ([0xFB, 0xF0], "+/A="),
        ] as [([UInt8], String)]
    )
    func bothWays(bytes: [UInt8], text: String) {
        #expect(Base64.encode(bytes) == text)
        #expect(Base64.decode(text) == bytes)
    }

    @Test(
        "Malformed text is not decoded",
        arguments: ["Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9-", "Zm 9v", "=Zg=", "Zm8=\n"]
    )
    func refusal(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("White space is ignored if that is requested")
    func folded() {
        #expect(Base64.decode(" Zm\r\n\t9v\n", skippingBlanks: true) == Array("foo".utf8))
        #expect(Base64.decode(" Zm\r\n\t9\n", skippingBlanks: true) == nil)
    }
}

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Every byte has two digits, every number those of its type")
    func digits() {
        #expect(Hexadecimal.text(of: [0, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(Hexadecimal.digits(of: UInt16(0x2A)) == "002a")
        #expect(Hexadecimal.digits(of: UInt64.max) == "ffffffffffffffff")
    }
}

@Suite("Percent-encoded text, RFC 3986 §2.1")
struct PercentTextTests {
    @Test(
        "Escapes are decoded, and malformed ones refused",
        arguments: [
            ("a%20b+c", "a b+c"), ("%c3%A9", "é"), ("%", nil), ("%4", nil), ("%4g", nil), ("%+1", nil),
            ("%C3%28", nil), ("", ""),
        ] as [(String, String?)]
    )
    func decoding(text: String, decoded: String?) {
        #expect(PercentText.decode(text) == decoded)
    }

    @Test("A plus sign is a space in a form, and is kept if escaped")
    func plus() {
        #expect(PercentText.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test("In lenient decoding, malformed escapes are kept")
    func lenient() {
        #expect(PercentText.bytes("%41%zz%4") == Array("A%zz%4".utf8))
        #expect(PercentText.bytes("%ff+", plusIsSpace: true) == [0xFF, 0x20])
    }

    @Test("Characters that are not kept are escaped in upper case")
    func encoding() {
        #expect(
            PercentText.encode("aZ0-._~ /é", keeping: PercentText.isUnreserved) == "aZ0-._~%20%2F%C3%A9"
        )
    }
}

@Suite("Paths of files")
struct PathTextTests {
    @Test(
        "A path is parsed by bytes, whatever characters a slash combines with",
        arguments: [
            ("a/b", ["a", "b"]), ("", [""]), ("/a//b/", ["", "a", "", "b", ""]), ("..a/b..", ["..a", "b.."]),
            ("a/\u{301}b", ["a", "\u{301}b"]), ("a\u{6DD}/b", ["a\u{6DD}", "b"]), ("../a", nil),
            ("a/..", nil),
            ("../\u{301}a", nil), ("a\u{6DD}/..", nil), ("a\0b", nil),
        ] as [(String, [String]?)]
    )
    func segments(path: String, segments: [String]?) {
        #expect(PathText.segmentsBelow(path) == segments)
    }
}

@Suite("Texts for terminals")
struct VisibleControlsTests {
    @Test(
        "A control character other than a line feed or a tab is shown as an escape, and all else is unchanged",
        arguments: [
            ("a\tb\nc", "a\tb\nc"), ("\u{1B}]0;T\u{7}", "\\u{1B}]0;T\\u{7}"),
            ("\u{9B}2J\u{7F}", "\\u{9B}2J\\u{7F}"),
            ("a\r\nb", "a\\u{D}\nb"), ("é\u{1F600}", "é\u{1F600}"), ("", ""),
        ]
    )
    func controls(text: String, shown: String) {
        #expect(text.showingControls == shown)
    }
}
