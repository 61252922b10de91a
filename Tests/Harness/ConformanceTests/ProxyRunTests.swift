import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
import Scenarios
import TestSupport
import Testing

@testable import Conformance
import Threads

@Suite("Scenarios against a proxy", .timeLimit(.minutes(20)))
struct ProxyRunTests {
    @Test("A proxy runs the scenarios that apply to it, and the others are skipped with the reason")
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
                == .skipped(reason: "The scenario clears the origin's site, which other scenarios use.")
        )
        #expect(verdicts["stalls"] == .skipped(reason: "The origin takes longer than 5 s."))
        #expect(verdicts["asked"] == .passed)
        #expect(
            verdicts["not-stored"]
                == .skipped(
                    reason: "The subject contacted the origin where it may use its store (f.yaml:19:26)."
                )
        )
        #expect(verdicts["waits"] == .skipped(reason: "The scenario would have to wait 61 s."))
        #expect(
            verdicts["looks"]
                == .skipped(reason: "The scenario inspects the store, which this subject does not support.")
        )
        #expect(
            verdicts["sets-up"] == .skipped(reason: "The scenario changes settings of the built-in client.")
        )
    }

    @Test(
        "A proxy that is lost during a run gives harness errors and exit status 69, and no failure of a rule"
    )
    func gone() throws {
        let signal = Signal()
        var configuration = HTTPServer.Configuration()
        configuration.port = try OwnPort.next()
        let proxy = HTTPServer(configuration, handler: Answering { if $0 == 5 { signal.raise() } })
        try proxy.start()
        let killer = SystemThread {
            _ = signal.wait(after: 0)
            proxy.stop()
        }
        defer { killer.join() }
        var options = RunOptions()
        options.subject = .proxy("http://127.0.0.1:\(proxy.port ?? 0)")
        options.checksConnectivity = false
        let suite = try ScenarioDecoder.decode(
            text: """
                suite: s
                defaults: {level: must, rules: [rfc9111.4.2.fresh]}
                scenarios:
                  - id: under-way
                    title: t
                    steps: [{repeat: {times: 10000, steps: [{request: {path: /a}, expect: {status: 200}}]}}]
                  - id: after
                    title: t
                    steps: [{repeat: {times: 10000, steps: [{request: {path: /b}, expect: {status: 200}}]}}]
                """,
            path: "f.yaml",
            realTime: true
        )
        var reasons: [String] = []
        let summary = try Runner([suite], options: options, version: "1").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            #expect(result.verdict.name == "harness-error", "\(result.verdict.reason)")
            reasons.append(result.verdict.reason)
        }
        #expect(reasons.count == 2)
        #expect(reasons.allSatisfy { $0.contains("accepts no connections") }, "\(reasons)")
        #expect(summary.exitStatus == 69)
        #expect(summary.total.failed == summary.total[.broken])
    }

    /// Answers every request with 200 and its number.
    private final class Answering: RequestHandler {
        private let count = Lock(0)
        private let tell: @Sendable (Int) -> Void

        init(_ tell: @escaping @Sendable (Int) -> Void) { self.tell = tell }

        func preparedResponse(for head: RequestHead) -> PreparedResponse? { nil }

        func reply(to request: ServedRequest) -> RawReply {
            tell(
                count.withLock { count in
                    count += 1
                    return count
                }
            )
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            return RawReply([.write(Array(answer.utf8)[...])], ending: .keepAlive, clock: SystemClock())
        }

        func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
            reply(to: request)
        }
    }

    @Test("One request at a time gives the same verdicts as many, whichever the origin delays")
    func jobs() throws {
        let yaml = """
            suite: s
            defaults: {level: must, rules: [rfc9111.4.2.fresh]}
            scenarios:
              - {id: slow, title: t, origin: [{answer: {delay: 4s}}], steps: [{request: {path: /a}}]}
              - id: timed
                title: t
                steps:
                  - request: {path: /a}
                    expect: {source: origin, took: {at-most: 0.5s}}
                  - advance: 1s
                  - request: {path: /a}
                    expect: {source: origin, took: {at-most: 0.5s}}
                  - origin-saw: {requests: 2}
            """
        let one = try run(yaml, jobs: 1)
        #expect(one == ["slow": .passed, "timed": .passed])
        #expect(try run(yaml, jobs: 8) == one)
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

    @Test(
        "A response as old as its own Date was not waited for, whenever the origin responded",
        arguments: [
            ("10:00:00", Double?(3), 304, Provenance.cache), ("10:00:00", 3, 200, .cache),
            // The Date of the 304, and an Age that was forwarded unchanged.
            ("10:00:03", 0, 304, .validated), ("10:00:00", 1, 304, .validated),
            ("10:00:03", 0, 200, .origin), ("10:00:03", 6, 200, .origin),
            ("10:00:00", nil, 304, .validated),
        ]
    )
    func background(time: String, age: Double?, answered: Int, source: Provenance) {
        var seen = CallerObservation()
        seen.status = 200
        seen.fields = [("Date", "Sat, 21 Nov 2026 \(time) GMT")]
        seen.age = age
        let exchange = OriginExchange(
            .arrival(status: answered),
            answerFields: [("Date", "Sat, 21 Nov 2026 10:00:03 GMT")]
        )
        #expect(Provenance.inferred(from: seen, [exchange]) == source)
    }

    @Test(
        "A gateway error in place of the origin's response is generated, unless it is a stored error that was validated",
        arguments: [
            (502, [], 304, Provenance.generated), (504, [], 206, .generated), (502, [], 200, .generated),
            (502, [("ETag", "\"v1\"")], 304, .validated), (502, [], 502, .origin), (500, [], 200, .origin),
        ]
    )
    func rejection(status: Int, fields: [(name: String, value: String)], answered: Int, source: Provenance) {
        var seen = CallerObservation()
        seen.status = status
        seen.fields = fields
        #expect(Provenance.inferred(from: seen, [OriginExchange(.arrival(status: answered))]) == source)
    }

    @Test("An overlapping request does not count the origin's requests as its own")
    func overlap() {
        let overlap = RequestOverlap()
        let first = overlap.begin()
        #expect(overlap.end(first))
        let second = overlap.begin()
        let third = overlap.begin()
        #expect(!overlap.end(second))
        #expect(!overlap.end(third))
    }

    /// Runs scenarios against a proxy that stores nothing, which is the origin itself.
    private func run(_ yaml: String, jobs: Int = 8) throws -> [String: Verdict] {
        let port = try OwnPort.next()
        var options = RunOptions()
        options.subject = .proxy("http://127.0.0.1:\(port)")
        options.originServer.port = port
        options.jobs = jobs
        let suite = try ScenarioDecoder.decode(text: yaml, path: "f.yaml", realTime: true)
        var verdicts: [String: Verdict] = [:]
        _ = try Runner([suite], options: options, version: "1").run { event in
            guard case .scenarioFinished(let result) = event else { return }
            verdicts[String(result.id.split(separator: "/").last ?? "")] = result.verdict
        }
        return verdicts
    }
}
