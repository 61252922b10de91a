public import CacheSemantics
import LocatedYAML

/// A step of a scenario that is written in Swift instead of YAML; problems name the line that creates it.
public struct ScenarioStep: Sendable {
    let located: LocatedStep

    private init(_ step: Step, at position: Position) {
        located = LocatedStep(step: step, position: position)
    }

    /// Sends a request, and compares the response with the expectation; by default any response meets it.
    public static func request(
        _ request: ScenarioRequest,
        expect expectation: ResponseExpectation = ResponseExpectation(),
        file: String = #fileID,
        line: Int = #line
    ) -> ScenarioStep {
        let position = Position(file: file, line: line, column: 1)
        var step = request.step(at: position)
        step.expectation = expectation.located(at: position)
        return ScenarioStep(.request(step), at: position)
    }

    /// Moves the clock; a negative duration moves it by nothing.
    public static func advance(
        _ duration: Duration,
        file: String = #fileID,
        line: Int = #line
    ) -> ScenarioStep {
        ScenarioStep(.advance(max(duration, .zero)), at: Position(file: file, line: line, column: 1))
    }

    /// Waits until background work, such as a revalidation, has ended.
    public static func idle(file: String = #fileID, line: Int = #line) -> ScenarioStep {
        ScenarioStep(.idle, at: Position(file: file, line: line, column: 1))
    }

    /// Expects that the origin has received this number of requests so far, for a path or, by default, for all.
    public static func originSaw(
        requests count: Int,
        path: String? = nil,
        file: String = #fileID,
        line: Int = #line
    ) -> ScenarioStep {
        let position = Position(file: file, line: line, column: 1)
        var expectation = OriginExpectation()
        expectation.path = path
        expectation.requests = Located(.equal(Double(count)), at: position)
        return ScenarioStep(.originSaw(expectation), at: position)
    }
}

extension Scenario {
    /// Creates a scenario for caches of both kinds, with an origin that responds with 200 and no content.
    ///
    /// `id` is the path of its suite and its own name, such as `ours/fresh`, and `title` a sentence that can be false.
    /// `routes` and `cacheKinds` can be set afterwards. Other features of the YAML form have no equivalent in Swift: use
    /// `Suite(text:file:language:)`.
    public init(id: String, title: String, level: RuleLevel = .must, rules: [RuleID], steps: [ScenarioStep]) {
        self.init(
            id: id,
            title: title,
            level: level,
            rules: rules.map(\.rawValue),
            position: steps.first?.located.position ?? Position(file: id)
        )
        self.steps = steps.map(\.located)
    }
}
