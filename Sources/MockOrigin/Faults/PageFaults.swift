import Clocks
import HTTPServing
import Locks
import OriginScript

/// What goes wrong with the pages outside namespaces.
final class PageFaults: Sendable {
    /// Whether the plan has any fault, so that nothing may be answered by libmicrohttpd itself.
    let isActive: Bool
    let harmsReading: Bool
    private let harmsConnections: Bool
    private let desk: Lock<FaultDesk>
    private let beginning: Duration
    private let link: NetworkLink?
    private let onDecision: (@Sendable (FaultDecision) -> Void)?

    init(_ configuration: MockServer.Configuration, clock: any TimeSource) {
        let plan = configuration.faults
        let desk = FaultDesk(plan)
        isActive = !plan.faults.isEmpty || configuration.network != nil
        harmsReading = desk.harmsReading || configuration.network != nil
        beginning = clock.elapsed
        onDecision = configuration.onDecision
        link = configuration.network.map {
            NetworkLink($0, clock: clock, seed: plan.seed, scope: plan.scope)
        }
        harmsConnections = desk.harmsConnections
        self.desk = Lock(desk)
    }

    /// Returns the reply as the network lets it through.
    func shaped(_ reply: RawReply, to request: ServedRequest) -> RawReply {
        guard let link else { return reply }
        link.wasRead(request)
        let name = "\(request.method) \(request.target) \(request.connection) \(request.requestsBefore)"
        return link.shaped(reply, to: request, name: name)
    }

    /// Looks at the desk and tells what was drawn meanwhile.
    private func consult<Result>(_ body: (inout FaultDesk) -> Result) -> Result {
        let (result, drawn) = desk.withLock { desk in
            let result = body(&desk)
            return (result, desk.takeDecisions())
        }
        if let onDecision { drawn.forEach(onDecision) }
        return result
    }

    func strikes(
        _ request: ServedRequest,
        _ answer: Answer,
        _ found: SiteHost.Found?,
        _ now: Duration
    ) -> [Fault] {
        guard isActive || !answer.faults.isEmpty else { return [] }
        let path = TargetParts(request.target).path
        return consult { desk in
            desk.strikes(
                name: desk.name(of: request, path: path, route: path),
                path: path,
                route: found?.label ?? path,
                number: found?.count ?? desk.count(path),
                answer: answer,
                elapsed: now - beginning
            )
        }
    }

    func greeting(isTLS: Bool, clock: any TimeSource) -> Greeting {
        guard harmsConnections else { return Greeting() }
        let elapsed = clock.elapsed - beginning
        let faults = consult { $0.meetsConnection(elapsed: elapsed).faults }
        return ConnectionFaults.greeting(faults, isTLS: isTLS, hold: Hold(), clock: clock, observer: nil)
    }

    func reading(of request: ServedRequest, clock: any TimeSource) -> RequestReading? {
        guard harmsReading else { return nil }
        let elapsed = clock.elapsed - beginning
        let path = TargetParts(request.target).path
        let faults = consult { $0.meetsReading(request, path: path, elapsed: elapsed) }
        if faults.isEmpty, let link { return link.reading(of: request, name: path, observer: nil) }
        return ReadingFaults.reading(faults, of: request, hold: Hold(), clock: clock, observer: nil)
    }
}
