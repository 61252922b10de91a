import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Responses to POST, RFC 9110 §9.3.3")
struct PostTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let lines: [String]
        let status: Int
        let kind: CacheKind
        let isStored: Bool
        var testDescription: String { "\(status) \(lines), \(kind)" }

        init(_ lines: [String], status: Int = 200, kind: CacheKind = .private, stored: Bool) {
            self.lines = lines
            self.status = status
            self.kind = kind
            isStored = stored
        }
    }

    static let fresh = "Cache-Control: max-age=60"
    static let own = "Content-Location: http://example.test/a"
    static let rows = [
        Row([fresh, own], stored: true), Row([fresh, own], kind: .shared, stored: true),
        Row([fresh, "Content-Location: /a"], stored: true),
        Row([fresh, "Content-Location: a"], stored: true),
        Row([fresh, "Content-Location: HTTP://EXAMPLE.test:80/%61"], stored: true),
        Row([fresh, "Content-Location: /a?x"], stored: false),
        Row([fresh, "Content-Location: /b"], stored: false),
        Row([fresh, "Content-Location: https://example.test/a"], stored: false),
        Row([fresh, "Content-Location: //other.test/a"], stored: false), Row([fresh], stored: false),
        Row([own], stored: false), Row([own, "Cache-Control: public"], stored: false),
        Row([own, "Last-Modified: \(at(-600).text)"], stored: false),
        Row([own, "Expires: \(at(60).text)"], stored: true),
        Row([own, "Cache-Control: s-maxage=60"], stored: false),
        Row([own, "Cache-Control: s-maxage=60"], kind: .shared, stored: true),
        Row([own, "Cache-Control: no-store, max-age=60"], stored: false),
        Row([own, "Cache-Control: private, max-age=60"], kind: .shared, stored: false),
        Row([fresh, own], status: 203, stored: true), Row([fresh, own], status: 201, stored: false),
        Row([fresh, own], status: 204, stored: false), Row([fresh, own], status: 206, stored: false),
        Row([fresh, own], status: 303, stored: false), Row([fresh, own], status: 404, stored: false),
        Row([fresh, own], status: 500, stored: false),
    ]

    @Test(
        "A successful response with explicit freshness and the target in Content-Location is stored for GET",
        .checks("rfc9110.9.3.3.reused-for-get", "rfc9110.9.3.3.explicit", "rfc9110.9.3.3.content-location"),
        arguments: rows
    )
    func storing(row: Row) throws {
        let engine = CacheEngine(kind: row.kind)
        let asked = request(method: "POST")
        let settled = engine.exchange(asked, response(lines: row.lines, status: row.status))
        #expect((settled.put != nil) == row.isStored)
        guard let put = settled.put else { return }
        #expect(Outcome(engine.plan(request(), [put], at: 1)) == .fresh(age: 1))
        #expect(Outcome(engine.plan(request(method: "HEAD"), [put], at: 1)) == .fresh(age: 1))
        #expect(Outcome(engine.plan(asked, [put], at: 1)) == .forward)
    }

    @Test("The response to a POST with fields that are not part of the key is for this request alone")
    func unkeyed() {
        let engine = CacheEngine()
        let asked = request(method: "POST")
        let key = engine.key(for: asked, content: ContentDigest.uncacheableFields)
        let planned = engine.plan(asked, key: key, policy: .useProtocolCachePolicy, stored: [], now: at(0))
        let answer = response(Self.fresh, Self.own)
        let settled = engine.settle(
            planned,
            reply: .response(answer, requestTime: at(0), responseTime: at(0))
        )
        #expect(settled.invalidated == ["http://example.test/a"])
        #expect(settled.put == nil)
        #expect(settled.held(.keyHasMethodAndTarget) == true)
    }

    @Test("The target is invalidated before its new response is stored")
    func order() throws {
        let settled = CacheEngine().exchange(request(method: "POST"), response(Self.fresh, Self.own))
        let kinds = settled.edits.map { edit in
            switch edit {
            case .invalidate: "invalidate"
            case .put: "put"
            default: "other"
            }
        }
        #expect(kinds == ["invalidate", "put"])
    }
}
