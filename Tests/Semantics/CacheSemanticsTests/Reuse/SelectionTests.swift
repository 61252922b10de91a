import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Keys, RFC 9111 §2")
struct KeyTests {
    @Test(
        "Scheme, host, port and an empty path are normalized, and path and query are not changed",
        .checks("rfc9110.4.2.3.normalised", "rfc9111.2.key"),
        arguments: [
            ("HTTP", "Example.TEST", "/a?b", "http://example.test/a?b"),
            ("http", "example.test:80", "", "http://example.test/"),
            ("http", "example.test:", "/", "http://example.test/"),
            ("https", "example.test:443", "/", "https://example.test/"),
            ("https", "example.test:80", "/", "https://example.test:80/"),
            ("http", "[::1]:80", "/", "http://[::1]/"), ("http", "[::1]", "/", "http://[::1]/"),
            ("http", "Me:PW@Example.test", "/", "http://Me:PW@example.test/"),
            ("http", "example.test", "?q", "http://example.test/?q"),
            ("http", "example.test", "/a#b", "http://example.test/a"),
            ("http", "example.test", "*", "http://example.test"),
            ("http", "example.test", "/%7ea%2fb%c3%A9", "http://example.test/%7ea%2fb%c3%A9"),
            ("http", "example.test", "/%zz%4", "http://example.test/%zz%4"),
            ("http", "example.test", "/a?%7e=%c3", "http://example.test/a?%7e=%c3"),
            ("http", "example.test", "/x/../a", "http://example.test/x/../a"),
            ("http", "example.test", "/x/%2e%2E/a", "http://example.test/x/%2e%2E/a"),
            ("HTTP", "example.test", "/x//./%61", "http://example.test/x//./%61"),
        ]
    )
    func key(scheme: String, authority: String, path: String, key: String) {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(CacheEngine().key(for: request) == CacheKey(targetURI: key))
    }

    @Test(
        "Equivalent target URIs have one normal form, RFC 3986 §6.2.2",
        .checks("rfc9110.4.2.3.normalised"),
        arguments: [
            ("/a", "/a"), ("/%7ea%2fb%c3%A9", "/~a%2Fb%C3%A9"), ("/%zz%4", "/%zz%4"),
            ("/a?%7e=%c3", "/a?~=%C3"), ("/x/../a", "/a"), ("/./a/.", "/a/"), ("/a/b/..", "/a/"),
            ("/../../a", "/a"), ("/..", "/"), ("/x/%2e%2E/a", "/a"), ("/x/.%2e/a", "/a"),
            ("/x//../a", "/x/a"), ("/.a/..b/...", "/.a/..b/..."), ("/a?/../b", "/a?/../b"),
            ("/a%3Fb", "/a%3Fb"), ("/a%", "/a%"), ("", ""),
        ]
    )
    func normalForm(target: String, normal: String) {
        let key = CacheKey(targetURI: "http://example.test" + target)
        let same = CacheKey(targetURI: "http://example.test" + normal)
        #expect(key.normalizedTargetURI == same.targetURI)
        #expect(key.isEquivalent(to: same))
        #expect(!key.isEquivalent(to: CacheKey(targetURI: "http://other.test" + normal)))
    }

    @Test(
        "Percent-encoding is normalized without any other change",
        arguments: [
            ("/%7Ea?%7e", "/~a?~"), ("/a%2fb", "/a%2Fb"), ("/x/../%61", "/x/../a"), ("/%zz", "/%zz"),
            ("*", "*"),
        ]
    )
    func percentEncoding(path: String, normal: String) {
        var asked = request(path: path)
        asked.normalizePercentEncoding()
        #expect(asked.path == normal)
    }

    @Test("Query and content distinguish keys", .checks("rfc9111.2.key", "rfc9111.4.target-uri"))
    func different() {
        let engine = CacheEngine()
        #expect(engine.key(for: request(path: "/a?1")) != engine.key(for: request(path: "/a?2")))
        #expect(engine.key(for: request(path: "/a?")) != engine.key(for: request(path: "/a")))
        #expect(engine.key(for: request(path: "/A")) != engine.key(for: request(path: "/a")))
        #expect(engine.key(for: request(), content: "1") != engine.key(for: request()))
    }
}

