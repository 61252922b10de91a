package import ControlServing
package import JSON
import LocatedYAML
package import OriginScript

/// A server, or a part of one, whose faults, network and held responses a control API changes.
package protocol InjectionTarget: Sendable {
    /// Injects the faults and emulates the network.
    var injector: FaultInjector { get }

    /// Replaces the faults, except those of answers.
    func use(_ plan: FaultPlan)

    /// Replaces the network; `nil` is this machine's own.
    func use(network: NetworkSchedule?)
}

/// The operations on faults, the network and held responses, the same in every control API.
package struct InjectorOperations: Sendable {
    private enum FaultsKey: String, MapKey {
        case faults, seed
        static let mapName = "a fault plan"
    }
    private enum NetworkKey: String, MapKey {
        case network
        static let mapName = "a network setting"
    }
    private enum ReleaseKey: String, MapKey {
        case label
        static let mapName = "a release"
    }
    private let target: @Sendable (ControlRequest) throws(ControlProblem) -> any InjectionTarget

    /// Creates the operations on the target of each request.
    package init(
        target: @escaping @Sendable (ControlRequest) throws(ControlProblem) -> any InjectionTarget
    ) {
        self.target = target
    }

    /// All operations.
    package var all: [ControlOperation] { faults + network + [release] }

    // MARK: Faults

    private var faults: [ControlOperation] {
        [
            ControlOperation(
                .get("/faults"),
                "listFaults",
                "Shows the faults and the last random decisions.",
                answers: "ShownFaults"
            ) { request throws(ControlProblem) in .json(Self.faults(try target(request))) },
            ControlOperation(
                .put("/faults"),
                "setFaults",
                "Replaces the faults; without a seed, the current one is kept.",
                answers: "ShownFaults"
            ) { request throws(ControlProblem) in
                let target = try target(request)
                var plan = target.injector.faults.plan
                (plan.faults, plan.seed) = try request.read(FaultsKey.self) { map in
                    (
                        Self.faults(map[.faults], isWhole: request.caller == nil, map.problems),
                        map.optional(.seed, .integer(in: 0 ... .max)).map { UInt64($0) } ?? plan.seed
                    )
                }
                target.use(plan)
                return .json(Self.faults(target))
            }.with { $0.content = .schema("FaultPlan") },
            ControlOperation(
                .delete("/faults"),
                "removeFaults",
                "Removes all faults except those of answers."
            ) { request throws(ControlProblem) in
                let target = try target(request)
                var plan = target.injector.faults.plan
                plan.faults = []
                target.use(plan)
                return .done
            },
        ]
    }

    /// Decodes faults; those of connections affect the whole server, because a connection belongs to no namespace.
    static func faults(_ node: YAMLNode?, isWhole: Bool, _ problems: ProblemCollector) -> [Fault] {
        let reader = Fault.reader.when(
            { isWhole || !$0.event.isOfConnection },
            expected: "a fault of a request or an answer; faults of connections apply to the whole server"
        )
        return node.map { ($0.elements ?? [$0]).compactMap { reader.read($0, problems) } } ?? []
    }

    private static func faults(_ target: any InjectionTarget) -> JSONValue {
        let (plan, decisions) = target.injector.faults
        return [
            "seed": .integer(plan.seed), "faults": .array(plan.faults.map { .string($0.description) }),
            "decisions": .array(decisions.map { .string($0.description) }),
        ]
    }

    // MARK: Network

    private var network: [ControlOperation] {
        [
            ControlOperation(
                .get("/network"),
                "readNetwork",
                "Shows the network conditions and the known profiles.",
                answers: "ShownNetwork"
            ) { request throws(ControlProblem) in .json(Self.network(try target(request))) },
            ControlOperation(
                .put("/network"),
                "setNetwork",
                "Replaces the network conditions.",
                answers: "ShownNetwork"
            ) { request throws(ControlProblem) in
                let target = try target(request)
                let schedule = try request.read(NetworkKey.self) {
                    $0.required(.network, NetworkSchedule.reader)
                }
                target.use(network: schedule)
                return .json(Self.network(target))
            }.with { $0.content = .schema("Network") },
            ControlOperation(
                .get("/network/profiles"),
                "listProfiles",
                "Lists the known profiles.",
                answers: "Profiles"
            ) { _ in .json(Self.profiles) },
            ControlOperation(.delete("/network"), "removeNetwork", "Removes the network conditions.") {
                request throws(ControlProblem) in
                try target(request).use(network: nil)
                return .done
            },
        ]
    }

    private static var profiles: JSONValue {
        ["profiles": .array(NetworkProfile.presets.map { .string($0.name) })]
    }

    private static func network(_ target: any InjectionTarget) -> JSONValue {
        let present: JSONValue = [
            "network": target.injector.network.map { .string($0.description) } ?? .null
        ]
        return present.adding(profiles)
    }

    // MARK: Held responses

    private var release: ControlOperation {
        ControlOperation(
            .post("/release"),
            "release",
            "Releases the held responses with one label or all.",
            answers: "Released"
        ) { request throws(ControlProblem) in
            let label = try request.read(ReleaseKey.self) { $0.optional(.label, .quotedText) }
            return .json(["released": .integer(try target(request).injector.release(label: label))])
        }.with { $0.content = .schema("Release") }
    }

    // MARK: Schemas

    /// The schemas of the operations' requests and responses, by name.
    package static var schemas: JSONValue {
        [
            "FaultPlan": .members(maybe: ["faults": faultsSchema, "seed": count]),
            "ShownFaults": .members(["seed": count, "faults": texts, "decisions": texts]),
            "Network": .members(["network": networkSchema]),
            "ShownNetwork": .members(["network": ["type": ["string", "null"]], "profiles": texts]),
            "Profiles": .members(["profiles": texts]),
            "Release": .members(maybe: ["label": ["type": "string"]]),
            "Released": .members(["released": count]),
        ]
    }

    static let faultsSchema: JSONValue = [
        "description": "Faults as text, such as reset@body:100, or as maps, as in site files.",
        "type": ["string", "object", "array"],
    ]

    static let networkSchema: JSONValue = [
        "description":
            "A profile, a sequence such as \"lte for 5s, then edge\", or a profile of your own as a map.",
        "type": ["string", "object"],
    ]

    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    private static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]
}
