import CacheSemantics
import Conformance
import LocatedYAML

@testable import Scenarios

/// A constructed run with every verdict and standing, and with data that needs escaping in every format.
enum SampleRun {
    static let results: [ScenarioResult] = [
        result(
            "http/4.2.1/max-age/reused",
            "A fresh response is reused",
            .passed,
            steps: [freshStep],
            concurrentVerdict: mismatch
        ),
        result(
            "http/4.2.1/max-age/boundary",
            "Age 60 is stale & \"59\" is <fresh>",
            mismatch,
            steps: [blamedStep],
            grounds: [
                Citation(
                    section: "RFC 9111 §4",
                    keyword: .mustNot,
                    sentence: "a cache MUST NOT reuse a stored response unless"
                )
            ]
        ),
        result(
            "http/4.2.1/max-age/after",
            "Depends on the boundary",
            .dependencyFailed(on: "http/4.2.1/max-age/boundary")
        ),
        result("http/4.3/heuristic/tenth", "A tenth is used", mismatch, level: .optimal, steps: [blamedStep]),
        result("urlcache/policy/setup", "The first request is answered", .setupFailed("GET /a: error -1004")),
        result("urlcache/policy/skip", "A year passes", .skipped(reason: "would wait 365 d, more than 5 s")),
        result(
            "urlcache/policy/hang",
            "Nothing comes",
            .harnessError("nothing can happen any more: GET /a has no answer")
        ),
        result("urlcache/policy/known", "A known defect", mismatch, reason: "issue #7, \"later\""),
        result(
            "urlcache/policy/mended",
            "A mended defect",
            .passed,
            kind: .shared,
            reason: "was broken, 100%"
        ),
    ]

    static var events: [RunEvent] {
        var summary = RunSummary()
        for result in results { summary.add(result) }
        summary.baselineProblems = ["baseline.txt:3:1: found `http/none`, expected the id of a scenario"]
        summary.seconds = 0.25
        let run = RunDescription(
            subject: "built-in client 0.1.0",
            transport: "loopback",
            count: results.count
        )
        return [.runStarted(run)] + results.map(RunEvent.scenarioFinished) + [.runFinished(summary)]
    }

    static func report(_ kind: ReportKind, explains: Bool = false) -> String {
        var settings = ReportSettings()
        settings.explains = explains
        var reporter = kind.reporter(settings)
        return events.map { reporter.text(for: $0) }.joined()
    }

    static func result(
        _ id: String,
        _ title: String,
        _ verdict: Verdict,
        level: RuleLevel = .must,
        kind: CacheKind = .private,
        steps: [StepRecord] = [],
        reason: String? = nil,
        grounds: [Citation] = [],
        concurrentVerdict: Verdict? = nil
    ) -> ScenarioResult {
        let path = id.split(separator: "/").dropLast().joined(separator: "/")
        let position = Position(file: "scenarios/\(path).yaml", line: 12, column: 5)
        var scenario = Scenario(
            id: id,
            title: title,
            level: level,
            rules: ["rfc9111.4.2.fresh", "http.cache-control.max-age"],
            position: position
        )
        scenario.grounds = grounds
        let suite = Suite(path: path, title: "A suite", scenarios: [scenario])
        var result = ScenarioResult(
            scenario,
            suite: suite,
            cacheKind: kind,
            verdict: verdict,
            seconds: 0.0125
        )
        result.steps = steps
        result.baselineReason = reason
        result.concurrentVerdict = concurrentVerdict
        return result
    }

    private static let place = Position(file: "scenarios/http/4.2.1/max-age.yaml", line: 19, column: 9)

    private static let mismatch = Verdict.failed([
        Mismatch(
            position: "scenarios/http/4.2.1/max-age.yaml:20:18",
            subject: "source",
            expected: "origin",
            seen: "memory"
        ),
        Mismatch(
            position: "scenarios/http/4.2.1/max-age.yaml:20:34",
            subject: "fields.X-Text",
            expected: "100%, a: \"b\"",
            seen: "<none> & nothing"
        ),
    ])

    private static var freshStep: StepRecord {
        var seen = CallerObservation()
        seen.source = .memory
        seen.status = 200
        seen.fields = [("Cache-Control", "max-age=60"), ("Age", "59")]
        seen.body = Array("one".utf8)
        seen.age = 59
        seen.findings = [
            Finding(.freshWhileLifetimeExceedsAge, held: true, "age 59 s, lifetime 60 s from max-age")
        ]
        var step = StepRecord(number: 3, title: "GET /a", position: place, startedAt: 59)
        step.exchanges = [CallerExchange(method: "GET", target: "/a", fields: [], seen: seen)]
        return step
    }

    private static var blamedStep: StepRecord {
        var seen = CallerObservation()
        seen.source = .memory
        seen.isStale = true
        seen.status = 200
        seen.fields = [("Cache-Control", "max-age=60"), ("X-Text", "a\u{1}\"<&>\\")]
        seen.body = Array(String(repeating: "long ", count: 20).utf8)
        seen.age = 60
        seen.findings = [
            Finding(.freshWhileLifetimeExceedsAge, held: false, "age 60 s, lifetime 60 s from max-age")
        ]
        var arrival = OriginObservation(
            method: "GET",
            path: "/a",
            query: "x=1",
            fields: [("Host", "localhost"), ("If-None-Match", "\"v1\"")]
        )
        arrival.isReusedConnection = true
        arrival.answeredStatus = 304
        arrival.arrivedAt = 1_767_225_660
        var step = StepRecord(number: 5, title: "GET /a?x=1", position: place, startedAt: 60)
        step.exchanges = [
            CallerExchange(method: "GET", target: "/a?x=1", fields: [("Accept", "*/*")], seen: seen)
        ]
        step.arrivals = [OriginExchange(arrival, answerFields: [("ETag", "\"v1\"")])]
        step.mismatches = mismatch.mismatches
        return step
    }
}

extension OriginObservation {
    /// Returns a request for `/a` at an origin, with only the given properties.
    static func arrival(
        _ method: String = "GET",
        _ fields: [(name: String, value: String)] = [],
        status: Int = 200
    ) -> OriginObservation {
        var arrival = OriginObservation(method: method, path: "/a", fields: fields)
        arrival.answeredStatus = status
        return arrival
    }
}
