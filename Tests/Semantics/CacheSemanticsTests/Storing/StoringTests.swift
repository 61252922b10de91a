import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Storing, RFC 9111 §3")
struct StoringTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let asks: [String]
        let lines: [String]
        let status: Int
        let kind: CacheKind
        let isStored: Bool

        init(
            _ lines: [String],
            status: Int = 200,
            asks: [String] = [],
            kind: CacheKind = .private,
            stored: Bool
        ) {
            testDescription = "\(status) \(lines), request \(asks), \(kind)"
            self.lines = lines
            self.status = status
            self.asks = asks
            self.kind = kind
            isStored = stored
        }
    }

    static let directives = [
        Row([], stored: true), Row(["Cache-Control: max-age=60"], stored: true),
        Row(["Cache-Control: max-age=0"], stored: true),
        Row(["Cache-Control: no-cache"], stored: true), Row(["Cache-Control: no-store"], stored: false),
        Row(["Cache-Control: NO-STORE, max-age=60"], stored: false),
        Row(["Cache-Control: no-store=\"x\""], stored: false),
        Row(["Cache-Control: max-age=60", "Cache-Control: no-store"], stored: false),
        Row(["Cache-Control: x=\"no-store\""], stored: true),
        Row(["Cache-Control: no-store, must-understand, max-age=60"], stored: true),
        Row(["Cache-Control: no-store, must-understand, max-age=60"], status: 599, stored: false),
        Row(["Cache-Control: must-understand, max-age=60"], status: 599, stored: false),
        Row(["Cache-Control: max-age=60"], status: 599, stored: true),
        Row(["Cache-Control: public, max-age=60"], status: 600, stored: false),
        Row(["Cache-Control: max-age=60"], status: 999, stored: false),
        Row(["Cache-Control: private"], stored: true),
        Row(["Cache-Control: private, max-age=60"], kind: .shared, stored: false),
        Row(["Cache-Control: private=\"Foo\", max-age=60"], kind: .shared, stored: true),
        Row(["Cache-Control: private=\"Foo\", private, max-age=60"], kind: .shared, stored: false),
        Row(["Cache-Control: max-age=60"], asks: ["Cache-Control: no-store"], stored: false),
        Row(["Cache-Control: max-age=60"], asks: ["Cache-Control: no-cache"], stored: true),
        Row(["Vary: *", "Cache-Control: max-age=60"], stored: true),
    ]

    @Test(
        "Directives decide whether a response is stored",
        .checks(
            "rfc9111.3.no-store",
            "rfc9111.3.private-in-shared",
            "rfc9111.5.2.1.5.no-store",
            "rfc9111.5.2.2.5.no-store",
            "rfc9111.5.2.2.7.private",
            "rfc9111.5.2.2.7.qualified",
            "rfc9111.5.2.2.3.must-understand",
            "rfc9111.5.2.2.3.unknown-status",
            "rfc9111.5.2.2.4.no-cache"
        ),
        arguments: directives
    )
    func byDirective(row: Row) {
        expectStored(row)
    }

    static let statuses: [Row] = {
        let marked = ["Cache-Control: max-age=60"]
        let heuristic = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        let others = [201, 202, 205, 302, 303, 307, 400, 401, 403, 500, 502, 503, 504, 599]
        var rows = heuristic.map { Row([], status: $0, stored: true) }
        rows += others.map { Row([], status: $0, stored: false) }
        rows += others.map { Row(marked, status: $0, stored: true) }
        rows += [
            Row(["Expires: Thu, 01 Jan 2026 00:01:00 GMT"], status: 599, stored: true),
            Row(["Cache-Control: public"], status: 599, stored: true),
            Row(["Cache-Control: private"], status: 302, stored: true),
            Row(["Cache-Control: s-maxage=60"], status: 302, stored: false),
            Row(["Cache-Control: s-maxage=60"], status: 302, kind: .shared, stored: true),
            Row(marked, status: 103, stored: false),
            Row(marked, status: 206, stored: false),
            Row(marked + ["Content-Range: bytes 0-1/2"], stored: true),
            Row(marked + ["Content-Range: bytes 0-1/2"], asks: ["Range: bytes=0-1"], stored: false),
            Row(marked, status: 304, stored: false),
            Row(marked, status: 412, asks: ["If-Match: \"x\""], stored: false),
            Row(marked, status: 416, asks: ["Range: bytes=9-"], stored: false),
        ]
        return rows
    }()

    @Test(
        "A status code is stored if it is heuristically cacheable or the response says so",
        .checks(
            "rfc9111.3.explicit-or-heuristic",
            "rfc9111.3.explicit-any-status",
            "rfc9111.3.final-status",
            "rfc9111.3.status-understood",
            "rfc9111.3.3.partial-not-stored",
            "rfc9111.5.2.2.9.public",
            "rfc9110.15.1.heuristic"
        ),
        arguments: statuses
    )
    func byStatus(row: Row) {
        expectStored(row)
    }

    @Test(
        "A response that RFC 6585 forbids to store is not stored, whatever its fields",
        .checks("rfc9111.3.status-understood"),
        arguments: [428, 429, 431, 511],
        [
            "public, max-age=60", "s-maxage=60", "must-understand, max-age=60",
            "max-age=60, no-store, must-understand",
        ]
    )
    func neverStored(status: Int, directives: String) {
        for engine in [CacheEngine(), .shared] {
            let settlement = engine.exchange(response("Cache-Control: \(directives)", status: status))
            #expect(settlement.edits.isEmpty)
            #expect(settlement.held(.storeStatusUnderstood) == false)
        }
    }

    private static let secret = ["Authorization: Basic eDp5"]

    @Test(
        "A shared cache stores the response to a request with Authorization only if a directive allows it",
        .checks("rfc9111.3.5.authorization", "rfc9111.3.5.allowed"),
        arguments: [
            Row(["Cache-Control: max-age=60"], asks: secret, kind: .shared, stored: false),
            Row(["Cache-Control: max-age=60, proxy-revalidate"], asks: secret, kind: .shared, stored: false),
            Row(["Cache-Control: max-age=60, must-revalidate"], asks: secret, kind: .shared, stored: true),
            Row(["Cache-Control: max-age=60, public"], asks: secret, kind: .shared, stored: true),
            Row(["Cache-Control: s-maxage=60"], asks: secret, kind: .shared, stored: true),
            Row(["Cache-Control: max-age=60"], asks: secret, kind: .private, stored: true),
        ]
    )
    func authorization(row: Row) {
        expectStored(row)
    }

    @Test(
        "A private cache of several users stores the response to a request with Authorization only if a directive that it obeys allows it",
        .checks("rfc9111.3.5.authorization", "rfc9111.3.5.allowed"),
        arguments: [
            ("max-age=60", false), ("max-age=60, s-maxage=60", false), ("max-age=60, public", true),
            ("max-age=60, must-revalidate", true), ("private, max-age=60, must-revalidate", false),
        ]
    )
    func authorizationOfSeveralUsers(directives: String, isStored: Bool) {
        var engine = CacheEngine(kind: .private)
        engine.servesSeveralUsers = true
        let settlement = engine.exchange(
            request("Authorization: Basic eDp5"),
            response("Cache-Control: \(directives)")
        )
        #expect((settlement.put != nil) == isStored)
    }

    @Test(
        "Only the response to GET is stored",
        .checks("rfc9111.3.method-understood"),
        arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "FOO"]
    )
    func byMethod(method: String) {
        let settlement = CacheEngine().exchange(
            request(method: method),
            response("Cache-Control: max-age=60")
        )
        #expect((settlement.put != nil) == (method == "GET"))
    }

    @Test(
        "A stored response has the times, the key and the selecting fields of its exchange",
        .checks("rfc9111.4.1.match")
    )
    func whatIsStored() throws {
        let asking = request("Foo: 1", "Bar: 2")
        let planned = CacheEngine().plan(asking, [], at: 5)
        let answer = response("Vary: foo", "Cache-Control: max-age=60")
        let settlement = CacheEngine()
            .settle(planned, reply: .response(answer, requestTime: at(5), responseTime: at(7)))
        let put = try #require(settlement.put)
        #expect(put.key == CacheKey(targetURI: "http://example.test/a"))
        #expect(put.requestTime == at(5))
        #expect(put.responseTime == at(7))
        #expect(put.selectingFields == fields(["Foo: 1"]))
        #expect(put.method == .get)
        #expect(!put.isInvalidated)
    }

    @Test("A response without Date gets the time of its receipt", .checks("rfc9110.6.6.1.missing"))
    func dateAdded() throws {
        let put = try #require(CacheEngine().exchange(response("Cache-Control: max-age=60", date: nil)).put)
        #expect(put.response.headerFields[.date] == "Thu, 01 Jan 2026 00:00:00 GMT")
    }

    private func expectStored(_ row: Row) {
        var asking = request()
        asking.headerFields = fields(row.asks)
        let answer = response(lines: row.lines, status: row.status)
        let settlement = CacheEngine(kind: row.kind).exchange(asking, answer)
        #expect((settlement.put != nil) == row.isStored)
        #expect(settlement.edits.count == (row.isStored ? 1 : 0))
    }
}

