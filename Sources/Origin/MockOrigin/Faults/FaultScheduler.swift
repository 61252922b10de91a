import HTTPServing
import OriginScript

/// Decides which faults affect which connection and request, and keeps the decisions.
struct FaultScheduler: Sendable {
    let plan: FaultPlan
    /// The decisions in the order in which they were made.
    private(set) var decisions: [FaultDecision] = []
    private let ofRequests: [Fault]
    private let ofConnections: [Fault]
    private var requests = 0
    private var connections = 0
    private var read = 0
    private var named: [String: Int] = [:]
    /// The number of names that are counted separately; further requests share one name.
    private static let maximumNames = 10_000

    init(_ plan: FaultPlan) {
        self.plan = plan
        ofRequests = plan.ofRequests
        ofConnections = plan.ofConnections
    }

    /// Returns the decisions since the last call and removes them: a server may run for days.
    mutating func takeDecisions() -> [FaultDecision] {
        defer { decisions = [] }
        return decisions
    }

    /// Counts a request to a page and returns its number, from 1.
    private mutating func count(_ page: String) -> Int {
        let page = named[page] == nil && named.count >= Self.maximumNames ? "" : page
        named[page, default: 0] += 1
        return named[page] ?? 1
    }

    /// Whether there are faults of connections.
    var harmsConnections: Bool { !ofConnections.isEmpty }

    /// Counts a connection and returns its faults.
    mutating func connectionFaults(elapsed: Duration) -> (number: Int, faults: [Fault]) {
        connections += 1
        let draw = draw(plan.scope, "connection#\(connections)")
        let moment = FaultMoment(number: connections, path: nil, elapsed: elapsed, draw: draw)
        return (connections, ofConnections.resolved(moment, log: &decisions))
    }

    /// Returns the faults of reading a request, before it is counted.
    mutating func readingFaults(_ request: ServedRequest, path: String, elapsed: Duration) -> [Fault] {
        read += 1
        let name = request.fields.combined(FieldName.requestLabel) ?? "\(request.method) \(path) read#\(read)"
        let moment = FaultMoment(number: read, path: path, elapsed: elapsed, draw: draw(plan.scope, name))
        return ofRequests.filter { $0.event == .requestBody }.resolved(moment, log: &decisions)
    }

    /// Returns the faults of a response; `name` is the result of `name(of:)`.
    mutating func responseFaults(
        of target: FaultInjector.Target,
        name: String,
        elapsed: Duration
    ) -> [Fault] {
        let (answer, path) = (target.answer, target.path)
        let number = target.number ?? count(path)
        requests += 1
        guard !answer.faults.isEmpty || !ofRequests.isEmpty else { return [] }
        let wide = FaultMoment(number: requests, path: path, elapsed: elapsed, draw: draw(plan.scope, name))
        let own = FaultMoment(
            number: number,
            path: nil,
            elapsed: elapsed,
            draw: draw(plan.scope + " " + target.label, name)
        )
        return ofRequests.filter { !$0.event.isBeforeAnswer }.resolved(wide, log: &decisions)
            + answer.faults.resolved(own, log: &decisions)
    }

    /// Notes a decision that the caller has made.
    mutating func note(_ decision: FaultDecision) { decisions.append(decision) }

    /// Returns which faults happen at a moment that the caller has counted and named.
    mutating func resolved(_ faults: [Fault], _ moment: FaultMoment) -> [Fault] {
        faults.resolved(moment, log: &decisions)
    }

    private func draw(_ scope: String, _ name: String) -> FaultDraw {
        FaultDraw(seed: plan.seed, scope: scope, request: name)
    }

    /// Returns the label of a request, or its method, target, a digest of the rest and its number among requests that are
    /// equal in all of these, so that the order of arrival of different requests makes no difference.
    mutating func name(of target: FaultInjector.Target) -> String {
        let request = target.request
        if let label = request.fields.combined(FieldName.requestLabel) { return label }
        var name = "\(request.method) \(target.path)"
        if let query = TargetParts(request.target).query { name += "?\(query)" }
        name += " " + Self.digest(request)
        if named[name] == nil, named.count >= Self.maximumNames { name = target.label }
        named[name, default: 0] += 1
        return "\(name)#\(named[name] ?? 1)"
    }

    /// Returns a digest of fields and content, without `Host`, whose port differs in every run.
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
