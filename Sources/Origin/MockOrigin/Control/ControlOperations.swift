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
        ControlPage.operations + routeOperations + pageOperations + stateOperations + faultOperations
            + networkOperations
            + clockOperations
            + journalOperations + namespaceOperations
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
    enum Release: String, MapKey {
        case label
        static let mapName = "a release"
    }
    enum Faults: String, MapKey {
        case faults, seed
        static let mapName = "a fault plan"
    }
    enum Network: String, MapKey {
        case network
        static let mapName = "a network setting"
    }
    enum Advance: String, MapKey {
        case by
        static let mapName = "a move of the clock"
    }
    enum Clock: String, MapKey {
        case running
        static let mapName = "a setting of the clock"
    }
    enum Namespace: String, MapKey {
        case name, routes, states, faults, seed, network
        case expiresAfter = "expires-after"
        static let mapName = "a namespace"
    }
}