@Suite("Replacing, RFC 9111 §3 and §4")
struct ReplacingTests {
    static let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"", date: 0)

    @Test("A newer response replaces the stored one of its variant", .checks("rfc9111.3.replaces"))
    func replaces() {
        let settlement = CacheEngine().exchange(
            request(),
            [Self.entry],
            at: 70,
            response("ETag: \"v2\"", date: 70)
        )
        #expect(settlement.put?.variant == Self.entry.variant)
        #expect(settlement.held(.storeReplacesOlder) == true)
    }

    @Test("A newer response that may not be stored removes the stored one", .checks("rfc9111.3.replaces"))
    func removes() {
        let answer = response("Cache-Control: no-store", date: 70)
        let settlement = CacheEngine().exchange(request(), [Self.entry], at: 70, answer)
        #expect(settlement.put == nil)
        #expect(settlement.removed == [VariantKey()])
        let error = CacheEngine().exchange(request(), [Self.entry], at: 70, response(status: 503, date: 70))
        #expect(error.edits.isEmpty)
    }

    @Test(
        "The response to a reload replaces a stored one with a later Date",
        .checks("rfc9111.3.replaces"),
        arguments: [(10, -30), (10, 0), (10, 5), (70, -30)] as [(Int64, Int64)]
    )
    func earlierDate(second: Int64, date: Int64) {
        let settlement = CacheEngine().exchange(
            request(),
            [Self.entry],
            policy: .reloadIgnoringLocalCacheData,
            at: second,
            response("Cache-Control: max-age=60", date: date)
        )
        #expect(settlement.put?.date == at(date))
    }

    @Test(
        "The full response to a validation replaces the stored one, whatever its Date",
        .checks("rfc9111.4.3.3.full")
    )
    func validationReplaces() {
        let asking = request("Cache-Control: no-cache")
        let settlement = CacheEngine().exchange(
            asking,
            [Self.entry],
            at: 10,
            response("ETag: \"v2\"", date: -30)
        )
        #expect(Settled(settlement) == .origin(200))
        #expect(settlement.put != nil)
    }
}

