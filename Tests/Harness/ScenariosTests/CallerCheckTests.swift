import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios
import Testing

@Suite("The caller's observations and expectations")
struct CallerCheckTests {
    static let context = ExpectationContext(
        base: "/-/t",
        other: "http://localhost:1/-/t",
        now: 1_767_225_660,
        bodies: ["l": [111, 110, 101]]
    )

    static let response: CallerObservation = {
        var seen = CallerObservation()
        seen.source = .memory
        seen.isStale = false
        seen.status = 200
        seen.fields = [
            ("Age", "59"), ("via", "a"), ("Via", "b"), ("Location", "/-/t/b"),
            ("Expires", "Thu, 01 Jan 2026 00:02:00 GMT"),
        ]
        seen.body = Array("one".utf8)
        seen.age = 59
        seen.events = ["will-send", "response", "data", "data", "finish"]
        seen.chunks = [1, 2]
        seen.cacheStatus = ["hit": "?1", "ttl": "-5", "collapsed": "?0", "detail": "\"x\""]
        seen.userInfo = ["k": "v"]
        seen.redirects = 1
        seen.took = 0.3
        seen.findings = [Finding(.freshWhileLifetimeExceedsAge, held: true, "")]
        return seen
    }()

    @Test(
        "A met expectation gives no mismatch",
        arguments: [
            "{}", "{source: memory}", "{source: cache}", "{source: [origin, memory]}", "{stale: false}",
            "{status: 200}", "{status: [304, 200]}", "{error: none}", "{error: [offline, none]}",
            "{fields: {AGE: 59, ETag: absent}}",
            "{fields: {Via: 'a, b'}}", "{fields: {Age: {at-least: 59, at-most: 59}}}",
            "{fields: {Age: {greater: 58, less: 60}}}", "{fields: {Age: {not: 58}, ETag: {not: x}}}",
            "{fields: {Via: {contains: b}, Location: present}}", "{fields: {Location: '${base}/b'}}",
            "{fields: {Expires: {date: +60s}}}", "{fields: {Expires: {fixed-date: 2m}}}", "{body: one}",
            "{body: {size: 3}}", "{body: {contains: ne}}", "{body: {same-as: l}}", "{age: 59}",
            "{age: {at-most: 59}}", "{events: [will-send, response, data*, finish]}",
            "{events: [will-send, response, data, data*, finish]}",
            "{events: [will-send, response, data, data, finish]}", "{chunks: [1, 2]}",
            "{cache-status: {hit: true, ttl: -5, collapsed: false, stored: false, fwd: absent, detail: x}}",
            "{cache-status: {ttl: {less: 0}}}", "{user-info: {k: v}}", "{user-saw-redirects: 1}",
            "{took: 300ms}", "{took: {at-least: 300ms, at-most: 1s}}", "{finding: rfc9111.4.2.fresh}",
            "{finding: [rfc9111.4.2.fresh]}", "{finding: {rfc9111.4.2.fresh: true}}",
        ]
    )
    func holds(expectation: String) throws {
        #expect(try check(expectation, Self.response) == [])
    }

