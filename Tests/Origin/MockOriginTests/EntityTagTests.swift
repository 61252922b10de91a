import Testing

@testable import MockOrigin

@Suite("Entity tags at the origin, RFC 9110 §8.8.3 and §13.1")
struct EntityTagTests {
    @Test(
        "A tag is quoted, may be weak and has neither quotes nor control characters inside",
        arguments: [
            ("\"\"", false, true), ("\"a\"", false, true), ("W/\"a\"", true, true), ("W/\"\"", true, true),
            ("\"!#~\"", false, true), ("\"é\"", false, true), ("\"a,b\"", false, true),
            ("w/\"a\"", false, false), ("W\"a\"", false, false), ("a", false, false), ("\"", false, false),
            ("\"a", false, false), ("a\"", false, false), ("\"a\"b\"", false, false),
            ("\"a b\"", false, false), ("\"\u{7F}\"", false, false), ("", false, false), ("W/", false, false),
        ]
    )
    func parsing(text: String, isWeak: Bool, isValid: Bool) {
        let tag = EntityTagValue(text)
        #expect((tag != nil) == isValid)
        if let tag {
            #expect(tag.isWeak == isWeak)
            #expect(tag.opaque == (isWeak ? String(text.dropFirst(2)) : text))
        }
    }

    @Test("Strong comparison needs two strong tags, weak comparison only the same opaque tag")
    func comparison() throws {
        let tags = try ["\"a\"", "W/\"a\"", "\"b\""].map { try #require(EntityTagValue($0)) }
        let (strong, weak) = (tags[0], tags[1])
        #expect(tags.map { strong.matchesStrongly($0) } == [true, false, false])
        #expect(tags.map { weak.matchesStrongly($0) } == [false, false, false])
        #expect(tags.map { strong.matchesWeakly($0) } == [true, true, false])
        #expect(tags.map { weak.matchesWeakly($0) } == [true, true, false])
    }

    @Test(
        "A condition is a list that is split at commas outside of quotes, or the asterisk alone",
        arguments: [
            ("*", nil), (" * ", nil), ("\"a\"", ["\"a\""]), ("\"a\" ,\t\"b\"", ["\"a\"", "\"b\""]),
            ("\"a,b\", \"c\"", ["\"a,b\"", "\"c\""]), ("\"a\", b, \"c\"", ["\"a\"", "\"c\""]),
            ("\"a\", *", ["\"a\""]), ("\"a\", \"b", ["\"a\""]), ("", []), (",,\"a\",", ["\"a\""]),
        ] as [(String, [String]?)]
    )
    func condition(value: String, expected: [String]?) {
        switch EntityTagCondition(value) {
        case .any: #expect(expected == nil)
        case .list(let tags): #expect(tags.map(\.opaque) == expected)
        }
    }
}