@Suite("Vary, RFC 9111 §4.1")
struct VaryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let vary: [String]
        let original: [String]
        let presented: [String]
        let matches: Bool

        init(_ name: String, _ vary: [String], _ original: [String], _ presented: [String], _ matches: Bool) {
            testDescription = name
            self.vary = vary
            self.original = original
            self.presented = presented
            self.matches = matches
        }
    }

    static let rows = [
        Row("equal", ["Vary: Foo"], ["Foo: 1"], ["Foo: 1"], true),
        Row("different", ["Vary: Foo"], ["Foo: 1"], ["Foo: 2"], false),
        Row("case of the value", ["Vary: Foo"], ["Foo: a"], ["Foo: A"], false),
        Row("absent now", ["Vary: Foo"], ["Foo: 1"], [], false),
        Row("absent then", ["Vary: Foo"], [], ["Foo: 1"], false),
        Row("empty is not absent", ["Vary: Foo"], ["Foo: "], [], false),
        Row("absent both times", ["Vary: Foo"], [], [], true),
        Row("case of the name", ["Vary: fOO"], ["Foo: 1"], ["FOO: 1"], true),
        Row(
            "a field that is not nominated",
            ["Vary: Foo"],
            ["Foo: 1", "Bar: 1"],
            ["Foo: 1", "Bar: 2"],
            true
        ),
        Row(
            "two names, one differs",
            ["Vary: Foo, Bar"],
            ["Foo: 1", "Bar: 1"],
            ["Foo: 1", "Bar: 2"],
            false
        ),
        Row(
            "two lines of Vary",
            ["Vary: Foo", "Vary: Bar"],
            ["Foo: 1", "Bar: 1"],
            ["Foo: 1", "Bar: 2"],
            false
        ),
        Row("order of the fields", ["Vary: Foo, Bar"], ["Foo: 1", "Bar: 2"], ["Bar: 2", "Foo: 1"], true),
        Row("lines combined", ["Vary: Foo"], ["Foo: 1, 2"], ["Foo: 1", "Foo: 2"], true),
        Row("order of the members", ["Vary: Foo"], ["Foo: 1, 2"], ["Foo: 2, 1"], false),
        Row(
            "whitespace around commas of a list",
            ["Vary: Accept"],
            ["Accept: a/b,c/d"],
            ["Accept: a/b , \tc/d"],
            true
        ),
        Row(
            "whitespace around commas of another field",
            ["Vary: Foo"],
            ["Foo: 1,2"],
            ["Foo: 1 , \t2"],
            false
        ),
        Row("whitespace in quotes", ["Vary: Foo"], ["Foo: \"1,2\""], ["Foo: \"1, 2\""], false),
        Row("star", ["Vary: *"], [], [], false),
        Row("star among names", ["Vary: Foo, *"], ["Foo: 1"], ["Foo: 1"], false),
        Row("star in a second line", ["Vary: Foo", "Vary: *"], ["Foo: 1"], ["Foo: 1"], false),
        Row("no field name", ["Vary: a b"], [], [], false),
        Row("empty Vary", ["Vary: "], [], ["Foo: 1"], true),
    ]

    @Test(
        "A stored response matches if every nominated field matches",
        .checks(
            "rfc9111.4.1.match",
            "rfc9111.4.1.star",
            "rfc9111.4.1.absent",
            "rfc9111.4.1.lines-combined",
            "rfc9111.4.1.whitespace",
            "rfc9111.4.1.name-case",
            "rfc9211.2.2.vary-miss"
        ),
        arguments: rows
    )
    func match(row: Row) throws {
        var original = request()
        original.headerFields = fields(row.original)
        var presented = request()
        presented.headerFields = fields(row.presented)
        let response = response(lines: row.vary + ["Cache-Control: max-age=60"])
        let put = try #require(CacheEngine().exchange(original, response).put)
        let planned = CacheEngine().plan(presented, [put], at: 10)
        #expect(Outcome(planned) == (row.matches ? .fresh(age: 10) : .forward))
        #expect(planned.forwardReason == (row.matches ? nil : .varyMiss))
    }

    @Test(
        "A match is explained by the rule that makes it one, and a field that is the same in both by none",
        arguments: [
            (["Foo: 1"], ["Foo: 1"], nil), (["Foo: 1", "Foo: 2"], ["Foo: 1", "Foo: 2"], nil),
            ([], [], Rule.varyAbsentMatchesAbsent),
            (["Foo: 1, 2"], ["Foo: 1", "Foo: 2"], .varyLinesCombined),
            (["Accept: a/b,c/d"], ["Accept: a/b, c/d"], .varyWhitespaceNormalised),
            (["Accept-Encoding: gzip, br"], ["Accept-Encoding: BR, gzip"], .varyPreferences),
            (["Cookie: a=1"], ["Cookie: a=1"], nil),
        ] as [([String], [String], Rule?)],
        [false, true]
    )
    func explained(row: ([String], [String], Rule?), isPartitioned: Bool) throws {
        let (original, presented, rule) = row
        let name = original.first?.split(separator: ":").first.map(String.init) ?? "Foo"
        var engine = CacheEngine(kind: .private)
        if isPartitioned { engine.partition = CredentialPartition(salt: [1]) }
        var asked = request()
        asked.headerFields = fields(original)
        let reply = response("Vary: \(name)", "Cache-Control: max-age=60")
        let put = try #require(engine.exchange(asked, reply).put)
        asked.headerFields = fields(presented)
        let planned = engine.plan(asked, [put], at: 10)
        #expect(Outcome(planned) == .fresh(age: 10))
        let rules: [Rule] = [
            .varyAbsentMatchesAbsent, .varyLinesCombined, .varyWhitespaceNormalised, .varyPreferences,
        ]
        #expect(rules.filter { planned.held($0) == true } == (rule.map { [$0] } ?? []))
    }

    @Test("Variants are distinguished by key and selected by fields", .checks("rfc9111.4.1.side-by-side"))
    func sideBySide() throws {
        let engine = CacheEngine()
        let answer = { (tag: String) in response("Vary: Foo", "Cache-Control: max-age=60", "ETag: \(tag)") }
        let one = try #require(engine.exchange(request("Foo: 1"), answer("\"1\"")).put)
        let two = try #require(engine.exchange(request("Foo: 2"), [one], answer("\"2\"")).put)
        #expect(one.key == two.key)
        #expect(one.variant != two.variant)
        for (value, tag) in [("1", "\"1\""), ("2", "\"2\"")] {
            guard case .serve(let reuse) = engine.plan(request("Foo: \(value)"), [one, two], at: 10).plan
            else {
                Issue.record("not served")
                return
            }
            #expect(reuse.stored.entityTag?.text == tag)
        }
    }

    @Test(
        "Of several matching responses the one with the latest Date is used",
        .checks("rfc9111.4.most-recent")
    )
    func mostRecent() throws {
        let foo = request("Foo: 1")
        let old = stored(
            "Cache-Control: max-age=99",
            "Vary: Foo",
            "ETag: \"old\"",
            date: -10,
            asked: foo,
            received: 5
        )
        let new = stored("Cache-Control: max-age=99", "Vary: Foo, Bar", "ETag: \"new\"", date: -5, asked: foo)
        for entries in [[old, new], [new, old]] {
            let planned = CacheEngine().plan(foo, entries, at: 10)
            let reuse = try #require(planned.reuse)
            #expect(reuse.stored.entityTag?.text == "\"new\"")
            #expect(planned.held(.mostRecentSelected) == true)
        }
    }

    @Test(
        "A matching response with Vary takes precedence over a later one without",
        .checks("rfc9111.4.1.vary-over-none")
    )
    func varyOverNone() throws {
        let foo = request("Foo: 1")
        let plain = stored("Cache-Control: max-age=99", "ETag: \"plain\"", date: 0, asked: foo)
        let vary = stored("Cache-Control: max-age=99", "Vary: Foo", "ETag: \"vary\"", date: -5, asked: foo)
        for entries in [[plain, vary], [vary, plain]] {
            let reuse = try #require(CacheEngine().plan(foo, entries, at: 10).reuse)
            #expect(reuse.stored.entityTag?.text == "\"vary\"")
        }
    }
}

