import CacheSemantics
import Clocks
import HTTPServing
import MockOrigin
import Scenarios
import Testing

@testable import Conformance

@Suite("Scenarios against a proxy", .timeLimit(.minutes(1)))
struct ProxyRunTests {
    @Test("A proxy is put through the scenarios that it can be, and the others are skipped with the reason")
    func verdicts() throws {
        let verdicts = try run(
            """
            suite: s
            defaults: {level: must, rules: [rfc9111.4.2.fresh]}
            scenarios:
              - id: asked
                title: t
                origin: [{answer: {etag: '"v"', body: one}}]
                steps:
                  - request: {path: /a}
                    expect: {source: origin, body: one, status: 200}
                  - origin-saw: {requests: 1}
                  - request: {path: /a, fields: {If-None-Match: '"v"'}}
                    expect: {status: 304, source: origin}
              - id: not-stored
                title: t
                origin: [{answer: {fields: {Cache-Control: max-age=60}}}]
                steps:
                  - request: {path: /a}
                  - request: {path: /a}
                    expect: {source: memory}
              - id: coded
                title: t
                origin: [{answer: {gzip: always, body: one}}]
                steps:
                  - request: {path: /a}
                    expect: {source: origin, body: one}
              - id: clears
                title: t
                origin: [{answer: {fields: {Clear-Site-Data: '"cache"'}}}]
                steps: [{request: {path: /a}}]
              - id: stalls
                title: t
                origin: [{answer: {faults: stall=20s@body:0}}]
                steps: [{request: {path: /a}}]
              - id: waits
                title: t
                steps: [{advance: 61s}]
              - id: looks
                title: t
                steps: [{lookup: {path: /a}, expect: {found: false}}]
              - id: sets-up
                title: t
                client: {heuristics: false}
                steps: [{request: {path: /a}}]
              - id: shared-only
                title: t
                cache: private
                steps: [{request: {path: /a}}]
            """
        )
        #expect(
            verdicts.keys.sorted()
                == ["asked", "clears", "coded", "looks", "not-stored", "sets-up", "stalls", "waits"]
        )
        #expect(verdicts["coded"] == .passed)
        #expect(
            verdicts["clears"]
                == .skipped(reason: "it clears the origin's site, which other scenarios use")
        )
        #expect(verdicts["stalls"] == .skipped(reason: "its origin takes longer than 5 s"))
        #expect(verdicts["asked"] == .passed)
        #expect(
            verdicts["not-stored"]
                == .skipped(reason: "the subject asked the origin where it may use its store (f.yaml:19:26)")
        )
        #expect(verdicts["waits"] == .skipped(reason: "it would wait 61 s"))
        #expect(verdicts["looks"] == .skipped(reason: "it looks into the store"))
        #expect(verdicts["sets-up"] == .skipped(reason: "it sets up the client in its own way"))
    }

    @Test(
        "The last member of Cache-Status is that of the cache nearest to the caller",
        arguments: [
            ("a; hit", ["hit": "?1"]),
            ("a; hit, \"b, c;d\"; fwd=miss; detail=\"x;y\"", ["fwd": "miss", "detail": "\"x;y\""]),
            ("a", [:]),
        ]
    )
    func cacheStatus(line: String, parameters: [String: String]) {
        #expect(CacheFields.lastStatus(in: [("Cache-Status", line)]) == parameters)
        #expect(CacheFields.lastStatus(in: [("Other", line)]) == nil)
    }

    @Test("A request that overlaps another cannot claim what the origin saw")
    func overlap() {
        let overlap = RequestOverlap()
        let first = overlap.begin()
        #expect(overlap.end(first))
        let second = overlap.begin()
        let third = overlap.begin()
        #expect(!overlap.end(second))
        #expect(!overlap.end(third))
    }

    /// Runs scenarios against a proxy that stores nothing: the origin itself.
    private func run(_ yaml: String) throws -> [String: Verdict] {
        let server = SuiteServer(clock: SystemClock())
        try server.start()
        let port = server.port
        server.stop()
        var options = RunOptions()
        options.subject = .proxy("http://127.0.0.1:\(port)")
        options.originServer.port = port
        options.jobs = 8
        let suite = try ScenarioDecoder.decode(text: yaml, path: "f.yaml", realTime: true)
        var verdicts: [String: Verdict] = [:]
        _ = try Runner([suite], options: options, version: "1").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            verdicts[String(result.id.split(separator: "/").last ?? "")] = result.verdict
        }
        return verdicts
    }
}
