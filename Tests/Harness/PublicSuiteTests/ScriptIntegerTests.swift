import OriginScript
import PublicSuite
import Testing

@Suite("Numbers as JavaScript parses them")
struct ScriptIntegerTests {
    @Test(
        "A text is parsed up to the first character that is not a digit",
        arguments: [
            ("2", 2), ("2abc", 2), (" \t7", 7), ("+3", 3), ("-4", -4), ("0x1f", 31), ("1, 2", 1), ("007", 7),
            ("1e3", 1), ("2.9", 2), ("99999999999999999999", Int.max),
        ]
    )
    func read(text: String, number: Int) {
        #expect(ScriptInteger.parse(text) == number)
    }

    @Test(
        "A text that does not begin with a digit is not a number",
        arguments: ["", " ", "abc", "-", "+-1", "0x", ".5"]
    )
    func refuse(text: String) {
        #expect(ScriptInteger.parse(text) == nil)
    }
}
