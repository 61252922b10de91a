import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var faultOperations: [ControlOperation] {
        [
            operation(
                .get("/faults"),
                "listFaults",
                "Shows the faults and the random decisions so far.",
                answers: "ShownFaults"
            ) {
                request throws(ControlProblem) in
                .json(Self.faults(try namespace(request)))
            },
            operation(.put("/faults"), "setFaults", "Replaces the faults.", answers: "ShownFaults") {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let isWhole = request.caller == nil
                let plan = try request.read(ControlKey.Faults.self) { map in
                    Self.plan(
                        map[.faults],
                        map.optional(.seed, .integer(in: 0 ... .max)),
                        isWhole: isWhole,
                        map.problems
                    )
                }
                namespace.use(plan)
                return .json(Self.faults(namespace))
            }.with { $0.content = .schema("FaultPlan") },
            operation(.delete("/faults"), "removeFaults", "Removes all faults except those of answers.") {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let old = namespace.injector.faults.plan
                namespace.use(FaultPlan(seed: old.seed, scope: old.scope))
                return .done
            }.with { $0.status = 204 },
            operation(
                .post("/release"),
                "release",
                "Releases the held responses of one route or of all.",
                answers: "Released"
            ) {
                request throws(ControlProblem) in
                let label = try request.read(ControlKey.Release.self) { $0.optional(.label, .quotedText) }
                return .json(["released": .integer(try namespace(request).injector.release(label: label))])
            }.with { $0.content = .schema("Release") },
        ]
    }

    /// Decodes faults; those of connections affect the whole server, because a connection belongs to no namespace.
    static func plan(
        _ node: YAMLNode?,
        _ seed: Int?,
        isWhole: Bool,
        _ problems: ProblemCollector
    ) -> FaultPlan {
        var plan = FaultPlan(seed: UInt64(seed ?? 0), scope: "serve")
        guard let node else { return plan }
        for node in node.elements ?? [node] {
            guard let fault = Fault.reader.read(node, problems) else { continue }
            if !isWhole, fault.event.isOfConnection {
                let expected =
                    "a fault of a request or an answer; faults of connections apply to the whole server"
                problems.add(node, expected: expected)
            }
            plan.faults.append(fault)
        }
        return plan
    }

    private static func faults(_ namespace: OriginNamespace) -> JSONValue {
        let (plan, decisions) = namespace.injector.faults
        return [
            "seed": .integer(plan.seed), "faults": .array(plan.faults.map { .string($0.description) }),
            "decisions": .array(decisions.map { .string($0.description) }),
        ]
    }
}