@Suite("Methods and forwarding, RFC 9111 §4, RFC 9211 §2.2")
struct ForwardingTests {
    static let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"")

    @Test(
        "GET and HEAD are answered from the store, other methods are forwarded",
        .checks(
            "rfc9111.4.method",
            "rfc9111.4.write-through",
            "rfc9110.9.3.2.from-get",
            "rfc9211.2.2.method"
        ),
        arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO", "get"]
    )
    func methods(method: String) {
        let planned = CacheEngine().plan(request(method: method), [Self.entry], at: 10)
        let isAnswered = method == "GET" || method == "HEAD"
        #expect(Outcome(planned) == (isAnswered ? .fresh(age: 10) : .forward))
        #expect(planned.forwardReason == (isAnswered ? nil : .method))
    }

    @Test("A response to another method than GET is not used", .checks("rfc9111.4.method"))
    func storedByPost() {
        let post = stored("Cache-Control: max-age=60", asked: request(method: "POST"))
        #expect(Outcome(CacheEngine().plan(request(), [post], at: 10)) == .forward)
    }

    @Test("An empty store is a miss of the URI", .checks("rfc9211.2.2.uri-miss"))
    func nothingStored() {
        let planned = CacheEngine().plan(request(), [], at: 10)
        #expect(Outcome(planned) == .forward)
        #expect(planned.forwardReason == .uriMiss)
        #expect(planned.key == CacheKey(targetURI: "http://example.test/a"))
        #expect(planned.findings.map(\.rule) == [.forwardURIMiss])
        #expect(planned.findings.map(\.held) == [true])
    }

    @Test(
        "A request with preconditions that only an origin evaluates is forwarded with them unchanged",
        .checks("rfc9111.4.3.2.forwarded", "rfc9111.4.3.2.origin-only", "rfc9211.2.2.request"),
        arguments: ["If-Match: \"x\"", "If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT"]
    )
    func preconditions(line: String) {
        let planned = CacheEngine().plan(request(line), [Self.entry], at: 10)
        #expect(Outcome(planned) == .forward)
        #expect(planned.forwardReason == .request)
        #expect(planned.sent == request(line))
    }

    @Test(
        "Preconditions are forwarded unchanged if nothing is stored",
        .checks("rfc9111.4.3.2.forwarded"),
        arguments: ["If-None-Match: \"x\"", "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"]
    )
    func preconditionsOfMiss(line: String) {
        let planned = CacheEngine().plan(request(line), [], at: 10)
        #expect(planned.sent == request(line))
        #expect(planned.held(.callerConditionForwarded) == true)
    }

    @Test(
        "The 304 to the caller's own preconditions is the caller's, and freshens the response that it names"
    )
    func callersNotModified() {
        let asking = request("If-None-Match: \"v1\"")
        let settlement = CacheEngine().exchange(
            asking,
            [Self.entry],
            at: 10,
            response("ETag: \"v1\"", status: 304, date: 10)
        )
        #expect(Settled(settlement) == .origin(304))
        #expect(settlement.freshened.map(\.date) == [at(10)])
        let other = CacheEngine().exchange(asking, [Self.entry], at: 10, response(status: 304, date: 10))
        #expect(other.freshened.isEmpty)
    }

    @Test(
        "A range request without a matching stored response is forwarded unchanged",
        .checks("rfc9110.14.2.range-forwarded")
    )
    func range() {
        let asking = request("Range: bytes=0-1")
        let planned = CacheEngine().plan(asking, [], at: 10)
        #expect(planned.sent == asking)
        #expect(planned.forwardReason == .uriMiss)
        #expect(planned.held(.rangeForwarded) == true)
    }
}

