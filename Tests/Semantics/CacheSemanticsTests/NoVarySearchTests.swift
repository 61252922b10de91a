import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("No-Vary-Search")
struct NoVarySearchTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let field: String
        let first: String
        let second: String
        let isEqual: Bool
        var testDescription: String { "\(field): ?\(first) and ?\(second)" }

        init(_ field: String, _ first: String, _ second: String, _ isEqual: Bool) {
            self.field = field
            self.first = first
            self.second = second
            self.isEqual = isEqual
        }
    }

    static let rows = [
        Row("params=(\"a\")", "a=1&b=2", "b=2&a=3", true), Row("params=(\"a\")", "a=1&b=2", "b=2", true),
        Row("params=(\"a\")", "a=1&b=2", "b=3", false),
        Row("params=(\"a\")", "a=1&b=2&b=3", "b=3&b=2", false),
        Row("params=(\"a\" \"b\")", "a=1&b=2", "c", false), Row("params=(\"a\" \"b\")", "a=1&b=2", "", true),
        Row("except=()", "a=1", "b=2", true), Row("except=()", "a=1", "", true),
        Row("except=(\"a\")", "a=1&b=2", "c=3&a=1", true), Row("except=(\"a\")", "a=1", "a=2", false),
        Row("except=(\"a\")", "a=1", "b=1", false), Row("except=(\"a\"), x", "a=1&b=2", "a=1", true),
        Row("key-order, except=(\"a\" \"b\")", "a=1&b=2&c=3", "b=2&a=1", true),
        // Draft §5.1: bytes that are not UTF-8 are read as U+FFFD.
        Row("key-order", "a=%f6", "a=%ef%bf%bd", true), Row("key-order", "%f6=1", "%fc=1", true),
        Row("key-order", "a=%c3%a9", "a=%c3%a8", false),
        Row("key-order", "a=1&b=2", "b=2&a=1", true), Row("key-order", "a=1&a=2", "a=2&a=1", false),
        Row("key-order", "a=1&b=2", "a=1&b=3", false), Row("key-order", "a=1&b=2&a=3", "b=2&a=1&a=3", true),
        Row("key-order, params=(\"c\")", "a=1&b=2&c=3", "b=2&a=1", true),
        Row("params=(\"a b\")", "a+b=1", "a%20b=2", true), Row("params=(\"a%20b\")", "a+b=1", "", true),
        Row("params=(\"%c3%a9\")", "%C3%A9=1", "", true), Row("key-order", "a", "a=", true),
        Row("key-order", "&&a=1&", "a=1", true), Row("params=(\"A\")", "a=1", "", false),
        Row("key-order", "x=e%CC%81", "x=%C3%A9", false), Row("key-order", "a=%zz", "a=%zz", true),
        Row("key-order", "a=1%262", "a=1&2", false),
    ]

    @Test(
        "Queries are equal if they differ only in what the field names",
        .checks("no-vary-search.match"),
        arguments: rows
    )
    func equality(row: Row) throws {
        let search = try #require(NoVarySearch([.noVarySearch: row.field]))
        #expect((search.canonical(row.first) == search.canonical(row.second)) == row.isEqual)
    }

    @Test(
        "A field that is malformed or empty is ignored",
        .checks("no-vary-search.malformed"),
        arguments: [
            "", "(\"a\")", "\"a\"", "params=\"a\"", "params=(a)", "params=(\"a\" b)", "params=1", "params=a",
            "params=?2", "params=(\"a\"", "params=?0, except=(\"a\")",
            "params=(\"a\"), except=(\"b\")", "params, except=\"a\"", "params, except=(a)", "params, except",
            "params=(), except=()", "except=\"a\"", "except=(a)", "except=?1", "except",
            "key-order, params=?0",
            "key-order=1", "key-order=\"a\"", "key-order=(\"a\")", "key-order, params=x", "Params",
            "key-order,",
            "params=?0", "key-order=?0", "params=()",
        ]
    )
    func malformed(field: String) throws {
        let name = try #require(HTTPField.Name("No-Vary-Search"))
        #expect(NoVarySearch([name: field]) == nil)
    }

    @Test(
        "A dictionary of 1,024 members is read, RFC 9651 §3.2, and one of more is not",
        arguments: [(1024, true), (1025, false)]
    )
    func size(count: Int, isRead: Bool) throws {
        let name = try #require(HTTPField.Name("No-Vary-Search"))
        let field = "params" + (1..<count).map { ", a\($0)" }.joined()
        #expect((NoVarySearch([name: field]) != nil) == isRead)
    }

    @Test("A stored response matches only a key with the same path, origin and content")
    func answers() {
        let engine = CacheEngine()
        let entry = stored("No-Vary-Search: except=()", asked: request(path: "/a?x=1"))
        func key(_ uri: String, _ content: String = "") -> CacheKey {
            CacheKey(targetURI: uri, content: content)
        }
        #expect(entry.answers(key("http://example.test/a?x=2"), by: engine))
        #expect(entry.answers(key("http://example.test/a"), by: engine))
        #expect(!entry.answers(key("http://example.test/b?x=1"), by: engine))
        #expect(!entry.answers(key("https://example.test/a?x=1"), by: engine))
        #expect(!entry.answers(key("http://example.test/a?x=1", "q:1"), by: engine))
        #expect(!stored("Foo: 1").answers(key("http://example.test/a?x=2"), by: engine))
    }

    @Test(
        "An unsafe request invalidates responses for other queries only if their own fields ignore the difference",
        arguments: [
            ("except=()", "/a?x=2", true), ("except=()", "/a", true), ("params=(\"x\")", "/a?x=2", true),
            ("params=(\"y\")", "/a?x=2", false), ("except=(\"x\")", "/a?x=2", false),
            ("except=()", "/b?x=1", false), ("except=()", "/", false), (nil, "/a?x=1", false),
        ] as [(String?, String, Bool)]
    )
    func invalidated(field: String?, path: String, isMatched: Bool) {
        let lines = field.map { ["No-Vary-Search: \($0)"] } ?? []
        let entry = stored(lines: lines, asked: request(path: "/a?x=1"))
        #expect(entry.isMatched(byNormalizedTargetURI: "http://example.test" + path) == isMatched)
        #expect(!entry.isMatched(byNormalizedTargetURI: "https://example.test" + path))
    }

    @Test(
        "key-order has an effect with params or except, and alone only with the deviation for earlier drafts",
        .checks("no-vary-search.match"),
        arguments: [
            ("key-order", false, true), ("key-order, params=()", true, true),
            ("key-order, except=(\"a\" \"b\")", true, true), ("key-order=?0", false, false),
        ]
    )
    func order(field: String, isObeyed: Bool, isObeyedByEarlier: Bool) {
        let entry = stored("No-Vary-Search: \(field)", asked: request(path: "/a?a=1&b=2"))
        let key = CacheKey(targetURI: "http://example.test/a?b=2&a=1")
        var engine = CacheEngine()
        #expect(entry.answers(key, by: engine) == isObeyed)
        engine.deviations = .earlierNoVarySearch
        #expect(entry.answers(key, by: engine) == isObeyedByEarlier)
    }

    @Test(
        "params as a Boolean has an effect only with the deviation for earlier drafts",
        .checks("no-vary-search.malformed"),
        arguments: ["params", "params=?1", "params, except=(\"y\")", "key-order, params"]
    )
    func earlierDraft(field: String) {
        let entry = stored("No-Vary-Search: \(field)", asked: request(path: "/a?x=1"))
        let key = CacheKey(targetURI: "http://example.test/a?x=2")
        var engine = CacheEngine()
        #expect(!entry.answers(key, by: engine))
        engine.deviations = .earlierNoVarySearch
        #expect(entry.answers(key, by: engine))
        #expect(
            !stored("No-Vary-Search: params=(\"y\")", asked: request(path: "/a?x=1")).answers(key, by: engine)
        )
    }
}
