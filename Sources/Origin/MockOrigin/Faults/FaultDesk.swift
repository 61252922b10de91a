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
    private var read = 0
    private var named: [String: Int] = [:]
    /// So many names are told apart; of more only the number of the request is left.
    private static let mostNames = 10_000

    init(_ plan: FaultPlan) {
        self.plan = plan
        ofRequests = plan.ofRequests
        ofConnections = plan.ofConnections
    }

    /// Returns what was drawn since the last call, and forgets it: a server for people runs for days.
    mutating func takeDecisions() -> [FaultDecision] {
        defer { decisions = [] }
        return decisions
    }

    /// Counts a request to a page and returns its number, from 1.
    mutating func count(_ page: String) -> Int {
        let page = named[page] == nil && named.count >= Self.mostNames ? "" : page
        named[page, default: 0] += 1
        return named[page] ?? 1
    }

    /// Whether anything can happen before a request is read.
    var harmsConnections: Bool { !ofConnections.isEmpty }

    /// Whether anything can happen while a request is read.
    var harmsReading: Bool { ofRequests.contains { $0.event == .requestBody } }

    /// Counts a connection and returns what strikes it.
    mutating func meetsConnection(elapsed: Duration) -> (number: Int, faults: [Fault]) {
        connections += 1
        let draw = draw(plan.scope, "connection#\(connections)")
        let moment = FaultMoment(number: connections, path: nil, elapsed: elapsed, draw: draw)
        return (connections, ofConnections.resolved(moment, log: &decisions))
    }

    /// Returns what strikes a request while it is read, before it is counted.
    mutating func meetsReading(_ request: ServedRequest, path: String, elapsed: Duration) -> [Fault] {
        read += 1
        let name = request.fields.combined(FieldName.requestLabel) ?? "\(request.method) \(path) read#\(read)"
        let moment = FaultMoment(number: read, path: path, elapsed: elapsed, draw: draw(plan.scope, name))
        return ofRequests.filter { $0.event == .requestBody }.resolved(moment, log: &decisions)
    }

    /// Returns what strikes a request and its answer; `number` is its number at the route, from 1, `name` what
    /// `name(of:)` has told.
    mutating func strikes(
        name: String,
        path: String,
        route: String,
        number: Int,
        answer: Answer,
        elapsed: Duration
    ) -> [Fault] {
        requests += 1
        guard !answer.faults.isEmpty || !ofRequests.isEmpty else { return [] }
        let wide = FaultMoment(number: requests, path: path, elapsed: elapsed, draw: draw(plan.scope, name))
        let own = FaultMoment(
            number: number,
            path: nil,
            elapsed: elapsed,
            draw: draw(plan.scope + " " + route, name)
        )
        return ofRequests.filter { !$0.event.isBeforeAnswer }.resolved(wide, log: &decisions)
            + answer.faults.resolved(own, log: &decisions)
    }

    private func draw(_ scope: String, _ name: String) -> FaultDraw {
        FaultDraw(seed: plan.seed, scope: scope, request: name)
    }

    /// The label that the request brings, or its method, target, a digest of the rest and its number among those that
    /// are alike in all of that: which of them arrives first then makes no difference.
    mutating func name(of request: ServedRequest, path: String, route: String) -> String {
        if let label = request.fields.combined(FieldName.requestLabel) { return label }
        var name = "\(request.method) \(path)"
        if let query = TargetParts(request.target).query { name += "?\(query)" }
        name += " " + Self.digest(request)
        if named[name] == nil, named.count >= Self.mostNames { name = route }
        named[name, default: 0] += 1
        return "\(name)#\(named[name] ?? 1)"
    }

    /// Six digits for fields and content; the port in `Host` is another in every run.
    private static func digest(_ request: ServedRequest) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        for field in request.fields where !field.name.isSameFieldName(as: FieldName.host) {
            take(field.name.utf8)
            take(field.value.utf8)
            take(CollectionOfOne(0x0A))
        }
        take(request.body)
        return String(String(hash, radix: 36).suffix(6))
    }
}
