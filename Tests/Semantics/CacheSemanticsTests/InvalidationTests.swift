import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Invalidation, RFC 9111 §4.4")
struct InvalidationTests {
    private static let target = "http://example.test/a"

    @Test(
        "A non-error response to an unsafe or unknown method invalidates the target",
        .checks("rfc9111.4.4.unsafe", "rfc9111.4.4.unknown-method", "rfc9111.4.4.safe", "rfc9111.4.4.error"),
        arguments: [
            ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true), ("PATCH", 200, true),
            ("M-SEARCH", 200, true),
            ("FOO", 200, true), ("POST", 303, true), ("POST", 400, false),
            ("POST", 404, false),
            ("POST", 500, false), ("FOO", 500, false), ("GET", 200, false), ("HEAD", 200, false),
            ("OPTIONS", 200, false), ("TRACE", 200, false), ("PROPFIND", 200, false),
        ]
    )
    func target(method: String, status: Int, invalidates: Bool) {
        let settlement = CacheEngine().exchange(request(method: method), response(status: status))
        #expect(settlement.invalidated == (invalidates ? [Self.target] : []))
        #expect(Settled(settlement) == .origin(status))
    }

    @Test(
        "A response that the request cannot have is rejected, but its invalidations apply",
        .checks("rfc9111.4.4.unsafe"),
        arguments: [206, 304]
    )
    func rejected(status: Int) {
        let settlement = CacheEngine().exchange(request(method: "POST"), response(status: status))
        #expect(settlement.invalidated == [Self.target])
        #expect(Settled(settlement) == .rejected)
    }

    @Test(
        "Location and Content-Location of the same origin are invalidated, others are not",
        .checks("rfc9111.4.4.location", "rfc9111.4.4.content-location", "rfc9111.4.4.same-origin"),
        arguments: [
            ("/b", "http://example.test/b"), ("b", "http://example.test/b"),
            ("?x", "http://example.test/a?x"),
            ("../c/./d/../e", "http://example.test/c/e"),
            ("http://EXAMPLE.test:80/b#f", "http://example.test/b"),
            ("//example.test/b", "http://example.test/b"), ("http://example.test", "http://example.test/"),
            ("/%7eb", "http://example.test/%7eb"), ("./", "http://example.test/"),
            ("http://other.test/b", nil), ("https://example.test/b", nil), ("http://example.test:81/b", nil),
            ("//other.test/b", nil), ("mailto:a@example.test", nil), ("ftp://example.test/b", nil),
            ("http:/b", nil), ("http:b.example.test/b", nil), ("/a", nil), ("", nil), ("#x", nil),
        ] as [(String, String?)]
    )
    func location(reference: String, key: String?) {
        for name in ["Location", "Content-Location"] {
            let settlement = CacheEngine()
                .exchange(request(method: "POST"), response("\(name): \(reference)", status: 201))
            #expect(settlement.invalidated == [Self.target] + (key.map { [$0] } ?? []))
        }
    }

    @Test("The response to an unsafe method is not stored", .checks("rfc9111.3.method-understood"))
    func notStored() {
        let settlement = CacheEngine().exchange(request(method: "PUT"), response("Cache-Control: max-age=60"))
        #expect(settlement.put == nil)
        #expect(settlement.held(.storeMethodUnderstood) == false)
    }

    @Test("An unsafe request that cannot be sent invalidates nothing")
    func failure() {
        let settlement = CacheEngine().failure(request(method: "POST"), [], at: 0)
        #expect(settlement.edits.isEmpty)
        #expect(Settled(settlement) == .unanswered)
    }

    @Test(
        "An invalidated response is validated before its next use",
        .checks("rfc9111.4.4.validates"),
        arguments: ["ETag: \"v1\"", "Foo: 1"]
    )
    func invalidated(line: String) {
        let entry = stored("Cache-Control: max-age=60", line).invalidated()
        let outcome = line.hasPrefix("ETag") ? Outcome.validate : .forward
        #expect(Outcome(CacheEngine().plan(request("Cache-Control: max-stale"), [entry], at: 10)) == outcome)
    }
}
