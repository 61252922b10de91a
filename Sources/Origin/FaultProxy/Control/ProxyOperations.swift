import ControlServing
import HTTPArchive
import JSON
import LocatedYAML
import MockOrigin
import OriginScript

/// The operations of a proxy's control API.
struct ProxyOperations: Sendable {
    private enum FaultsKey: String, MapKey {
        case faults, seed
        static let mapName = "a fault plan"
    }
    private enum NetworkKey: String, MapKey {
        case network
        static let mapName = "a choice of network"
    }
    private enum ReleaseKey: String, MapKey {
        case label
        static let mapName = "a release"
    }
    let context: ProxyContext

    /// All operations.
    var all: [ControlOperation] { journal + events + rules + faults + network + moments }

    static func operation(
        _ endpoint: ControlEndpoint,
        _ name: String,
        _ summary: String,
        answers: String? = nil,
        action: @escaping ControlOperation.Action
    ) -> ControlOperation {
        ControlOperation(endpoint, name: name, summary, action: action).with { operation in
            operation.answer = answers.map(JSONValue.schema)
            if answers == nil { operation.status = 204 }
        }
    }

    // MARK: Journal

    private var journal: [ControlOperation] {
        [
            Self.operation(
                .get("/journal"),
                "listExchanges",
                "Lists the last exchanges, what was injected into each, and where.",
                answers: "Journal"
            ) { [context] request throws(ControlProblem) in
                let after = try Self.number(request)
                let (entries, dropped) = context.journal?.entries ?? ([], 0)
                let shown = entries.filter { $0.number > after }.map(\.json)
                return .json(["entries": .array(shown), "dropped": .integer(dropped)])
            }.with {
                $0.query = [.init("after", "Only exchanges with higher numbers.")]
                $0.isSlow = true
            },
            ControlOperation(
                .get("/journal/har"),
                name: "readArchive",
                "Returns the last exchanges as an HTTP archive (HAR 1.2), with what was injected into each, and where."
            ) { [context] _ in
                let entries = context.journal?.entries.entries.filter { $0.number > 0 } ?? []
                return .json(HTTPArchive.journal(entries.map { $0.archived(context.origin) }))
            }.with { $0.isSlow = true },
            Self.operation(.delete("/journal"), "clearJournal", "Removes all exchanges from the journal.") {
                [context] _ in
                context.journal?.clear()
                context.publish("journal")
                return .done
            },
        ]
    }

    private static func number(_ request: ControlRequest) throws(ControlProblem) -> Int {
        guard let text = request.query.first?.value else { return -1 }
        if let number = Int(text) { return number }
        throw ControlProblem.value("query", found: "\"\(text)\"", expected: "a number of an exchange")
    }

    // MARK: Faults and network

    private var faults: [ControlOperation] {
        [
            Self.operation(
                .get("/faults"),
                "listFaults",
                "Shows the faults of all requests, and the last random decisions.",
                answers: "ShownFaults"
            ) { [context] _ in .json(Self.shown(context.injector)) },
            Self.operation(
                .put("/faults"),
                "setFaults",
                "Replaces the faults of all requests; without a seed the present one stays.",
                answers: "ShownFaults"
            ) { [context] request throws(ControlProblem) in
                var plan = context.injector.faults.plan
                let (faults, seed) = try request.read(FaultsKey.self) { map in
                    (
                        map.optional(.faults, Fault.listReader) ?? [],
                        map.optional(.seed, .integer(in: 0 ... .max))
                    )
                }
                plan.faults = faults
                plan.seed = seed.map { UInt64($0) } ?? plan.seed
                context.use(plan)
                return .json(Self.shown(context.injector))
            }.with { $0.content = .schema("Faults") },
            Self.operation(.delete("/faults"), "removeFaults", "Removes the faults of all requests.") {
                [context] _ in
                var plan = context.injector.faults.plan
                plan.faults = []
                context.use(plan)
                return .done
            },
        ]
    }

    private static func shown(_ injector: FaultInjector) -> JSONValue {
        let (plan, decisions) = injector.faults
        return [
            "seed": .integer(plan.seed), "faults": .array(plan.faults.map { .string($0.description) }),
            "decisions": .array(decisions.map { .string($0.description) }),
        ]
    }

    private var network: [ControlOperation] {
        [
            Self.operation(.get("/network"), "readNetwork", "Shows the network.", answers: "Network") {
                [context] _ in .json(Self.network(context.injector))
            },
            Self.operation(
                .put("/network"),
                "setNetwork",
                "Replaces the network.",
                answers: "Network"
            ) { [context] request throws(ControlProblem) in
                let schedule = try request.read(NetworkKey.self) {
                    $0.required(.network, NetworkSchedule.reader)
                }
                context.use(network: schedule)
                return .json(Self.network(context.injector))
            }.with { $0.content = .schema("Network") },
            Self.operation(
                .get("/network/profiles"),
                "listProfiles",
                "Lists the names of the network profiles.",
                answers: "Profiles"
            ) { _ in .json(Self.profiles) },
            Self.operation(.delete("/network"), "removeNetwork", "Leaves only this machine's own network.") {
                [context] _ in
                context.use(network: nil)
                return .done
            },
        ]
    }

    private static var profiles: JSONValue {
        ["profiles": .array(NetworkProfile.presets.map { .string($0.name) })]
    }

    private static func network(_ injector: FaultInjector) -> JSONValue {
        ["network": injector.network.map { .string($0.description) } ?? .null]
    }

    // MARK: Moments

    private var moments: [ControlOperation] {
        [
            Self.operation(
                .post("/release"),
                "release",
                "Releases the held responses of one rule or of all.",
                answers: "Released"
            ) { [context] request throws(ControlProblem) in
                let label = try request.read(ReleaseKey.self) { $0.optional(.label, .quotedText) }
                return .json(["released": .integer(context.injector.release(label: label))])
            }.with { $0.content = .schema("Release") },
            Self.operation(
                .post("/reset"),
                "reset",
                "Restarts the rules' sequences and states and the numbers of connections and requests, restores the faults and the network of the start, releases what is held, and clears the journal."
            ) { [context] request throws(ControlProblem) in
                try request.refuseContent()
                context.reset()
                return .done
            },
        ]
    }
}
