import Scenarios
import TestSupport
import Testing

@testable import Conformance

@Suite("What the rules of a scenario require a subject to report", .timeLimit(.minutes(20)), .blocking)
struct ObservableTests {
    private static let eventReason =
        "The scenario checks the events of a load, which this subject does not report."

    /// A driver whose every response is of its disk.
    private static let script = """
        while read -r line; do
            id=$(printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
            case $line in
            *'"hello"'*) more=',"protocol":1,"name":"t","version":"1","kind":"private","capabilities":[]' ;;
            *'"request"'*) more=',"response":{"status":200,"fields":[],"source":"disk"}' ;;
            *) more= ;;
            esac
            printf '{"id":%s%s}\\n' "$id" "$more"
        done
        """

    private static func scenario(rules: String, source: String) throws -> Scenario {
        var scenario = try oneScenario(
            "{request: {path: /a}, expect: {source: \(source), events: [will-send, finish]}}"
        )
        // The rules of the documents are defined by an extension.
        scenario.rules = rules.split(separator: ",").map { String($0.drop { $0 == " " }) }
        return scenario
    }

    @Test(
        "A response of another tier fails only a scenario with a rule of tiers, and one about events alone is skipped",
        arguments: [
            ("urlcache.policy.protocol.fresh", "memory", "passed"),
            ("rfc9111.4.2.fresh", "[origin, memory]", "passed"),
            ("urlcache.policy.protocol.fresh", "origin", "failed"),
            ("rfc9111.4.2.fresh", "validated", "failed"),
            ("urlcache.two-tier", "memory", "failed"), ("urlcache.two-tier", "disk", "passed"),
            ("urlcache.replay-comes-from-memory, willcache.not-on-hit", "memory", "failed"),
            ("willcache.not-on-hit, urlcache.events-cached", "memory", "skipped"),
            ("urlcache.events-cached, urlcache.saves-requests", "memory", "passed"),
        ]
    )
    func driver(_ rules: String, _ source: String, _ verdict: String) throws {
        let hello = DriverCapabilities(name: "t", version: "1", kind: .private, capabilities: [])
        var options = RunOptions()
        options.subject = .driver(Driver(command: ["/bin/sh", "-c", Self.script], hello: hello))
        options.checksConnectivity = false
        var verdicts: [Verdict] = []
        _ = try Runner([try Self.scenario(rules: rules, source: source)], options: options).run {
            event in
            if case .scenarioFinished(let result) = event { verdicts.append(result.verdict) }
        }
        #expect(verdicts.map(\.name) == [verdict])
        if verdict == "skipped" { #expect(verdicts == [.skipped(reason: Self.eventReason)]) }
    }
}