    @Test(
        "A failed expectation names the expected and the seen value",
        arguments: [
            ("{source: origin}", "source: expected origin, seen memory"),
            ("{source: [origin, disk]}", "source: expected origin or disk, seen memory"),
            ("{stale: true}", "stale: expected true, seen false"),
            ("{status: [304, 404]}", "status: expected 304 or 404, seen 200"),
            ("{error: timed-out}", "error: expected -1001 (timed-out), seen no error"),
            (
                "{error: [timed-out, -1005]}",
                "error: expected -1001 (timed-out) or -1005 (connection-lost), seen no error"
            ),
            ("{fields: {Age: 60}}", "fields.Age: expected \"60\", seen \"59\""),
            ("{fields: {Age: absent}}", "fields.Age: expected absent, seen \"59\""),
            ("{fields: {ETag: present}}", "fields.ETag: expected present, seen absent"),
            ("{fields: {Age: {not: 59}}}", "fields.Age: expected not \"59\", seen \"59\""),
            ("{fields: {Age: {greater: 59}}}", "fields.Age: expected above 59, seen \"59\""),
            ("{fields: {Via: {at-least: 1}}}", "fields.Via: expected at least 1, seen \"a, b\""),
            ("{fields: {ETag: {less: 1}}}", "fields.ETag: expected below 1, seen absent"),
            (
                "{fields: {Location: '${other}/b'}}",
                "fields.Location: expected \"http://localhost:1/-/t/b\", seen \"/-/t/b\""
            ),
            (
                "{fields: {Expires: {date: 0s}}}",
                "fields.Expires: expected \"Thu, 01 Jan 2026 00:01:00 GMT\", seen \"Thu, 01 Jan 2026 00:02:00 GMT\""
            ),
            ("{body: two}", "body: expected \"two\", seen \"one\""),
            ("{body: {size: 4}}", "body: expected 4 bytes, seen \"one\""),
            ("{body: {contains: x}}", "body: expected content that contains \"x\", seen \"one\""),
            ("{age: {at-least: 60, at-most: 61}}", "age: expected at least 60 and at most 61, seen 59"),
            (
                "{events: [will-send, response, data, finish]}",
                "events: expected will-send, response, data, finish, seen will-send, response, data, data, finish"
            ),
            ("{chunks: [3]}", "chunks: expected 3, seen 1, 2"),
            ("{cache-status: {hit: false}}", "cache-status.hit: expected absent, seen true"),
            ("{cache-status: {fwd: stale}}", "cache-status.fwd: expected \"stale\", seen absent"),
            ("{user-info: {}}", "user-info: expected {}, seen {k: v}"),
            ("{user-saw-redirects: 0}", "user-saw-redirects: expected 0, seen 1"),
            ("{took: {greater: 300ms}}", "took: expected above 0.3 s, seen 0.3 s"),
            (
                "{finding: rfc9111.4.1.star}",
                "finding: expected rfc9111.4.1.star, seen rfc9111.4.2.fresh held"
            ),
            (
                "{finding: {rfc9111.4.2.fresh: false}}",
                "finding: expected rfc9111.4.2.fresh did not hold, seen rfc9111.4.2.fresh held"
            ),
            ("{found: true}", "found: expected true, seen no lookup"),
        ]
    )
    func fails(expectation: String, expected: String) throws {
        #expect(try check(expectation, Self.response) == [expected])
    }

