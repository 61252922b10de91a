import Conformance
import Testing

@Suite("Glob patterns over ids")
struct GlobPatternTests {
    @Test(
        "a pattern matches the whole id or not at all",
        arguments: [
            ("http/4.2.1/max-age/boundary", true), ("http/*", true), ("*max-age*", true), ("*", true),
            ("*/boundary", true), ("http/?.2.1/*/b*y", true), ("http", false), ("*/max-age", false),
            ("?", false), ("", false), ("*a*b*x", false), ("http/4.2.1/max-age/boundary*", true),
        ]
    )
    func matches(pattern: String, expected: Bool) {
        #expect(GlobPattern(pattern).matches("http/4.2.1/max-age/boundary") == expected)
    }

    @Test("many stars over a long id end at once")
    func manyStars() {
        let pattern = GlobPattern(String(repeating: "*a", count: 50) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
    }
}
