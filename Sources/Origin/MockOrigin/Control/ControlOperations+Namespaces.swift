import Clocks
import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var namespaceOperations: [ControlOperation] {
        [
            operation(
                .get("/namespaces"),
                "listNamespaces",
                "Lists the namespaces of runs.",
                answers: "ShownNamespaces"
            ) { _ in
                .json(["namespaces": .array(runs.runs.map { described($0) })])
            }.with { $0.access = .serverToken },
            operation(.post("/namespaces"), "openNamespace", Self.openSummary, answers: "ShownNamespace") {
                request throws(ControlProblem) in
                try open(request)
            }.with { ($0.access, $0.content, $0.status) = (.serverToken, .schema("Namespace"), 201) },
            operation(.delete("/namespaces/{name}"), "closeNamespace", "Ends a namespace.") {
                request throws(ControlProblem) in
                let name = request.parameter("name")
                guard runs.remove(name) else {
                    throw ControlProblem(status: 404, "There is no namespace \(YAMLNode.quoted(name)).")
                }
                return .done
            }.with { ($0.access, $0.status) = (.serverToken, 204) },
        ]
    }

    private static let openSummary =
        "Opens a namespace with its own routes, states, faults, journal, clock and token."

    private struct Opening {
        var name: String?
        var routes: [WrittenRoute]
        var states: [String: String]
        var faults: FaultPlan
        var network: NetworkSchedule?
        var lifetime: Duration
    }

    private func open(_ request: ControlRequest) throws(ControlProblem) -> ControlAnswer {
        let opening = try request.read(ControlKey.Namespace.self) { map in
            Opening(
                name: map.optional(.name, Self.name),
                routes: map[.routes].map { Self.routes(in: $0, taken: [], map.problems) } ?? [],
                states: map[.states].map { Self.states($0, map.problems) } ?? [:],
                faults: FaultPlan(
                    faults: InjectorOperations.faults(map[.faults], isWhole: false, map.problems),
                    seed: UInt64(map.optional(.seed, .integer(in: 0 ... .max)) ?? 0)
                ),
                network: map.optional(.network, NetworkSchedule.reader),
                lifetime: map.optional(.expiresAfter, Self.lifetime) ?? .seconds(3600)
            )
        }
        guard runs.runs.count < RunRegistry.maximumRuns else {
            throw ControlProblem(
                status: 429,
                "\(RunRegistry.maximumRuns) namespaces are open; end one of them."
            )
        }
        let name = opening.name ?? runs.freshName()
        guard handler.openRun(name, namespace(name, opening)) else {
            throw ControlProblem(status: 409, "A namespace \(YAMLNode.quoted(name)) already exists.")
        }
        let run = runs.add(name, lifetime: opening.lifetime)
        return .json(status: 201, described(run).adding(["token": .string(run.token.text)]))
    }

    private func namespace(_ name: String, _ opening: Opening) -> OriginNamespace {
        var site = Site(routes: opening.routes.map(\.route))
        for (route, node) in opening.routes { site.written[route.label] = node }
        var faults = opening.faults
        // Two runs with the same name make the same random decisions, regardless of what else the server does.
        faults.scope = name
        let injector = FaultInjector(
            faults,
            opening.network,
            clock: MovableClock(following: clock),
            maximumDecisions: FaultInjector.maximumServerDecisions
        )
        var setup = OriginNamespace.Setup(injector: injector, contents: handler.contents)
        (setup.base, setup.site, setup.journalSize) = ("/-/" + name, site, journalSize)
        let namespace = OriginNamespace(setup)
        namespace.begin(in: opening.states)
        return namespace
    }

    private func described(_ run: RunRegistry.Run) -> JSONValue {
        [
            "name": .string(run.name), "url": .string("\(url)/-/\(run.name)"),
            "base": .string("/-/\(run.name)"),
            "expires": .string(HTTPTimestamp(wallSeconds: runs.wallTimeOfExpiry(run)).text()),
        ]
    }

    private static var name: Reader<String> {
        .quotedText.when(
            { text in
                let isName = text.utf8.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                        || byte == 45
                        || byte == 95
                }
                return isName && (1...64).contains(text.utf8.count)
            },
            expected: "1 to 64 letters, digits, - and _"
        )
    }

    private static var lifetime: Reader<Duration> {
        .duration.when({ (.seconds(1) ... .seconds(86_400)).contains($0) }, expected: "1s to 24h")
    }
}
