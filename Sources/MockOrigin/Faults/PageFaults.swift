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

    init(_ plan: FaultPlan, beginning: Duration) {
        let desk = FaultDesk(plan)
        isActive = !plan.faults.isEmpty
        harmsReading = desk.harmsReading
        harmsConnections = desk.harmsConnections
        self.desk = Lock(desk)
        self.beginning = beginning
    }

    /// What was drawn so far.
    var decisions: [FaultDecision] { desk.withLock { $0.decisions } }

    func strikes(_ request: ServedRequest, _ answer: Answer, _ now: Duration) -> [Fault] {
        guard isActive || !answer.faults.isEmpty else { return [] }
        let path = TargetParts(request.target).path
        return desk.withLock { desk in
            desk.strikes(
                name: desk.name(of: request, path: path, route: path),
                path: path,
                route: path,
                number: desk.count(path),
                answer: answer,
                elapsed: now - beginning
            )
        }
    }

    func greeting(clock: any TimeSource) -> RawReply? {
        guard harmsConnections else { return nil }
        let elapsed = clock.elapsed - beginning
        let faults = desk.withLock { $0.meetsConnection(elapsed: elapsed).faults }
        return ConnectionFaults.greeting(faults, hold: Hold(), clock: clock, observer: nil)
    }

    func reading(of request: ServedRequest, clock: any TimeSource) -> RequestReading? {
        guard harmsReading else { return nil }
        let elapsed = clock.elapsed - beginning
        let path = TargetParts(request.target).path
        let faults = desk.withLock { $0.meetsReading(request, path: path, elapsed: elapsed) }
        return ReadingFaults.reading(faults, of: request, hold: Hold(), clock: clock, observer: nil)
    }
}
