import CacheSemantics
import Clocks
import HTTPServing
import LocatedYAML
import MockOrigin
import Scenarios
import Testing
import TestSupport

@testable import Conformance

@Suite("Verdicts on other subjects, RFC 9111 §4", .timeLimit(.minutes(20)))
struct AllowanceTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        var level = RuleLevel.must
        var rules = ["rfc9111.4.2.fresh"]
        let mismatch: Mismatch.Detail
        var asked: [(name: String, value: String)] = []
        var arrived = ["GET"]
        var hasCache = true
        var status = 200
        var isClient = false
        var leavesRedirects = true
        var method = "GET"
        /// The method of a request that is made at the same time.
        var beside: String?
        /// Field lines of the response.
        var answered: [(name: String, value: String)] = []
        /// The response's content.
        var body: [UInt8] = []
        /// Status and field lines of the origin's response.
        var originStatus: Int?
        var originFields: [(name: String, value: String)] = []
        /// Field lines of the request at the origin; `nil` for the caller's.
        var passed: [(name: String, value: String)]?
        var policy: RequestCachePolicy?
        /// Field lines of an earlier request of the scenario.
        var before: [(name: String, value: String)] = []
        /// The status of the response to it; `nil` if it failed.
        var earlierStatus: Int? = 200
        let verdict: String

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "the origin was asked",
            mismatch: .source(expected: [.memory, .disk], seen: .origin),
            verdict: "skipped"
        ),
        Row(
            name: "the origin was asked, and it is worth having",
            level: .optimal,
            mismatch: .source(expected: [.memory, .disk], seen: .origin),
            verdict: "failed"
        ),
        Row(
            name: "a 304 for a 304",
            mismatch: .source(expected: [.cache], seen: .originOrValidated),
            verdict: "skipped"
        ),
        Row(name: "of several at once", mismatch: .source(expected: [.cache], seen: nil), verdict: "skipped"),
        Row(
            name: "what is fresh was validated",
            mismatch: .source(expected: [.cache], seen: .validated),
            verdict: "skipped"
        ),
        Row(
            name: "what is fresh was validated, in a scenario about what should be done",
            level: .should,
            mismatch: .source(expected: [.cache], seen: .validated),
            verdict: "skipped"
        ),
        Row(
            name: "what is immutable was validated",
            level: .should,
            rules: ["rfc8246.2.fresh"],
            mismatch: .source(expected: [.cache], seen: .validated),
            verdict: "failed"
        ),
        Row(
            name: "the store was used",
            mismatch: .source(expected: [.origin], seen: .cache),
            verdict: "failed"
        ),
        Row(
            name: "no Cache-Status",
            mismatch: .noCacheStatus,
            verdict: "skipped"
        ),
        Row(name: "no Age", mismatch: .noAge, verdict: "skipped"),
        Row(
            name: "no Age where it has to be",
            rules: ["rfc9111.4.age-field"],
            mismatch: .noAge,
            verdict: "failed"
        ),
        Row(name: "a wrong Age", mismatch: .other, verdict: "failed"),
        Row(
            name: "the origin broke off what the store had",
            mismatch: .noResponse(expected: [.cache]),
            verdict: "skipped"
        ),
        Row(
            name: "an error where the origin should have been asked",
            mismatch: .noResponse(expected: [.origin]),
            verdict: "failed"
        ),
        Row(
            name: "the store alone was allowed, and nothing was stored, which RFC 9111 §3 permits",
            mismatch: .noResponse(expected: [.memory]),
            arrived: [],
            policy: .returnCacheDataDontLoad,
            verdict: "skipped"
        ),
        Row(
            name: "an error where the origin could have been asked",
            mismatch: .noResponse(expected: [.memory]),
            arrived: [],
            policy: .returnCacheDataElseLoad,
            verdict: "failed"
        ),
        Row(
            name: "the store alone was allowed, and the response was not of the store",
            mismatch: .source(expected: [.memory], seen: .generated),
            arrived: [],
            policy: .returnCacheDataDontLoad,
            verdict: "failed"
        ),
        Row(
            name: "more GETs",
            mismatch: .surplusRequests,
            verdict: "skipped"
        ),
        Row(name: "fewer GETs", mismatch: .other, verdict: "failed"),
        Row(
            name: "more POSTs, which are not repeated at will",
            mismatch: .surplusRequests,
            arrived: ["POST", "POST"],
            verdict: "failed"
        ),
        Row(
            name: "no validator was sent",
            mismatch: .requestField(name: "If-None-Match", seen: nil),
            verdict: "skipped"
        ),
        Row(
            name: "the caller's validator alone was sent",
            mismatch: .requestField(name: "If-None-Match", seen: "\"v0\""),
            asked: [("If-None-Match", "\"v0\"")],
            verdict: "skipped"
        ),
        Row(
            name: "a wrong validator was sent",
            mismatch: .requestField(name: "If-None-Match", seen: "\"v9\""),
            asked: [("If-None-Match", "\"v0\"")],
            verdict: "failed"
        ),
        Row(
            name: "only-if-cached, which nobody has to obey",
            mismatch: .source(expected: [.cache, .generated], seen: .origin),
            asked: [("Cache-Control", "max-age=5, Only-If-Cached")],
            verdict: "skipped"
        ),
        Row(
            name: "only-if-cached, which a cache should obey",
            level: .should,
            mismatch: .source(expected: [.generated], seen: .origin),
            asked: [("Cache-Control", "only-if-cached")],
            verdict: "failed"
        ),
        Row(
            name: "only-if-cached where there is no cache",
            level: .should,
            mismatch: .source(expected: [.generated], seen: .origin),
            asked: [("Cache-Control", "only-if-cached")],
            hasCache: false,
            verdict: "skipped"
        ),
        Row(
            name: "a response made up by the cache where the origin was asked",
            mismatch: .source(expected: [.generated], seen: .origin),
            verdict: "failed"
        ),
        Row(
            name: "only-if-cached of what need not be stored, RFC 9111 §3",
            mismatch: .other,
            asked: [("Cache-Control", "only-if-cached"), ("Range", "bytes=0-4")],
            arrived: [],
            status: 504,
            verdict: "skipped"
        ),
        Row(
            name: "no-cache of a request, which is advice, RFC 9111 §5.2.1",
            mismatch: .source(expected: [.origin], seen: .cache),
            asked: [("Cache-Control", "no-cache")],
            arrived: [],
            verdict: "skipped"
        ),
        Row(
            name: "no-cache of a request, which a cache should heed",
            level: .should,
            mismatch: .source(expected: [.origin], seen: .cache),
            asked: [("Cache-Control", "no-cache")],
            arrived: [],
            verdict: "failed"
        ),
        Row(
            name: "max-age of a request, which revives nothing",
            mismatch: .source(expected: [.validated], seen: .cache),
            asked: [("Cache-Control", "max-age=600")],
            arrived: [],
            verdict: "failed"
        ),
        Row(
            name: "no-store of a request, which is advice, RFC 9111 §5.2.1",
            mismatch: .source(expected: [.origin], seen: .cache),
            arrived: [],
            before: [("Cache-Control", "no-store")],
            verdict: "skipped"
        ),
        Row(
            name: "a date is sent without the entity tag",
            mismatch: .requestField(name: "If-None-Match", seen: nil),
            passed: [("If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")],
            verdict: "failed"
        ),
        Row(
            name: "the caller's own date is sent without an entity tag",
            mismatch: .requestField(name: "If-None-Match", seen: nil),
            asked: [("If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")],
            verdict: "skipped"
        ),
        Row(
            name: "an earlier request with no-cache was answered from the store",
            mismatch: .source(expected: [.origin], seen: .cache),
            arrived: [],
            before: [("Cache-Control", "no-cache")],
            verdict: "skipped"
        ),
        Row(
            name: "an earlier request with no-cache failed",
            mismatch: .source(expected: [.origin], seen: .cache),
            arrived: [],
            before: [("Cache-Control", "no-cache")],
            earlierStatus: nil,
            verdict: "failed"
        ),
        Row(
            name: "the origin got GET for a HEAD beside a GET",
            mismatch: .other,
            arrived: ["GET", "GET"],
            method: "HEAD",
            beside: "GET",
            verdict: "skipped"
        ),
        Row(
            name: "the origin got the GET beside a HEAD",
            mismatch: .other,
            method: "HEAD",
            beside: "GET",
            verdict: "failed"
        ),
        Row(
            name: "the origin was asked GET for HEAD",
            mismatch: .other,
            method: "HEAD",
            verdict: "skipped"
        ),
        Row(
            name: "the origin was asked for the whole of a range",
            mismatch: .other,
            asked: [("Range", "bytes=0-4")],
            passed: [],
            verdict: "skipped"
        ),
        Row(
            name: "a range that was passed on",
            mismatch: .other,
            asked: [("Range", "bytes=0-4")],
            verdict: "failed"
        ),
        Row(
            name: "the caller's condition was left away, RFC 9110 §13.1.1",
            mismatch: .other,
            asked: [("If-Match", "\"v1\"")],
            passed: [],
            verdict: "skipped"
        ),
        Row(
            name: "a connection's field in a client, which forwards nothing, RFC 9110 §7.6.1",
            rules: ["rfc9111.3.1.connection-listed"],
            mismatch: .other,
            isClient: true,
            verdict: "skipped"
        ),
        Row(
            name: "another error in a client",
            mismatch: .otherError,
            isClient: true,
            verdict: "skipped"
        ),
        Row(
            name: "a redirect that a client left, which does not say whether it follows any",
            mismatch: .other,
            status: 302,
            isClient: true,
            leavesRedirects: false,
            answered: [("location", "/b")],
            verdict: "skipped"
        ),
        Row(
            name: "a redirect that a client left although it says that it follows them",
            mismatch: .other,
            status: 302,
            isClient: true,
            answered: [("Location", "/b")],
            verdict: "failed"
        ),
        Row(
            name: "a redirect without a place to follow to",
            mismatch: .other,
            status: 302,
            isClient: true,
            leavesRedirects: false,
            verdict: "failed"
        ),
        Row(
            name: "a redirect that a proxy passed on",
            mismatch: .other,
            status: 302,
            leavesRedirects: false,
            answered: [("Location", "/b")],
            verdict: "failed"
        ),
        Row(
            name: "coded content that a client hands on, which the protocol wants decoded",
            mismatch: .content,
            isClient: true,
            answered: [("Content-Encoding", "gzip")],
            body: [0x1F, 0x8B, 8],
            verdict: "skipped"
        ),
        Row(
            name: "decoded content of a client that is wrong",
            mismatch: .content,
            isClient: true,
            answered: [("Content-Encoding", "gzip")],
            body: Array("two".utf8),
            verdict: "failed"
        ),
        Row(
            name: "coded content of a client, and something else that is wrong",
            mismatch: .other,
            isClient: true,
            answered: [("Content-Encoding", "gzip")],
            body: [0x1F, 0x8B, 8],
            verdict: "failed"
        ),
        Row(
            name: "other content of a client, without a coding",
            mismatch: .content,
            isClient: true,
            body: [0x1F, 0x8B, 8],
            verdict: "failed"
        ),
        Row(
            name: "coded content that a proxy changed",
            mismatch: .content,
            answered: [("Content-Encoding", "gzip")],
            body: [0x1F, 0x8B, 8],
            verdict: "failed"
        ),
        Row(
            name: "no error where there is one",
            mismatch: .other,
            isClient: true,
            verdict: "failed"
        ),
        Row(
            name: "502 for a 304 with another entity tag, RFC 9110 §15.6.3",
            mismatch: .other,
            status: 502,
            originStatus: 304,
            originFields: [("ETag", "\"v9\"")],
            passed: [("If-None-Match", "\"v0\", \"v1\"")],
            verdict: "skipped"
        ),
        Row(
            name: "502 for a 304 with a tag that the cache sent",
            mismatch: .other,
            status: 502,
            originStatus: 304,
            originFields: [("ETag", "\"v1\"")],
            passed: [("If-None-Match", "\"v0\", \"v1\"")],
            verdict: "failed"
        ),
        Row(
            name: "200 for a 304 with another entity tag",
            mismatch: .other,
            originStatus: 304,
            originFields: [("ETag", "\"v9\"")],
            passed: [("If-None-Match", "\"v1\"")],
            verdict: "failed"
        ),
        Row(
            name: "502 for a 206 without the tag of If-Range",
            mismatch: .other,
            status: 502,
            originStatus: 206,
            originFields: [("Content-Range", "bytes 5-9/10")],
            passed: [("Range", "bytes=5-"), ("If-Range", "\"v1\"")],
            verdict: "skipped"
        ),
        Row(
            name: "502 for a 206 that begins with another byte",
            mismatch: .other,
            status: 502,
            originStatus: 206,
            originFields: [("Content-Range", "bytes 6-9/10"), ("ETag", "\"v1\"")],
            passed: [("Range", "bytes=5-"), ("If-Range", "\"v1\"")],
            verdict: "skipped"
        ),
        Row(
            name: "502 for a 206 that ends with another byte",
            mismatch: .other,
            status: 502,
            originStatus: 206,
            originFields: [("Content-Range", "bytes 5-7/10"), ("ETag", "\"v1\"")],
            passed: [("Range", "bytes=5-"), ("If-Range", "\"v1\"")],
            verdict: "skipped"
        ),
        Row(
            name: "502 for a 206 that contains several requested ranges",
            mismatch: .other,
            status: 502,
            originStatus: 206,
            originFields: [("Content-Range", "bytes 0-6/10")],
            passed: [("Range", "bytes=0-1,5-6")],
            verdict: "failed"
        ),
        Row(
            name: "502 for the 206 that was requested",
            mismatch: .other,
            status: 502,
            originStatus: 206,
            originFields: [("Content-Range", "bytes 5-9/10"), ("ETag", "\"v1\"")],
            passed: [("Range", "bytes=5-"), ("If-Range", "\"v1\"")],
            verdict: "failed"
        ),
        Row(
            name: "a connection's field that was forwarded, RFC 9110 §7.6.1",
            rules: ["rfc9111.3.1.connection-listed"],
            mismatch: .other,
            verdict: "failed"
        ),
    ]

    @Test("Permitted differences have no verdict, and forbidden behaviour fails", arguments: rows)
    func allowance(row: Row) throws {
        let text = """
            suite: s
            scenarios:
              - {id: a, title: t, level: \(row.level.rawValue), rules: [\(row.rules[0])], steps: [{request: {path: /a}}]}
            """
        let scenario = try #require(try ScenarioDecoder.decode(text: text, path: "f.yaml").scenarios.first)
        var step = StepRecord(number: 1, title: "GET /a", position: scenario.position, startedAt: 0)
        var answered = CallerObservation()
        answered.status = row.status
        answered.fields = row.answered
        answered.body = row.body
        step.exchanges = [
            CallerExchange(method: row.method, target: "/a", fields: row.asked, seen: answered)
        ]
        step.exchanges[0].policy = row.policy
        if let method = row.beside {
            step.exchanges.append(
                CallerExchange(method: method, target: "/a", fields: [], seen: CallerObservation())
            )
        }
        step.arrivals = row.arrived.map {
            OriginExchange(.arrival($0, row.passed ?? row.asked), answerFields: row.originFields)
        }
        for index in step.arrivals.indices { step.arrivals[index].request.answeredStatus = row.originStatus }
        var earlier = StepRecord(number: 1, title: "GET /a", position: scenario.position, startedAt: 0)
        earlier.exchanges = [
            CallerExchange(method: "GET", target: "/a", fields: row.before, seen: CallerObservation())
        ]
        earlier.exchanges[0].seen.status = row.earlierStatus
        let mismatch = Mismatch(
            position: "f.yaml:1:1",
            subject: "s",
            expected: "e",
            seen: "s",
            detail: row.mismatch
        )
        var abilities = SubjectAbilities()
        abilities.hasCache = row.hasCache
        abilities.isClient = row.isClient
        abilities.leavesRedirects = row.leavesRedirects
        #expect(
            Verdict.failed([mismatch]).judged(of: scenario, [earlier, step], abilities).name == row.verdict
        )
        #expect(Verdict.passed.judged(of: scenario, [earlier, step], abilities) == .passed)
    }
}
