import CacheSemantics
import Clocks
import HTTPServing
import LocatedYAML
import MockOrigin
import Scenarios
import Testing
import TestSupport

@testable import Conformance

@Suite("Verdicts on subjects that are not ours, RFC 9111 §4", .timeLimit(.minutes(5)))
struct LibertyTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        var level = RuleLevel.must
        var rules = ["rfc9111.4.2.fresh"]
        let mismatch: (subject: String, expected: String, seen: String)
        var asked: [(name: String, value: String)] = []
        var arrived = ["GET"]
        var hasCache = true
        var status = 200
        var isClient = false
        var method = "GET"
        /// Field lines of what reached the origin; `nil` is those that were asked.
        var passed: [(name: String, value: String)]?
        /// What an earlier request of the scenario said.
        var before: [(name: String, value: String)] = []
        let verdict: String

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "the origin was asked",
            mismatch: ("source", "memory or disk", "origin"),
            verdict: "skipped"
        ),
        Row(
            name: "the origin was asked, and it is worth having",
            level: .optimal,
            mismatch: ("source", "memory or disk", "origin"),
            verdict: "fail"
        ),
        Row(
            name: "a 304 for a 304",
            mismatch: ("source", "cache", "origin or validated"),
            verdict: "skipped"
        ),
        Row(name: "of several at once", mismatch: ("source", "cache", "not known"), verdict: "skipped"),
        Row(
            name: "what is fresh was validated",
            mismatch: ("source", "cache", "validated"),
            verdict: "skipped"
        ),
        Row(
            name: "what is fresh was validated where it should not be",
            level: .should,
            mismatch: ("source", "cache", "validated"),
            verdict: "fail"
        ),
        Row(name: "the store was used", mismatch: ("source", "origin", "cache"), verdict: "fail"),
        Row(
            name: "no Cache-Status",
            mismatch: ("cache-status.hit", "true", "no Cache-Status"),
            verdict: "skipped"
        ),
        Row(name: "no Age", mismatch: ("age", "5", "no age"), verdict: "skipped"),
        Row(
            name: "no Age where it has to be",
            rules: ["rfc9111.4.age-field"],
            mismatch: ("age", "5", "no age"),
            verdict: "fail"
        ),
        Row(name: "a wrong Age", mismatch: ("age", "5", "9"), verdict: "fail"),
        Row(
            name: "the origin broke off what the store had",
            mismatch: ("outcome", "a response from cache", "-1005 (connection-lost): x"),
            verdict: "skipped"
        ),
        Row(
            name: "an error where the origin should have been asked",
            mismatch: ("outcome", "a response from origin", "-1005 (connection-lost): x"),
            verdict: "fail"
        ),
        Row(
            name: "more GETs",
            mismatch: ("origin-saw.requests", "1", "2 (GET /a, GET /a)"),
            verdict: "skipped"
        ),
        Row(name: "fewer GETs", mismatch: ("origin-saw.requests", "2", "1 (GET /a)"), verdict: "fail"),
        Row(
            name: "more POSTs, which are not repeated at will",
            mismatch: ("origin-saw.requests", "1", "2 (POST /a, POST /a)"),
            arrived: ["POST", "POST"],
            verdict: "fail"
        ),
        Row(
            name: "no validator was sent",
            mismatch: ("origin-saw.last.fields.If-None-Match", "\"\\\"v1\\\"\"", "absent"),
            verdict: "skipped"
        ),
        Row(
            name: "the caller's validator alone was sent",
            mismatch: ("origin-saw.last.fields.If-None-Match", "x", YAMLNode.quoted("\"v0\"")),
            asked: [("If-None-Match", "\"v0\"")],
            verdict: "skipped"
        ),
        Row(
            name: "a wrong validator was sent",
            mismatch: ("origin-saw.last.fields.If-None-Match", "x", YAMLNode.quoted("\"v9\"")),
            asked: [("If-None-Match", "\"v0\"")],
            verdict: "fail"
        ),
        Row(
            name: "only-if-cached, which nobody has to obey",
            mismatch: ("source", "cache or none", "origin"),
            asked: [("Cache-Control", "max-age=5, Only-If-Cached")],
            verdict: "skipped"
        ),
        Row(
            name: "only-if-cached, which a cache should obey",
            level: .should,
            mismatch: ("source", "none", "origin"),
            asked: [("Cache-Control", "only-if-cached")],
            verdict: "fail"
        ),
        Row(
            name: "only-if-cached where there is no cache",
            level: .should,
            mismatch: ("source", "none", "origin"),
            asked: [("Cache-Control", "only-if-cached")],
            hasCache: false,
            verdict: "skipped"
        ),
        Row(
            name: "a response made up by the cache where the origin was asked",
            mismatch: ("source", "none", "origin"),
            verdict: "fail"
        ),
        Row(
            name: "only-if-cached of what need not be stored, RFC 9111 §3",
            mismatch: ("status", "206", "504"),
            asked: [("Cache-Control", "only-if-cached"), ("Range", "bytes=0-4")],
            arrived: [],
            status: 504,
            verdict: "skipped"
        ),
        Row(
            name: "no-cache of a request, which is advice, RFC 9111 §5.2.1",
            mismatch: ("source", "origin", "cache"),
            asked: [("Cache-Control", "no-cache")],
            arrived: [],
            verdict: "skipped"
        ),
        Row(
            name: "no-cache of a request, which a cache should heed",
            level: .should,
            mismatch: ("source", "origin", "cache"),
            asked: [("Cache-Control", "no-cache")],
            arrived: [],
            verdict: "fail"
        ),
        Row(
            name: "max-age of a request, which revives nothing",
            mismatch: ("source", "validated", "cache"),
            asked: [("Cache-Control", "max-age=600")],
            arrived: [],
            verdict: "fail"
        ),
        Row(
            name: "no-store of a request, which is advice, RFC 9111 §5.2.1",
            mismatch: ("source", "origin", "cache"),
            arrived: [],
            before: [("Cache-Control", "no-store")],
            verdict: "skipped"
        ),
        Row(
            name: "the origin was asked GET for HEAD",
            mismatch: ("status", "404", "200"),
            method: "HEAD",
            verdict: "skipped"
        ),
        Row(
            name: "the origin was asked for the whole of a range",
            mismatch: ("status", "206", "200"),
            asked: [("Range", "bytes=0-4")],
            passed: [],
            verdict: "skipped"
        ),
        Row(
            name: "a range that was passed on",
            mismatch: ("status", "206", "200"),
            asked: [("Range", "bytes=0-4")],
            verdict: "fail"
        ),
        Row(
            name: "the caller's condition was left away, RFC 9110 §13.1.1",
            mismatch: ("status", "412", "200"),
            asked: [("If-Match", "\"v1\"")],
            passed: [],
            verdict: "skipped"
        ),
        Row(
            name: "a connection's field in a client, which forwards nothing, RFC 9110 §7.6.1",
            rules: ["rfc9111.3.1.connection-listed"],
            mismatch: ("fields.X-Hop", "absent", "\"1\""),
            isClient: true,
            verdict: "skipped"
        ),
        Row(
            name: "another error in a client",
            mismatch: ("error", "-1005 (connection-lost)", "-1 (unknown): x"),
            isClient: true,
            verdict: "skipped"
        ),
        Row(
            name: "no error where there is one",
            mismatch: ("error", "-1005 (connection-lost)", "no error"),
            isClient: true,
            verdict: "fail"
        ),
        Row(
            name: "a connection's field that was forwarded, RFC 9110 §7.6.1",
            rules: ["rfc9111.3.1.connection-listed"],
            mismatch: ("fields.X-Hop", "absent", "\"1\""),
            verdict: "fail"
        ),
    ]

    @Test("What a subject may leave has no verdict, and what it must not do fails", arguments: rows)
    func liberty(row: Row) throws {
        let text = """
            suite: s
            scenarios:
              - {id: a, title: t, level: \(row.level.rawValue), rules: [\(row.rules[0])], steps: [{request: {path: /a}}]}
            """
        let scenario = try #require(try ScenarioDecoder.decode(text: text, path: "f.yaml").scenarios.first)
        var step = StepRecord(number: 1, title: "GET /a", position: scenario.position, startedAt: 0)
        var answered = CallerObservation()
        answered.status = row.status
        step.exchanges = [
            CallerExchange(method: row.method, target: "/a", fields: row.asked, seen: answered)
        ]
        step.arrivals = row.arrived.map { OriginExchange(.arrival($0, row.passed ?? row.asked)) }
        var earlier = StepRecord(number: 1, title: "GET /a", position: scenario.position, startedAt: 0)
        earlier.exchanges = [
            CallerExchange(method: "GET", target: "/a", fields: row.before, seen: CallerObservation())
        ]
        let (subject, expected, seen) = row.mismatch
        let mismatch = Mismatch(position: "f.yaml:1:1", subject: subject, expected: expected, seen: seen)
        var abilities = SubjectAbilities()
        abilities.hasCache = row.hasCache
        abilities.isClient = row.isClient
        #expect(
            Verdict.failed([mismatch]).judged(of: scenario, [earlier, step], abilities).name == row.verdict
        )
        #expect(Verdict.passed.judged(of: scenario, [earlier, step], abilities) == .passed)
    }
}