    @Test("Without an expected error a request must end with a response")
    func outcome() throws {
        var failed = CallerObservation()
        failed.error = (-1004, "connection refused")
        #expect(
            try check("{}", failed) == [
                "outcome: expected a response, seen -1004 (cannot-connect): connection refused"
            ]
        )
        #expect(
            try check("{source: origin}", CallerObservation()) == [
                "outcome: expected a response from origin, seen no error"
            ]
        )
        #expect(try check("{error: cannot-connect}", failed) == [])
        #expect(try check("{error: -1004}", failed) == [])
        #expect(try check("{error: [none, cannot-connect]}", failed) == [])
        #expect(
            try check("{error: none}", failed) == [
                "error: expected none, seen -1004 (cannot-connect): connection refused"
            ]
        )
        #expect(
            try check("{error: offline}", failed) == [
                "error: expected -1009 (offline), seen -1004 (cannot-connect): connection refused"
            ]
        )
    }

    @Test("Observations that a subject cannot report are not judged, and required ones are")
    func unjudged() throws {
        var seen = CallerObservation()
        seen.status = 200
        #expect(try check("{source: disk, stale: true, events: [finish]}", seen) == [])
        #expect(try check("{age: 5}", seen) == ["age: expected 5, seen no age"])
        #expect(
            try check("{cache-status: {hit: false}}", seen) == [
                "cache-status.hit: expected absent, seen no Cache-Status"
            ]
        )
        var context = Self.context
        context.unjudged = ["age", "cache-status"]
        #expect(try check("{age: 5, cache-status: {hit: true}}", seen, context) == [])
    }

    @Test(
        "A tolerance widens ages, times and dates only",
        arguments: [
            ("{age: 60, took: 1s}", []), ("{fields: {Age: 60, Expires: {fixed-date: +121s}}}", []),
            ("{fields: {Age: {at-least: 60}}, cache-status: {ttl: -4}}", []),
            ("{age: 61}", ["age: expected 61, seen 59"]),
            ("{fields: {Age: 61}}", ["fields.Age: expected \"61\", seen \"59\""]),
            ("{cache-status: {ttl: -3}}", ["cache-status.ttl: expected \"-3\", seen -5"]),
            (
                "{fields: {Expires: {fixed-date: +122s}}}",
                [
                    "fields.Expires: expected \"Thu, 01 Jan 2026 00:02:02 GMT\", "
                        + "seen \"Thu, 01 Jan 2026 00:02:00 GMT\""
                ]
            ),
        ]
    )
    func tolerance(expectation: String, mismatches: [String]) throws {
        var context = Self.context
        context.tolerance = 1
        #expect(try check(expectation, Self.response, context) == mismatches)
    }

    @Test("A lookup that finds nothing needs no response")
    func lookup() throws {
        var seen = CallerObservation()
        seen.isFound = false
        #expect(try check("{found: false}", seen) == [])
        #expect(try check("{found: true, body: one}", seen).count == 2)
    }

    @Test(
        "A mismatch has as a value the details that verdicts on other subjects depend on",
        arguments: [
            ("{source: [origin, disk]}", Mismatch.Detail.source(expected: [.origin, .disk], seen: .memory)),
            ("{error: timed-out}", .other), ("{age: 60}", .other), ("{cache-status: {hit: false}}", .other),
            ("{status: 304}", .other),
        ]
    )
    func detail(expectation: String, detail: Mismatch.Detail) throws {
        let found = try self.expectation(expectation).check(Self.response, context: Self.context)
        #expect(found.map(\.detail) == [detail])
    }

    @Test(
        "A missing response, age or Cache-Status, and another error, have details of their own",
        arguments: [
            ("{source: [cache]}", Mismatch.Detail.noResponse(expected: [.cache])),
            ("{error: timed-out}", .otherError), ("{error: none, age: 60}", .noAge),
            ("{error: none, cache-status: {hit: false}}", .noCacheStatus),
        ]
    )
    func absentDetail(expectation: String, detail: Mismatch.Detail) throws {
        var seen = CallerObservation()
        seen.error = (-1004, "connection refused")
        let found = try self.expectation(expectation).check(seen, context: Self.context)
        #expect(found.map(\.detail).contains(detail))
    }

    @Test(
        "An ambiguous source matches each source that it may be",
        arguments: [
            (Provenance.originOrValidated, [Provenance.origin], true),
            (.originOrValidated, [.validated], true),
            (.originOrValidated, [.cache], false), (.cache, [.memory], true), (.disk, [.cache], true),
            (.disk, [.memory], false), (.generated, [.cache], false),
        ]
    )
    func provenance(seen: Provenance, expected: [Provenance], holds: Bool) throws {
        var observation = CallerObservation()
        (observation.status, observation.source) = (200, seen)
        let words = expected.map(\.rawValue).joined(separator: ", ")
        #expect(try check("{source: [\(words)]}", observation).isEmpty == holds)
    }

    @Test("A mismatch has the position of its expectation")
    func position() throws {
        let expectation = try expectation("{status: 404}")
        let mismatch = try #require(expectation.check(Self.response, context: Self.context).first)
        #expect(mismatch.position == "scenarios/area/file.yaml:10:26")
    }

    private func check(
        _ text: String,
        _ seen: CallerObservation,
        _ context: ExpectationContext = context
    ) throws -> [String] {
        try expectation(text).check(seen, context: context)
            .map { "\($0.subject): expected \($0.expected), seen \($0.seen)" }
    }

    private func expectation(_ text: String) throws -> CallerExpectation {
        let isLookup = text.contains("found") && !text.contains("age")
        let all = "- request: {label: l}\n- request:\n  expect: \(text)"
        let lookup = "- request: {label: l}\n- lookup: {}\n  expect: \(text)"
        switch try steps(isLookup ? lookup : all)[1] {
        case .request(let step), .lookup(let step): return step.expectation
        default: return CallerExpectation()
        }
    }
}
