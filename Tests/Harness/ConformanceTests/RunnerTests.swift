import CacheSemantics
import LocatedYAML
import Scenarios
import Testing

@testable import Conformance

@Suite("Scenarios end to end")
struct RunnerTests {
    /// Runs the scenarios of one file; each line of `scenarios` is indented as below `scenarios:`.
    private static func run(
        _ scenarios: String,
        _ change: (inout RunOptions) throws -> Void = { _ in }
    ) throws -> (results: [ScenarioResult], summary: RunSummary) {
        let text =
            "suite: Test\ndefaults: {level: must, rules: [rfc9111.4.2.fresh], cache: [private]}\nscenarios:\n"
        let suite = try ScenarioDecoder.decode(text: text + scenarios, path: "scenarios/a/b.yaml")
        var options = RunOptions()
        try change(&options)
        var results: [ScenarioResult] = []
        let summary = try Runner([suite], options: options, version: "test").run { event in
            if case .scenarioFinished(let result) = event { results.append(result) }
        }
        return (results, summary)
    }

    private static let boundary = """
          - id: boundary
            title: A response with max-age=60 is reused at age 59 and not at age 60
            origin:
              - answer: {fields: {Cache-Control: max-age=60}, body: one}
            steps:
              - request: {path: /a}
                expect: {source: origin, body: one}
              - advance: 59s
              - request: {path: /a}
                expect: {source: memory, age: 59}
              - advance: 1s
              - request: {path: /a}
                expect: {source: origin}
              - origin-saw: {requests: 2}

        """

    private static let wrong = """
          - id: wrong
            title: A fresh response is not reused
            origin:
              - answer: {fields: {Cache-Control: max-age=60}}
            steps:
              - request: {path: /a}
              - request: {path: /a}
                expect: {source: origin}

        """

    @Test("A baseline may name a scenario that was run because a selected one depends on it")
    func baselineOfDependency() throws {
        let head =
            "suite: Test\ndefaults: {level: must, rules: [rfc9111.4.2.fresh], cache: [private]}\nscenarios:\n"
        let needed = try ScenarioDecoder.decode(text: head + Self.wrong, path: "scenarios/a/needed.yaml")
        let needing = Self.boundary.replacing(
            "id: boundary",
            with: "id: boundary\n    depends-on: [a/needed/wrong]"
        )
        let suite = try ScenarioDecoder.decode(text: head + needing, path: "scenarios/a/needing.yaml")
        var options = RunOptions()
        options.baseline = try Baseline(text: "a/needed/wrong [private]: known\n", file: "known.txt")
        let summary = try Runner([suite], dependencies: [needed], options: options, version: "test").run {
            _ in
        }
        #expect(summary.total[.expectedFailure] == 1)
        #expect(summary.baselineProblems == [])
    }

    private static func selection(
        filters: [String] = [],
        rules: [String] = [],
        levels: Set<RuleLevel> = [],
        kind: CacheKind = .private
    ) -> Selection {
        var selection = Selection()
        selection.filters = filters.map(GlobPattern.init)
        selection.rules = rules.map(GlobPattern.init)
        (selection.levels, selection.cacheKinds) = (levels, [kind])
        return selection
    }

