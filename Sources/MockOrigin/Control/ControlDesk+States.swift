import ControlServing
import LocatedYAML
import OriginScript

extension ControlDesk {
    var stateOperations: [ControlOperation] {
        [
            operation("GET", "/states", "listStates", "Lists the machines that are not in their first state.")
            { request throws(ControlProblem) in
                .json(Self.states(try stage(request)))
            },
            operation("PUT", "/states", "setStates", "Puts machines into states.") {
                request throws(ControlProblem) in
                let states = try Self.states(request.json())
                let stage = try stage(request)
                stage.set(states)
                return .json(Self.states(stage))
            }.with { $0.content = Self.schema("States") },
            operation("GET", "/faults", "listFaults", "Shows what goes wrong, and what was drawn so far.") {
                request throws(ControlProblem) in
                .json(Self.faults(try stage(request)))
            },
            operation("PUT", "/faults", "setFaults", "Makes these faults meet requests from now on.") {
                request throws(ControlProblem) in
                let stage = try stage(request)
                let plan = try request.read(ControlKey.Faults.self) { map in
                    Self.plan(map[.faults], map.optional(.seed, .integer(in: 0 ... .max)), map.problems)
                }
                set(plan, stage)
                return .json(Self.faults(stage))
            }.with { $0.content = Self.schema("FaultPlan") },
            operation("DELETE", "/faults", "removeFaults", "Lets nothing go wrong but what answers say.") {
                request throws(ControlProblem) in
                let stage = try stage(request)
                let old = stage.trouble.faults.plan
                set(FaultPlan(seed: old.seed, scope: old.scope), stage)
                return .done
            }.with { ($0.status, $0.answer) = (204, nil) },
            operation("POST", "/release", "release", "Lets stalled answers go on, of one route or of all.") {
                request throws(ControlProblem) in
                let label = try request.read(ControlKey.Release.self) { $0.optional(.label, .text) }
                return .json(["released": .integer(try stage(request).trouble.release(label: label))])
            }.with { $0.content = Self.schema("Release") },
            operation("POST", "/reset", "reset", "Goes back to the beginning; only the clock keeps its time.")
            { request throws(ControlProblem) in
                try stage(request).reset()
                handler.restrictPrepared()
                return .done
            }.with { ($0.status, $0.answer) = (204, nil) },
        ]
    }

    private func set(_ plan: FaultPlan, _ stage: SiteStage) {
        stage.use(plan)
        handler.restrictPrepared()
    }

    // MARK: Reading

    private static func states(_ node: YAMLNode) throws(ControlProblem) -> [String: String] {
        let problems = ProblemCollector()
        var states: [String: String] = [:]
        if node.pairs == nil {
            problems.add(at: node.position, found: node.summary, expected: "a map of machines to states")
        }
        for pair in node.pairs ?? [] { states[pair.key] = Reader.text.read(pair.value, problems) }
        do throws(YAMLProblems) {
            try problems.throwIfAny()
        } catch {
            throw ControlProblem(error)
        }
        return states
    }

    /// Reads faults; those of connections need a listener that belongs to one scenario.
    static func plan(_ node: YAMLNode?, _ seed: Int?, _ problems: ProblemCollector) -> FaultPlan {
        var plan = FaultPlan(seed: UInt64(seed ?? 0), scope: "serve")
        guard let node else { return plan }
        for node in node.elements ?? [node] {
            guard let fault = Fault.reader.read(node, problems) else { continue }
            if fault.event.isOfConnection || fault.action == .refuse {
                let expected = "a fault of a request or an answer; those of connections are for scenarios"
                problems.add(at: node.position, found: node.summary, expected: expected)
            }
            plan.faults.append(fault)
        }
        return plan
    }

    // MARK: Writing

    private static func states(_ stage: SiteStage) -> JSONValue {
        .object(
            stage.progress.states.sorted { $0.key < $1.key }.map {
                .init(name: $0.key, value: .text($0.value))
            }
        )
    }

    private static func faults(_ stage: SiteStage) -> JSONValue {
        let (plan, decisions) = stage.trouble.faults
        return [
            "seed": .written("\(plan.seed)"), "faults": .integer(plan.faults.count),
            "decisions": .array(decisions.map { .text($0.description) }),
        ]
    }
}