@Suite("Non-ASCII selecting fields, RFC 9111 §4.1")
struct SelectingBytesTests {
    /// "é" in two forms that Unicode treats as equal, two bytes that are not UTF-8, and K as a letter and as a sign.
    private static let values: [[UInt8]] = [
        Array("\u{E9}".utf8), Array("e\u{301}".utf8), [0xFC], [0xFD], Array("K".utf8), Array("\u{212A}".utf8),
    ]

    @Test(
        "A value matches only its own bytes",
        .checks("rfc9111.4.1.match"),
        arguments: ["Accept-Language", "User"]
    )
    func onlyItsOwn(name: String) throws {
        let name = try #require(HTTPField.Name(name))
        for (row, stored) in Self.values.enumerated() {
            let exchanged = CacheEngine().exchange(
                Self.asking(name, stored),
                response("Cache-Control: max-age=60", "Vary: \(name.rawName)")
            )
            let put = try #require(exchanged.put)
            for (column, value) in Self.values.enumerated() {
                let isReused = CacheEngine().plan(Self.asking(name, value), [put], at: 1).reuse != nil
                #expect(isReused == (row == column), "stored \(stored), asked with \(value)")
            }
        }
    }

    @Test("Values that read alike without their limits are of different variants, RFC 9111 §4.1")
    func limits() {
        let vary = Vary(["Bar, Foo"])
        let first = request("Bar: 1", "Foo: 2foo: 3")
        let second = request("Bar: 1foo: 2", "Foo: 3")
        #expect(vary.variant(of: first.headerFields) != vary.variant(of: second.headerFields))
    }

    @Test("A value that has moved to another nominated field has another digest, RFC 9111 §4.1")
    func movedValue() {
        let (engine, vary) = (CacheEngine(), Vary(["Bar, Foo"]))
        let digests = [request("Bar: x"), request("Foo: x")].map {
            engine.selector(for: $0).presentedDigest(vary)
        }
        #expect(digests[0] != nil && digests[0] != digests[1])
    }

    @Test("The fields in which a request differs are those whose value is another one, RFC 9111 §4.1")
    func differences() {
        let entry = stored(
            "Cache-Control: max-age=60",
            "Vary: Bar, Foo",
            asked: request("Bar: 1", "Foo: 1")
        )
        let names = CacheEngine().differences(of: request("Bar: 1", "Foo: 2"), from: entry)
        #expect(names?.map(\.canonicalName) == ["foo"])
    }

    private static func asking(_ name: HTTPField.Name, _ value: [UInt8]) -> HTTPRequest {
        var asking = request()
        asking.headerFields.append(HTTPField(name: name, lenientValue: value))
        return asking
    }
}
