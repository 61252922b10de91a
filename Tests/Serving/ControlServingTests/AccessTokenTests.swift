import ControlServing
import Testing

@Suite("Tokens, RFC 6750 §2.1")
struct AccessTokenTests {
    @Test(
        "A token of 8 to 200 characters of its alphabet is accepted",
        arguments: [
            ("12345678", true), ("1234567", false), ("abc.DEF-_~+/=", true), ("with blank", false),
            ("quote\"quote", false), (String(repeating: "a", count: 200), true),
            (String(repeating: "a", count: 201), false), ("umlaut-ä-umlaut", false),
        ]
    )
    func shape(text: String, isTaken: Bool) {
        #expect((AccessToken(text) != nil) == isTaken)
    }

    @Test(
        "Only identical bytes match",
        arguments: [
            ("12345678", true), ("12345679", false), ("1234567", false), ("123456789", false), ("", false),
            ("02345678", false),
        ]
    )
    func matching(shown: String, matches: Bool) throws {
        let token = try #require(AccessToken("12345678"))
        #expect(token.matches(Array(shown.utf8)) == matches)
    }

    @Test("Two random tokens differ and have 32 digits")
    func random() {
        let tokens = (0..<2).map { _ in AccessToken.random().text }
        #expect(tokens[0] != tokens[1])
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