    @Test(
        "A run of nothing is an error, which says what was asked for and which names are similar",
        arguments: [
            (
                selection(filters: ["*/boundry"]),
                "the filter \"*/boundry\" and the kind of cache private. Did you mean a/b/boundary?"
            ),
            (
                selection(rules: ["rfc9111.4.2.frsh"], levels: [.must, .should]),
                "the rule \"rfc9111.4.2.frsh\" and the level must or should and the kind of cache private. "
                    + "Did you mean rfc9111.4.2.fresh?"
            ),
            (
                selection(filters: ["x*", "y"]),
                "the filter \"x*\" or \"y\" and the kind of cache private."
            ),
            (selection(kind: .shared), "the kind of cache shared."),
        ]
    )
    func nothing(selection: Selection, text: String) throws {
        let error = #expect(throws: RunnerError.self) {
            try Self.run(Self.boundary) { $0.selection = selection }
        }
        #expect(error?.description == "No scenario is selected: none matches " + text)
        #expect(error?.isCancellation == false)
    }

    @Test("A runner without scenarios is an error, and an empty part of a run is none")
    func empty() async throws {
        let error = await #expect(throws: RunnerError.self) { try await Runner([Scenario]()).run() }
        #expect(error?.description == "No scenario is selected: the runner was given none.")
        await #expect(throws: RunnerError.self) { for try await _ in Runner([Scenario]()).events {} }
        let results = try (1...2).map { number in
            try Self.run(Self.boundary) { $0.selection.shard = Shard("\(number)/2") }.results.count
        }
        #expect(results.sorted() == [0, 1])
    }

    private static let waits = """
          - id: delay
            title: A delayed answer arrives at its moment
            origin:
              - answer: {delay: 90s, body: one}
            steps:
              - request: {path: /a, timeout: 100s}
                expect: {source: origin, took: 90s}
          - id: timeout
            title: A request that nobody answers ends at its deadline
            origin:
              - answer: {fail: never}
            steps:
              - request: {path: /a, timeout: 30s}
                expect: {error: timed-out, took: 30s}
              - origin-saw: {requests: 1, aborted: 1}
          - id: cancelled
            title: A request ends when its caller cancels it
            origin:
              - answer: {hold: head}
            steps:
              - request: {path: /a, cancel-after: 7s}
                expect: {error: cancelled, took: 7s}
          - id: background
            title: A stale response is served while it is validated in the background
            origin:
              - answers:
                  - {fields: {Cache-Control: 'max-age=1, stale-while-revalidate=60'}, body: one}
                  - {fields: {Cache-Control: max-age=60}, body: two, delay: 5s}
            steps:
              - request: {path: /a}
              - advance: 2s
              - request: {path: /a}
                expect: {stale: true, body: one}
              - idle:
              - request: {path: /a}
                expect: {source: memory, body: two}
          - id: pieces
            title: Content that comes in pieces is waited for
            origin:
              - answer: {body: abcdef, chunks: [2, 2, 2], chunk-delay: 10s}
            steps:
              - request: {path: /a}
                expect: {body: abcdef, took: 30s}

        """

    private static let stopped = """
          - id: stopped
            title: An origin that is stopped refuses connections until it is started
            origin:
              - answer: {fields: {Cache-Control: no-store}}
            steps:
              - request: {path: /a}
              - origin: {stop: true}
              - request: {path: /a}
                expect: {error: cannot-connect}
              - origin: {start: true}
              - request: {path: /a}
                expect: {status: 200}

        """

    @Test("a right expectation passes, over both transports", arguments: RunOptions.Transport.allCases)
    func passes(transport: RunOptions.Transport) throws {
        let (results, summary) = try Self.run(Self.boundary + Self.waits + Self.stopped) {
            $0.transport = transport
        }
        #expect(
            results.map { "\($0.id): \($0.verdict.name) \($0.verdict.reason)" }.filter {
                !$0.hasSuffix(": passed ")
            } == []
        )
        #expect(summary.exitStatus == 0)
    }

    @Test("a wrong expectation fails with its mismatch, the exchange and the findings")
    func fails() throws {
        let result = try #require(try Self.run(Self.wrong).results.first)
        let mismatch = Mismatch(
            position: "scenarios/a/b.yaml:11:26",
            subject: "source",
            expected: "origin",
            seen: "memory",
            detail: .source(expected: [.origin], seen: .memory)
        )
        #expect(result.verdict == .failed([mismatch]))
        let step = try #require(result.steps.last)
        #expect(step.exchanges.first?.seen.status == 200)
        #expect(step.exchanges.first?.seen.findings.isEmpty == false)
        #expect(step.arrivals.isEmpty)
    }

    @Test("dependents of a failed scenario are not run")
    func dependencyFailed() throws {
        let after = """
              - id: after
                title: It is not run
                depends-on: [wrong]
                steps:
                  - request: {path: /a}

            """
        let (results, _) = try Self.run(Self.wrong + after)
        #expect(results.map(\.verdict.name) == ["failed", "dependency-failed"])
        #expect(results.last?.verdict == .dependencyFailed(on: "a/b/wrong"))
        #expect(results.last?.steps.isEmpty == true)
    }

    @Test(
        "a validation that is never released ends at the client's deadline",
        arguments: RunOptions.Transport.allCases
    )
    func unreleased(transport: RunOptions.Transport) throws {
        let stalled = """
              - id: stalled
                title: Background work ends even though the origin never answers
                origin:
                  - answers:
                      - {fields: {Cache-Control: 'max-age=1, stale-while-revalidate=60'}}
                      - {hold: head}
                steps:
                  - request: {path: /a}
                  - advance: 2s
                  - request: {path: /a}
                    expect: {stale: true}
                  - idle:
                  - origin-saw: {requests: 2, aborted: 1}

            """
        let (results, _) = try Self.run(stalled) { $0.transport = transport }
        #expect(results.map(\.verdict) == [.passed])
    }

    @Test("a request without expectations that gets no response is a failed setup step")
    func setupFailed() throws {
        let setup = """
              - id: setup
                title: The first request is answered
                origin:
                  - answer: {fail: close@head}
                steps:
                  - request: {path: /a}

            """
        #expect(try Self.run(setup).results.map(\.verdict.name) == ["setup-failed"])
    }

    @Test("verdicts are the same with any number of jobs and over both transports")
    func sameVerdicts() throws {
        let text = Self.boundary + Self.wrong + Self.waits + Self.stopped
        var all: Set<[Verdict]> = []
        for transport in RunOptions.Transport.allCases {
            for jobs in [1, 8] {
                let (results, _) = try Self.run(text) {
                    $0.transport = transport
                    $0.jobs = jobs
                }
                all.insert(results.map(\.verdict))
            }
        }
        #expect(all.count == 1)
    }

    @Test("the baseline's four outcomes have different texts")
    func baseline() throws {
        let known = Self.wrong + Self.boundary
        func text(_ baseline: String) throws -> (report: String, status: Int32) {
            var report = ReportKind.text.reporter()
            let (results, summary) = try Self.run(known) {
                $0.baseline = try Baseline(text: baseline, file: "known.txt")
            }
            let events = results.map(RunEvent.scenarioFinished) + [.runFinished(summary)]
            return (events.map { report.text(for: $0) }.joined(), summary.exitStatus)
        }
        let expected = try text("a/b/wrong: issue 7")
        #expect(expected.status == 0)
        #expect(expected.report.contains("EXPECTED FAILURE a/b/wrong [private]: issue 7"))
        let new = try text("")
        #expect(!new.report.contains("EXPECTED"))
        #expect(new.status == 1)
        #expect(new.report.contains("FAILED a/b/wrong [private]"))
        let pass = try text("a/b/wrong: issue 7\na/b/boundary: issue 8")
        #expect(pass.status == 1)
        #expect(pass.report.contains("UNEXPECTED PASS a/b/boundary [private]: issue 8"))
        let unknown = try text("a/b/wrong: issue 7\na/b/none: issue 9")
        #expect(unknown.status == 1)
        #expect(
            unknown.report.contains(
                "known.txt:2:1: UNKNOWN ID, found `a/b/none`, expected the id of a scenario"
            )
        )
    }
}
