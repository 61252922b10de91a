import Clocks
import ControlServing
import JSON
import LocatedYAML
import OriginScript

/// The operations of the control API.
struct ControlOperations: Sendable {
    let handler: OriginHandler
    let runs: RunRegistry
    let clock: any TimeSource
    let url: String
    let journalSize: Int

    var operations: [ControlOperation] {
        ControlPage.operations + routeOperations + pageOperations + stateOperations
            + InjectorOperations { request throws(ControlProblem) in try namespace(request) }.all
            + clockOperations + journalOperations + namespaceOperations
    }

    private var clockOperations: [ControlOperation] {
        ClockOperations(
            fixed: "The server's clock was supplied by its program and cannot be controlled here."
        ) { request throws(ControlProblem) in
            let namespace = try namespace(request)
            return .init(namespace.clock) { namespace.publish("clock", $0) }
        }.all
    }

    /// Returns the subject of a request: the whole server, or the run of its token.
    func namespace(_ request: ControlRequest) throws(ControlProblem) -> OriginNamespace {
        guard let name = request.caller else { return handler.site }
        guard let namespace = handler.run(name) else {
            throw ControlProblem(status: 410, "The namespace \(name) has ended.")
        }
        return namespace
    }
}

/// The keys of small request objects.
enum ControlKey {
    enum Namespace: String, MapKey {
        case name, routes, states, faults, seed, network
        case expiresAfter = "expires-after"
        static let mapName = "a namespace"
    }
}
