import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("The stored form of a response and of its status")
struct StoredFormTests {
    @Test(
        "Every final status with explicit freshness is reused, except those that must not be stored and invalid ones",
        .checks("rfc9111.3.explicit-any-status", "rfc9111.3.status-understood"),
        arguments: (200...599).filter { $0 != 206 } + [600, 799, 999]
    )
    func statuses(code: Int) {
        let engine = CacheEngine(kind: .shared)
        let put = engine.exchange(response("Cache-Control: max-age=60", status: code)).put
        // 206 and 304 have separate rules; RFC 6585 forbids storing the others, and codes above 599 are
        // invalid (RFC 9110 §15).
        let isStored = code < 600 && ![206, 304, 428, 429, 431, 511].contains(code)
        #expect((put != nil) == isStored)
        guard let put else { return }
        #expect(Outcome(engine.plan(request(), [put], at: 59)) == .fresh(age: 59))
        #expect(engine.plan(request(), [put], at: 60).reuse == nil)
    }

    @Test(
        "Without explicit freshness only some statuses are stored, the others only with public",
        .checks("rfc9110.15.1.heuristic", "rfc9111.3.explicit-or-heuristic"),
        arguments: Array(200...599).filter { ![206, 304, 428, 429, 431, 511].contains($0) }
    )
    func heuristics(code: Int) {
        let cacheable = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        let lines = ["Last-Modified: \(at(-1000).text)"]
        let engine = CacheEngine()
        let plain = engine.exchange(response(lines: lines, status: code)).put
        #expect((plain != nil) == cacheable.contains(code))
        let marked = engine.exchange(response(lines: lines + ["Cache-Control: public"], status: code)).put
        #expect(marked.map { Outcome(engine.plan(request(), [$0], at: 99)) } == .fresh(age: 99))
    }

    @Test(
        "Fields of one connection are not stored, in any case",
        .checks("rfc9111.3.1.hop-by-hop", "rfc9111.3.1.proxy-fields", "rfc9111.3.1.connection-listed"),
        arguments: [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info",
            "Proxy-Authorization",
            "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "KEEP-ALIVE", "te",
        ],
        [CacheKind.private, .shared]
    )
    func hopByHop(name: String, kind: CacheKind) throws {
        let put = try #require(
            CacheEngine(kind: kind).exchange(response("\(name): x", "Cache-Control: max-age=60", "Foo: 1"))
                .put
        )
        #expect(put.response.headerFields.map(\.name.canonicalName) == ["cache-control", "foo", "date"])
    }

    @Test(
        "Fields that Connection lists are neither stored nor served",
        .checks("rfc9111.3.1.connection-listed"),
        arguments: ["a, b", "A,B", ", a ,, b", "close, a, b", "keep-alive, b, a"]
    )
    func listed(value: String) throws {
        let put = try #require(
            CacheEngine().exchange(
                response("Connection: \(value)", "A: 1", "Cache-Control: max-age=60", "B: 2", "C: 3")
            ).put
        )
        #expect(put.response.headerFields.map(\.name.canonicalName) == ["cache-control", "c", "date"])
    }

    @Test(
        "All other fields are stored",
        .checks("rfc9111.3.1.all-fields"),
        arguments: [
            "Set-Cookie", "Content-Type", "Content-Length", "Content-Encoding", "Content-Language",
            "Content-Location",
            "ETag", "Last-Modified", "Link", "Location", "Retry-After", "Trailer", "Via", "WWW-Authenticate",
            "Server",
            "Strict-Transport-Security", "Access-Control-Allow-Origin", "Clear-Site-Data", "X-Unknown",
            "Warning",
        ]
    )
    func others(name: String) throws {
        let put = try #require(
            CacheEngine().exchange(response("\(name): x", "Cache-Control: max-age=60")).put
        )
        #expect(put.response.headerFields.contains { $0.name.rawName == name && $0.value == "x" })
    }

    @Test(
        "Vary in unusual forms selects by its members",
        .checks(
            "rfc9111.4.1.match",
            "rfc9111.4.1.star",
            "rfc9111.4.1.name-case",
            "rfc9111.4.1.lines-combined"
        ),
        arguments: [
            (["Vary: foo"], true, false), (["Vary: FOO"], true, false), (["Vary: ,foo,"], true, false),
            (["Vary: bar, foo"], true, false), (["Vary: bar", "Vary: foo"], true, false),
            (["Vary: bar"], true, true),
            (["Vary: "], true, true), (["Vary: ,"], true, true), (["Vary: *"], false, false),
            (["Vary: foo, *"], false, false), (["Vary: *, foo"], false, false),
            (["Vary: foo", "Vary: *"], false, false),
            (["Vary: foo bar"], false, false), (["Vary: \"foo\""], false, false),
        ] as [([String], Bool, Bool)]
    )
    func vary(lines: [String], same: Bool, other: Bool) throws {
        let engine = CacheEngine()
        let settled = engine.exchange(
            request("Foo: 1"),
            response(lines: lines + ["Cache-Control: max-age=60"])
        )
        let put = try #require(settled.put)
        #expect((engine.plan(request("Foo: 1"), [put], at: 1).reuse != nil) == same)
        #expect((engine.plan(request("Foo: 2"), [put], at: 1).reuse != nil) == other)
    }
}