@Suite("Stored fields, RFC 9111 §3.1")
struct StoredFieldsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: [String]
        let kept: [String]
        let kind: CacheKind
    }

    static let rows = [
        Row(
            testDescription: "unknown fields",
            lines: ["X-Foo: 1", "Content-Foo: 2", "Set-Cookie: a=b", "X-Foo: 3"],
            kept: ["X-Foo: 1", "Content-Foo: 2", "Set-Cookie: a=b", "X-Foo: 3"],
            kind: .private
        ),
        Row(
            testDescription: "Connection and what it lists",
            lines: ["Connection: close, X-Foo", "Connection: Bar", "X-Foo: 1", "Bar: 2", "Baz: 3"],
            kept: ["Baz: 3"],
            kind: .private
        ),
        Row(
            testDescription: "hop-by-hop fields",
            lines: [
                "Keep-Alive: 1", "Proxy-Connection: close", "TE: trailers", "Transfer-Encoding: chunked",
                "Upgrade: x",
                "Content-Length: 0",
            ],
            kept: ["Content-Length: 0"],
            kind: .private
        ),
        Row(
            testDescription: "proxy fields",
            lines: [
                "Proxy-Authenticate: a", "Proxy-Authentication-Info: b", "Proxy-Authorization: c", "A: d",
            ],
            kept: ["A: d"],
            kind: .private
        ),
        Row(
            testDescription: "fields that no-cache lists",
            lines: ["Cache-Control: no-cache=\"foo, Set-Cookie\"", "Foo: 1", "Set-Cookie: a", "Bar: 2"],
            kept: ["Cache-Control: no-cache=\"foo, Set-Cookie\"", "Bar: 2"],
            kind: .private
        ),
        Row(
            testDescription: "fields that private lists, in a shared cache",
            lines: ["Cache-Control: private=\"foo\"", "Foo: 1", "Bar: 2"],
            kept: ["Cache-Control: private=\"foo\"", "Bar: 2"],
            kind: .shared
        ),
        Row(
            testDescription: "fields that private lists, in a private cache",
            lines: ["Cache-Control: private=\"foo\"", "Foo: 1", "Bar: 2"],
            kept: ["Cache-Control: private=\"foo\"", "Foo: 1", "Bar: 2"],
            kind: .private
        ),
    ]

    @Test(
        "All fields are stored except those that an exception names",
        .checks(
            "rfc9111.3.1.all-fields",
            "rfc9111.3.1.connection-listed",
            "rfc9111.3.1.hop-by-hop",
            "rfc9111.3.1.proxy-fields",
            "rfc9111.3.1.no-cache-fields",
            "rfc9111.3.1.private-fields",
            "rfc9111.5.2.2.4.qualified",
            "rfc9111.5.2.2.7.qualified"
        ),
        arguments: rows
    )
    func kept(row: Row) throws {
        let put = try #require(CacheEngine(kind: row.kind).exchange(response(lines: row.lines)).put)
        #expect(
            Array(put.response.headerFields)
                == Array(fields(row.kept + ["Date: Thu, 01 Jan 2026 00:00:00 GMT"]))
        )
    }

    @Test(
        "A response with qualified no-cache is used without validation",
        .checks("rfc9111.5.2.2.4.qualified")
    )
    func qualifiedNoCacheIsUsed() throws {
        let answer = response("Cache-Control: no-cache=\"Foo\", max-age=60", "Foo: 1")
        let put = try #require(CacheEngine().exchange(answer).put)
        let reuse = try #require(CacheEngine().plan(request(), [put], at: 10).reuse)
        #expect(!reuse.response.headerFields.contains(try #require(HTTPField.Name("Foo"))))
    }
}
