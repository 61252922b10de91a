import ControlServing
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
    var all: [ControlOperation] { journal + rules + faults + network + moments }

    private static func operation(
        _ method: String,
        _ path: String,
        _ name: String,
        _ summary: String,
        takes content: String? = nil,
        answers: String? = nil,
        action: @escaping ControlOperation.Action
    ) -> ControlOperation {
        ControlOperation(method, path, name: name, summary, action: action).with { operation in
            operation.content = content.map(ProxySchemas.reference)
            operation.answer = answers.map(ProxySchemas.reference)
            if answers == nil { operation.status = 204 }
        }
    }

    // MARK: Journal

    private var journal: [ControlOperation] {
        [
            Self.operation(
                "GET",
                "/journal",
                "listExchanges",
                "Lists the last exchanges, what was injected into each, and where.",
                answers: "Journal"
            ) { [context] request throws(ControlProblem) in
                let after = try Self.number(request)
                let (entries, dropped) = context.journal?.entries ?? ([], 0)
                let shown = entries.filter { $0.number > after }.map(\.json)
                return .json(["entries": .array(shown), "dropped": .integer(dropped)])
            }.with { $0.query = [.init("after", "Only exchanges with higher numbers.")] },
            Self.operation("DELETE", "/journal", "clearJournal", "Removes all exchanges from the journal.") {
                [context] _ in
                context.journal?.clear()
                return .done
            },
        ]
    }

    private static func number(_ request: ControlRequest) throws(ControlProblem) -> Int {
        guard let text = request.query.first?.value else { return -1 }
        if let number = Int(text) { return number }
        throw ControlProblem.value("query", found: "\"\(text)\"", expected: "a number of an exchange")
    }

    // MARK: Rules

    private var rules: [ControlOperation] {
        [
            Self.operation(
                "GET",
                "/rules",
                "listRules",
                "Shows the rules with how many requests each has matched, and the states.",
                answers: "ShownRules"
            ) { [context] _ in .json(Self.shown(context.rules)) },
            Self.operation(
                "PUT",
                "/rules",
                "setRules",
                "Replaces the rules and the faults of their file; equal rules keep their progress.",
                takes: "Rules",
                answers: "ShownRules"
            ) { [context] request throws(ControlProblem) in
                let node = try request.json()
                do throws(YAMLProblems) {
                    context.use(try ProxyRuleFile.decode(node))
                } catch {
                    throw ControlProblem(error)
                }
                return .json(Self.shown(context.rules))
            },
            Self.operation("DELETE", "/rules", "removeRules", "Removes all rules and their faults.") {
                [context] _ in
                context.use(.empty)
                return .done
            },
        ]
    }

    private static func shown(_ rules: RuleTable) -> JSONValue {
        let counts = rules.requestCounts
        let list = zip(rules.file.rules, counts).map { rule, count -> JSONValue in
            ["label": .string(rule.route.label), "requests": .integer(count)]
        }
        let states = rules.states.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return ["rules": .array(list), "states": .object(states)]
    }

    // MARK: Faults and network

    private var faults: [ControlOperation] {
        [
            Self.operation(
                "GET",
                "/faults",
                "listFaults",
                "Shows the faults of all requests, and the last random decisions.",
                answers: "ShownFaults"
            ) { [context] _ in .json(Self.shown(context.injector)) },
            Self.operation(
                "PUT",
                "/faults",
                "setFaults",
                "Replaces the faults of all requests; without a seed the present one stays.",
                takes: "Faults",
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
                context.injector.use(plan)
                return .json(Self.shown(context.injector))
            },
            Self.operation("DELETE", "/faults", "removeFaults", "Removes the faults of all requests.") {
                [context] _ in
                var plan = context.injector.faults.plan
                plan.faults = []
                context.injector.use(plan)
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
            Self.operation("GET", "/network", "readNetwork", "Shows the network.", answers: "Network") {
                [context] _ in .json(Self.network(context.injector))
            },
            Self.operation(
                "PUT",
                "/network",
                "setNetwork",
                "Replaces the network.",
                takes: "Network",
                answers: "Network"
            ) { [context] request throws(ControlProblem) in
                let schedule = try request.read(NetworkKey.self) {
                    $0.required(.network, NetworkSchedule.reader)
                }
                context.injector.use(network: schedule)
                return .json(Self.network(context.injector))
            },
            Self.operation("DELETE", "/network", "removeNetwork", "Leaves only this machine's own network.") {
                [context] _ in
                context.injector.use(network: nil)
                return .done
            },
        ]
    }

    private static func network(_ injector: FaultInjector) -> JSONValue {
        ["network": injector.network.map { .string($0.description) } ?? .null]
    }

    // MARK: Moments

    private var moments: [ControlOperation] {
        [
            Self.operation(
                "POST",
                "/release",
                "release",
                "Releases the held responses of one rule or of all.",
                takes: "Release",
                answers: "Released"
            ) { [context] request throws(ControlProblem) in
                let label = try request.read(ReleaseKey.self) { $0.optional(.label, .text) }
                return .json(["released": .integer(context.injector.release(label: label))])
            },
            Self.operation(
                "POST",
                "/reset",
                "reset",
                "Restarts the rules' sequences and states, restores the faults and the network of the start, releases what is held, and clears the journal."
            ) { [context] _ in
                context.reset()
                return .done
            },
        ]
    }
}
