import OriginScript
import Testing

@Suite("Patterns for values")
struct TextPatternTests {
    @Test(
        "A pattern matches a whole value or not at all",
        arguments: [
            ("abc", "abc", true), ("abc", "abcd", false), ("abc", "ab", false), ("", "", true),
            ("", "a", false),
            ("a.c", "aüc", true), ("a.c", "ac", false), ("a*", "", true), ("a*", "aaaa", true),
            ("a+", "", false),
            ("a?b", "b", true), ("a?b", "aab", false), ("v[0-9]+", "v12", true), ("v[0-9]+", "vx", false),
            ("[^/]*", "a/b", false), ("[a-c_-]+", "a-_c", true), (#"\d{2,3}"#, "12", true),
            (#"\d{2,3}"#, "1", false),
            (#"\d{2,3}"#, "1234", false), (#"a{2}"#, "aa", true), (#"a{2,}"#, "aaaaa", true),
            ("cat|dog", "dog", true),
            ("cat|dog", "catdog", false), ("(a|b)*c", "ababc", true), ("(a|)b", "b", true),
            (#"a\.b"#, "a.b", true),
            (#"a\.b"#, "axb", false), (#"\w+@\w+"#, "me@home", true), (#"x\sy"#, "x y", true),
            (#"\{\}"#, "{}", true),
            ("[]", "", nil), ("(a", "", nil), ("a)", "", nil), ("*a", "", nil), ("a**", "", nil),
            ("a+?", "", nil),
            ("^a$", "", nil), ("(?i)a", "", nil), (#"(a)\1"#, "", nil), ("a{3,2}", "", nil),
            ("a{1000}", "", nil),
            ("[z-a]", "", nil), (#"\b"#, "", nil), ("a{2", "", nil), ("[a", "", nil), (#"a\"#, "", nil),
        ] as [(String, String, Bool?)]
    )
    func matching(pattern: String, text: String, expected: Bool?) {
        #expect(TextPattern(pattern)?.matches(text) == expected)
    }

    @Test(
        "Patterns with exponential backtracking elsewhere end at once",
        arguments: ["(a*)*b", "(a|aa)+", "(a|a)*b", "(.*.*)*x", "((a{0,100}){0,100})"]
    )
    func catastrophes(pattern: String) {
        let matched = TextPattern(pattern)?.matches(String(repeating: "a", count: 5000) + "!")
        #expect(matched != true)
    }

    @Test("Deep nesting and large programs are refused")
    func limits() {
        #expect(TextPattern(String(repeating: "(", count: 40) + String(repeating: ")", count: 40)) == nil)
        #expect(TextPattern("((a{100}){100}){100}") == nil)
    }
}
