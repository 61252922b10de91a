import LocatedYAML
import Scenarios
import StackScenarios
import Testing

@Suite("Expectations of chains and batches")
struct GroupCheckTests {
    private static func seen() -> GroupObservation {
        var good = FetchObservation(name: "a")
        good.caller.status = 200
        good.caller.source = .application
        good.value = "json"
        good.attempts = 0
        var bad = FetchObservation(name: "b")
        bad.caller.error = (-1005, "It broke.")
        bad.failure = .transport
        bad.attempts = 2
        var seen = GroupObservation()
        seen.results = [good, bad]
        seen.course = ["end a", "send b", "send b", "end b"]
        seen.atOnce = 1
        seen.completions = 1
        seen.error = (-1005, "It broke.")
        seen.took = 2
        seen.log = ["one", "two", "three"]
        return seen
    }

    /// Returns the subjects of the mismatches.
    private static func check(_ first: String, _ second: String, _ expect: String) throws -> [String] {
        let text =
            "- stack:\n"
            + "    chain: {requests: [{name: a, path: /, expect: {\(first)}}, {name: b, path: /, expect: {\(second)}}]}\n"
            + "    expect: {\(expect)}"
        guard case .added(StackStep.group(let chain), _)? = try steps(text).first else { return ["no chain"] }
        let context = ExpectationContext(base: "", other: "", now: 0)
        return chain.expectation.check(seen(), chain.requests, context: context).map(\.subject)
    }

    @Test("A met expectation is not a mismatch")
    func good() throws {
        let group =
            "order: [a, b], course: [end a, send b, send b, end b], completed: 1, failed: 1, stopped-at: b, "
            + "at-once: 1, completions: 1, error: connection-lost, took: 2s, log: [one, three]"
        #expect(
            try Self.check(
                "source: application, status: 200, value: json, attempts: 0",
                "error: connection-lost, failure: transport, attempts: 2, reason: broke",
                group
            ).isEmpty
        )
    }

    @Test(
        "Each expectation fails under its own name",
        arguments: [
            ("failed: 1, order: [b, a]", "order"), ("failed: 1, course: [end a, end b]", "course"),
            ("completed: 2, failed: 1", "completed"),
            ("failed: 0", "failed"), ("stopped-at: a", "stopped-at"),
            ("failed: 1, at-once: {at-least: 2}", "at-once"),
            ("failed: 1, completions: 2", "completions"), ("failed: 1, error: none", "error"),
            ("failed: 1, took: 1s", "took"), ("failed: 1, log: [three, one]", "log"),
            ("at-once: 1", "b: outcome"),
        ]
    )
    func bad(expect: String, subject: String) throws {
        #expect(try Self.check("", "", expect) == [subject])
    }

    @Test(
        "Each expectation of a request fails under its name and the request's",
        arguments: [
            ("value: xml", "", "a: value"), ("attempts: 1", "", "a: attempts"),
            ("error: offline", "", "a: error"),
            ("source: origin", "", "a: source"), ("", "failure: status", "b: failure"),
            ("", "reason: slept", "b: reason"), ("", "error: cancelled", "b: error"),
        ]
    )
    func badRequest(first: String, second: String, subject: String) throws {
        #expect(try Self.check(first, second, "failed: 1") == [subject])
    }
}
