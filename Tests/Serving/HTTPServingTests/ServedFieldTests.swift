import HTTPServing
import Testing

@Suite("Field lines of a request, RFC 9110 §5")
struct ServedFieldTests {
    private static let fields = [
        ServedField("Accept", "a"), ServedField("X", ""), ServedField("ACCEPT", "b, c"),
        ServedField("x", "1"),
    ]

    @Test(
        "The lines of a name are combined in order, whatever its case (RFC 9110 §5.1, §5.3)",
        arguments: [("accept", "a, b, c"), ("Accept", "a, b, c"), ("X", ", 1"), ("Accept-", nil), ("", nil)]
    )
    func combined(name: String, value: String?) {
        #expect(Self.fields.combined(name) == value)
    }

    @Test("Each line of a name is one value")
    func lines() {
        #expect(Self.fields.lines("accept") == ["a", "b, c"])
        #expect(Self.fields.lines("y").isEmpty)
    }

    struct Value: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var text: String
        var isLatin1: Bool
        var latin1: String
        var testDescription: String { "\(bytes)" }
    }

    @Test(
        "A value is UTF-8, or else ISO-8859-1 (RFC 9110 §5.5)",
        arguments: [
            Value(bytes: [], text: "", isLatin1: false, latin1: ""),
            Value(bytes: Array("abc".utf8), text: "abc", isLatin1: false, latin1: "abc"),
            Value(bytes: [0xC3, 0xA9], text: "é", isLatin1: false, latin1: "Ã©"),
            Value(bytes: [0x61, 0xE9], text: "aé", isLatin1: true, latin1: "aé"),
            Value(bytes: [0xC3], text: "Ã", isLatin1: true, latin1: "Ã"),
            Value(bytes: [0xFF, 0xC3, 0xA9], text: "ÿÃ©", isLatin1: true, latin1: "ÿÃ©"),
        ]
    )
    func value(row: Value) {
        let field = ServedField("X", bytes: row.bytes)
        #expect(field.value == row.text)
        #expect(field.isLatin1 == row.isLatin1)
        #expect(field.latin1Value == row.latin1)
    }

    @Test("The lines of a head are split at their colons, without white space around values")
    func head() {
        let text = "Host: a\r\nX:1\r\nY:\t b c \t\r\nZ:\r\n"
        #expect(
            ServedField.lines(Array(text.utf8)[...]) == [
                ServedField("Host", "a"), ServedField("X", "1"), ServedField("Y", "b c"),
                ServedField("Z", ""),
            ]
        )
    }

    @Test(
        "Names are equal without regard to the case of ASCII letters alone",
        arguments: [
            ("ETag", "etag", true), ("X-A", "x-a", true), ("", "", true), ("a", "ab", false),
            ("a", "b", false),
            // These bytes differ in the bit that distinguishes the case of letters.
            ("[", "{", false), ("@", "`", false), ("É", "é", false),
        ]
    )
    func names(one: String, other: String, areEqual: Bool) {
        #expect(one.isSameFieldName(as: other) == areEqual)
        #expect(other.isSameFieldName(as: one) == areEqual)
    }
}
