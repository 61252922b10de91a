import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var stateOperations: [ControlOperation] {
        [
            operation(
                .get("/states"),
                "listStates",
                "Lists the state machines that are not in their initial state.",
                answers: "States"
            ) { request throws(ControlProblem) in
                .json(Self.states(try namespace(request)))
            },
            operation(.put("/states"), "setStates", "Sets the states of state machines.", answers: "States") {
                request throws(ControlProblem) in
                let states = try Self.states(request.json())
                let namespace = try namespace(request)
                namespace.set(states)
                return .json(Self.states(namespace))
            }.with { $0.content = .schema("States") },
            operation(.post("/reset"), "reset", "Resets everything except the clock.") {
                request throws(ControlProblem) in
                try request.refuseContent()
                try namespace(request).reset(keepsRoutes: try Self.keepsRoutes(request))
                return .done
            }.with {
                $0.status = 204
                $0.query = [
                    .init(
                        "keep",
                        "routes: routes and settings of pages stay; sequences, counts, states, faults, network and journal are reset."
                    )
                ]
            },
        ]
    }

    private static func keepsRoutes(_ request: ControlRequest) throws(ControlProblem) -> Bool {
        let values = request.query.filter { $0.name == "keep" }.map(\.value)
        for value in values where value != "routes" {
            throw ControlProblem.value("query", found: "keep=\(value)", expected: "keep=routes")
        }
        return !values.isEmpty
    }

    // MARK: Reading

    private static func states(_ node: YAMLNode) throws(ControlProblem) -> [String: String] {
        let problems = ProblemCollector()
        let states = Self.states(node, problems)
        do throws(YAMLProblems) { try problems.throwIfAny() } catch { throw ControlProblem(error) }
        return states
    }

    /// Decodes a map of machines to states.
    static func states(_ node: YAMLNode, _ problems: ProblemCollector) -> [String: String] {
        var states: [String: String] = [:]
        if node.pairs == nil {
            problems.add(node, expected: "a map of machines to states")
        }
        for pair in node.pairs ?? [] { states[pair.key] = Reader.quotedText.read(pair.value, problems) }
        return states
    }

    // MARK: Writing

    private static func states(_ namespace: OriginNamespace) -> JSONValue {
        .object(namespace.progress.states.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }
}
