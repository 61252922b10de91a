import HTTPServing
import OriginScript

/// Which faults meet which request: counts requests, draws, and keeps what was drawn.
struct FaultDesk: Sendable {
    let plan: FaultPlan
    /// What was drawn, in the order it was drawn.
    private(set) var decisions: [FaultDecision] = []
    private let ofRequests: [Fault]
    private let ofConnections: [Fault]
    private var requests = 0
    private var connections = 0
    private var named: [String: Int] = [:]
    /// So many names are told apart; of more only the number of the request is left.
    private static let mostNames = 10_000

    init(_ plan: FaultPlan) {
        self.plan = plan
        ofRequests = plan.ofRequests
        ofConnections = plan.ofConnections
    }

    /// Whether requests or connections meet anything but the faults of their answers.
    var isIdle: Bool { ofRequests.isEmpty && ofConnections.isEmpty }

    /// Counts a request to a page and returns its number, from 1.
    mutating func count(_ page: String) -> Int {
        let page = named[page] == nil && named.count >= Self.mostNames ? "" : page
        named[page, default: 0] += 1
        return named[page] ?? 1
    }

    /// Returns what strikes a request and its answer; `number` is its number at the route, from 1.
    mutating func strikes(
        _ request: ServedRequest,
        path: String,
        route: String,
        number: Int,
        answer: Answer,
        elapsed: Duration
    ) -> [Fault] {
        requests += 1
        guard !answer.faults.isEmpty || !ofRequests.isEmpty else { return [] }
        let name = name(of: request, path: path, route: route)
        let wide = FaultMoment(number: requests, path: path, elapsed: elapsed, draw: draw(plan.scope, name))
        let own = FaultMoment(
            number: number,
            path: nil,
            elapsed: elapsed,
            draw: draw(plan.scope + " " + route, name)
        )
        return ofRequests.resolved(wide, log: &decisions).filter { !$0.event.isBeforeAnswer }
            + answer.faults.resolved(own, log: &decisions)
    }

    private func draw(_ scope: String, _ name: String) -> FaultDraw {
        FaultDraw(seed: plan.seed, scope: scope, request: name)
    }

    /// The label that the request brings, or its method, target and number among those that are alike.
    private mutating func name(of request: ServedRequest, path: String, route: String) -> String {
        if let label = request.fields.combined(FieldName.requestLabel) { return label }
        var name = "\(request.method) \(path)"
        if let query = TargetParts(request.target).query { name += "?\(query)" }
        if named[name] == nil, named.count >= Self.mostNames { name = route }
        named[name, default: 0] += 1
        return "\(name)#\(named[name] ?? 1)"
    }
}
