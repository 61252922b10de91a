import Conformance
import Testing

@Suite("A scenario as a Swift value", .timeLimit(.minutes(20)))
struct ScenarioValueTests {
    /// A subject without a cache.
    private struct Forwarding: Subject {
        let context: SubjectContext

        func respond(to request: SubjectRequest) async throws -> SubjectResponse {
            try await context.send(request)
        }
    }

    private func run(_ scenario: Scenario) async throws -> ScenarioResult {
        try await scenario.run { Forwarding(context: $0) }
    }

    private func scenario(_ steps: ScenarioStep...) -> Scenario {
        var scenario = Scenario(id: "ours/a", title: "T", rules: ["rfc9110.7.7.target"], steps: steps)
        let answer = Answer(fields: ["X": "1", "Cache-Control": "max-age=60"], body: "one")
        scenario.routes = [Route(label: "a", path: "/a", answers: [answer])]
        return scenario
    }

    @Test("Requests are sent as written, and a response that is as expected passes")
    func passing() async throws {
        var expected = ResponseExpectation(source: .origin, status: 200, body: "one", age: nil)
        expected.fields = ["X": "1"]
        expected.absentFields = ["Y"]
        let post = ScenarioRequest("/a?b=1", method: "POST", fields: ["F": "G"], body: "sent")
        let result = try await run(
            scenario(
                .request("/a", expect: expected),
                .advance(.seconds(61)),
                .request(post),
                .idle(),
                .originSaw(requests: 2, path: "/a")
            )
        )
        #expect(result.verdict == .passed, "\(result.explanation)")
        #expect(result.conforms)
    }

    @Test("An expectation that does not hold fails, at the line of its step")
    func failing() async throws {
        let steps = scenario(.request("/a"), .request("/a", expect: ResponseExpectation(status: 404)))
        let line = #line - 1
        let result = try await run(steps)
        #expect(!result.conforms)
        #expect(
            result.explanation.contains("ConformanceTests/ScenarioValueTests.swift:\(line):1"),
            "\(result.explanation)"
        )
    }

    @Test("The explanation of a failure has the fields of a 304 that updated the stored response")
    func updatedFields() async throws {
        let failing = ResponseExpectation(status: 404)
        var scenario = scenario(.request("/a"), .request("/a"), .request("/a", expect: failing))
        let tag = "\"v1\""
        let stale = Answer(fields: ["Cache-Control": "max-age=0", "ETag": tag], body: "one")
        let update = Answer(status: 304, fields: ["Cache-Control": "max-age=60", "ETag": tag])
        scenario.routes = [Route(label: "a", path: "/a", answers: [stale, update])]
        let result = try await run(scenario)
        #expect(result.explanation.contains("It is fresh for 60 s"), "\(result.explanation)")
    }

    @Test(
        "Each expectation fails if the response differs",
        arguments: [
            ("status", ResponseExpectation(status: 404)), ("body", ResponseExpectation(body: "two")),
            (
                "present",
                {
                    var expected = ResponseExpectation(); expected.absentFields = ["X"]; return expected
                }()
            ),
            (
                "different",
                {
                    var expected = ResponseExpectation(); expected.fields = ["X": "2"]; return expected
                }()
            ),
        ]
    )
    func differing(_ name: String, _ expected: ResponseExpectation) async throws {
        let result = try await run(scenario(.request("/a", expect: expected)))
        #expect(!result.conforms, "\(result.explanation)")
    }

    @Test(
        "A runner runs it against the built-in client, with the age of a stored response and the level given"
    )
    func runner() async throws {
        var scenario = scenario(
            .request("/a", expect: ResponseExpectation(source: .origin)),
            .advance(.seconds(59)),
            .request("/a", expect: ResponseExpectation(source: .cache, age: .seconds(59), isStale: false)),
            .originSaw(requests: 1)
        )
        scenario.cacheKinds = [.private]
        let summary = try await Runner([scenario], options: RunOptions()).run()
        #expect(summary.total.passed == 1)
        #expect(scenario.level == .must && scenario.ruleIDs == ["rfc9110.7.7.target"])
    }
}
