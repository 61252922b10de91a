import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Targeted fields, RFC 9213")
struct TargetedFieldTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let lines: [String]
        /// The last second at which the response is fresh; `nil` if it never is.
        let lastFresh: Int64?
        var testDescription: String { lines.joined(separator: "; ") }

        init(_ lines: [String], _ lastFresh: Int64?) {
            self.lines = lines
            self.lastFresh = lastFresh
        }
    }

    static func engine(_ kind: CacheKind = .shared) -> CacheEngine {
        var engine = CacheEngine(kind: kind)
        engine.targets = [.cdnCacheControl]
        return engine
    }

    static let rows = [
        Row(["CDN-Cache-Control: max-age=60"], 59),
        Row(["CDN-Cache-Control: max-age=60", "Cache-Control: max-age=600"], 59),
        Row(["CDN-Cache-Control: max-age=60", "Cache-Control: s-maxage=600"], 59),
        Row(["CDN-Cache-Control: s-maxage=60, max-age=1"], 59),
        Row(["CDN-Cache-Control: max-age=60", "Expires: \(at(600).text)"], 59),
        Row(["CDN-Cache-Control: max-age=60", "Expires: 0"], 59),
        Row(["CDN-Cache-Control: public", "Expires: \(at(600).text)"], nil),
        Row(["CDN-Cache-Control: public", "Last-Modified: \(at(-600).text)"], 59),
        Row(["CDN-Cache-Control: max-age=99999999999999"], 2_147_483_647),
        Row(["CDN-Cache-Control: max-age=9999999999999999", "Cache-Control: max-age=60"], 59),
        Row(["CDN-Cache-Control: max-age=-1", "Cache-Control: max-age=60"], nil),
        Row(["CDN-Cache-Control: max-age=60", "CDN-Cache-Control: max-age=30"], 29),
        Row(["CDN-Cache-Control: ", "Cache-Control: max-age=60"], 59),
        Row(["CDN-Cache-Control: max-age=600,", "Cache-Control: max-age=60"], 59),
        Row(["CDN-Cache-Control: Max-Age=600", "Cache-Control: max-age=60"], 59),
        Row(["CDN-Cache-Control: max-age=\"600\"", "Cache-Control: max-age=60"], nil),
        Row(["CDN-Cache-Control: max-age=600.0", "Cache-Control: max-age=60"], nil),
        Row(["CDN-Cache-Control: max-age=(600)", "Cache-Control: max-age=60"], nil),
        Row(["CDN-Cache-Control: max-age", "Cache-Control: max-age=60"], nil),
        Row(["Other-Cache-Control: max-age=600", "Cache-Control: max-age=60"], 59),
    ]

    @Test(
        "The valid targeted field alone determines the freshness lifetime",
        .checks(
            "rfc9213.2.1.structured",
            "rfc9213.2.1.invalid",
            "rfc9213.2.1.type",
            "rfc9213.2.2.targeted-first",
            "rfc9213.2.2.no-mixing",
            "rfc9213.2.2.unlisted"
        ),
        arguments: rows
    )
    func lifetime(row: Row) {
        let engine = Self.engine()
        let entry = StoredResponse(
            key: engine.key(for: request()),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: response(lines: row.lines),
            requestTime: at(0),
            responseTime: at(0)
        )
        if let last = row.lastFresh {
            #expect(Outcome(engine.plan(request(), [entry], at: last)) == .fresh(age: last))
        }
        #expect(engine.plan(request(), [entry], at: (row.lastFresh ?? -1) + 1).reuse == nil)
    }

    @Test(
        "Directives of a targeted field decide whether a response is stored",
        .checks("rfc9213.2.2.targeted-first", "rfc9213.2.1.type"),
        arguments: [
            ("no-store", "max-age=60", false), ("no-store=?1", "max-age=60", false),
            ("no-store=?0", "no-store", true), ("private", "max-age=60", false),
            ("private=\"Foo\"", "max-age=60", true), ("max-age=60", "no-store", true),
            ("max-age=60", "private", true), ("max-age =60", "no-store", false), ("", "no-store", false),
            ("must-understand, no-store, max-age=60", "max-age=60", true),
        ]
    )
    func storing(targeted: String, general: String, isStored: Bool) {
        let settled = Self.engine().exchange(
            response("CDN-Cache-Control: \(targeted)", "Cache-Control: \(general)")
        )
        #expect((settled.put != nil) == isStored)
    }

    @Test("Fields that a targeted private lists are not stored in a shared cache")
    func privateFields() throws {
        let put = try #require(
            Self.engine().exchange(
                response("CDN-Cache-Control: max-age=60, private=\"foo\"", "Foo: 1", "Bar: 2")
            ).put
        )
        #expect(put.response.headerFields.map(\.name.canonicalName) == ["cdn-cache-control", "bar", "date"])
    }

    @Test("The first field of the cache's list that is present and valid counts")
    func order() throws {
        var engine = CacheEngine(kind: .shared)
        engine.targets = try ["Example-CDN-Cache-Control", "Edge-Policy", "CDN-Cache-Control"].map {
            try #require(HTTPField.Name($0))
        }
        let lines = [
            "CDN-Cache-Control: max-age=10", "Edge-Policy: max-age=20",
            "Example-CDN-Cache-Control: max-age=30",
        ]
        for (index, expected) in [(2, Int64(29)), (1, 19), (0, 9)] {
            let put = try #require(engine.exchange(response(lines: Array(lines[...index]))).put)
            #expect(Outcome(engine.plan(request(), [put], at: expected)) == .fresh(age: expected))
            #expect(engine.plan(request(), [put], at: expected + 1).reuse == nil)
        }
    }

    @Test("must-revalidate and stale-if-error of a targeted field apply to stale use")
    func stale() throws {
        let engine = Self.engine()
        let lenient = response(
            "CDN-Cache-Control: max-age=1, stale-if-error=600",
            "Cache-Control: must-revalidate"
        )
        let strict = response(
            "CDN-Cache-Control: max-age=1, must-revalidate",
            "Cache-Control: stale-if-error=600"
        )
        let used = try #require(engine.exchange(lenient).put)
        let unused = try #require(engine.exchange(strict).put)
        #expect(Settled(engine.failure(request(), [used], at: 60)) == .stored(age: 60, isStale: true))
        #expect(Settled(engine.failure(request(), [unused], at: 60)) == .gatewayTimeout)
    }
}
