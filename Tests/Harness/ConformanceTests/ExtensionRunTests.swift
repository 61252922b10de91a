import CacheSemantics
import Clocks
import LocatedYAML
import Locks
import Scenarios
import Testing

@testable import Conformance

/// Alarms on the scenario's clock.
private struct Alarms: RunnableExtension {
    struct Ring: ExtensionStep {
        let delay: Duration
        let expected: Duration
        let position: Position
        var title: String { "ring" }
        var needsSockets: Bool { delay == .zero }
    }
    /// Waits for its alarms, and cannot be restarted once one has rung.
    final class Runner: ExtensionRunner {
        private let environment: ExtensionEnvironment
        private var hasRung = false

        init(_ environment: ExtensionEnvironment) { self.environment = environment }

        func take(
            _ step: any ExtensionStep,
            _ context: () -> ExpectationContext,
            _ record: inout StepRecord
        ) throws(StepProblem) {
            guard let ring = step as? Ring else { return }
            let (begin, isFinished, signal) = (environment.clock.elapsed, Lock(false), environment.signal)
            let alarm = environment.clock.schedule(after: ring.delay) {
                isFinished.withLock { $0 = true }
                signal.raise()
            }
            defer { alarm.cancel() }
            do throws(HarnessProblem) {
                try environment.wait(for: "the alarm") { isFinished.withLock { $0 } }
            } catch {
                throw .harness(error)
            }
            hasRung = true
            let took = environment.clock.elapsed - begin
            record.course.append(
                StepRecord.Moment(at: took.seconds, what: environment.settings as? String ?? "")
            )
            if took == ring.expected { return }
            record.mismatches.append(
                Mismatch(position: "\(ring.position)", subject: "rings", expected: "later", seen: "\(took)")
            )
        }

        func restart() throws(SubjectError) {
            if hasRung { throw SubjectError("It has rung.") }
        }
    }
    let key = "alarms"
    let rules: [CatalogueRule] = []
    let cacheKinds = [CacheKind.private]
    let skipReason = "it waits for alarms of this process"

    func runner(on environment: ExtensionEnvironment) -> any ExtensionRunner { Runner(environment) }

    func grammar(_ reading: ScenarioReading) -> ExtensionGrammar {
        let ring = StepKind("ring", "Waits for an alarm.", example: "1s") { value, expect in
            Reader.duration.read(value, reading.problems).map { delay in
                let expected = expect.flatMap { Reader.duration.read($0, reading.problems) }
                return Ring(delay: delay, expected: expected ?? delay, position: value.position)
            }
        }
        return ExtensionGrammar([ring]) { Reader.text.read($0, reading.problems) }
    }
}

@Suite("Steps of extensions in a run")
struct ExtensionRunTests {
    private static func suite(_ steps: String) throws -> Suite {
        let text = """
            suite: Test
            scenarios:
              - {id: a, title: T, level: must, rules: [rfc9111.4.2.fresh], alarms: loud, steps: [\(steps)]}
            """
        let language = ScenarioLanguage(extensions: [Alarms()])
        return try ScenarioDecoder.decode(text: text, path: "f.yaml", language: language)
    }

    private static func run(_ steps: String, _ options: RunOptions = RunOptions()) throws -> ScenarioResult {
        var results: [ScenarioResult] = []
        _ = try Runner([try suite(steps)], options: options, version: "test").run { event in
            if case .scenarioFinished(let result) = event { results.append(result) }
        }
        return try #require(results.first)
    }

    @Test(
        "A step runs on the scenario's clock, with the settings, and the report has its title and course"
    )
    func passes() throws {
        let result = try Self.run("{alarms: {ring: 90s}}, {request: {path: /}}")
        #expect(result.verdict == .passed)
        #expect(result.steps.map(\.title) == ["ring", "GET /"])
        #expect(result.steps.first?.course == [StepRecord.Moment(at: 90, what: "loud")])
    }

    @Test("A mismatch in a step fails the scenario")
    func fails() throws {
        let result = try Self.run("{alarms: {ring: 1s, expect: 2s}}")
        #expect(result.verdict.mismatches.map(\.subject) == ["rings"])
    }

    @Test("A restart that an extension refuses is no verdict on the rules")
    func restart() throws {
        #expect(try Self.run("{client: restart}, {alarms: {ring: 1s}}").verdict == .passed)
        let result = try Self.run("{alarms: {ring: 1s}}, {client: restart}")
        #expect(result.verdict == .setupFailed("It has rung."))
    }

    @Test("Without sockets a step that needs them is skipped")
    func direct() throws {
        var options = RunOptions()
        options.transport = .direct
        #expect(try Self.run("{alarms: {ring: 1s}}", options).verdict == .passed)
        #expect(try Self.run("{alarms: {ring: 0s}}", options).verdict.name == "skipped")
    }

    @Test("Subjects in other processes skip such steps, for the extension's reason")
    func outside() throws {
        let scenario = try #require(try Self.suite("{alarms: {ring: 1s}}").scenarios.first)
        #expect(scenario.obstacle(outside: SubjectAbilities()) == "it waits for alarms of this process")
    }
}
