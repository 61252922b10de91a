import TestSupport

/// The counts and findings of a client.
struct Tally: Sendable {
    var requests = 0
    /// Requests answered from a store without contacting the origin.
    var hits = 0
    /// Invalidations and purges that were acknowledged.
    var changes = 0
    /// The gateways with a broken connection.
    var broken: Set<Int> = []
    /// A description of the first broken connection.
    var breakage: String?
    /// The first problem.
    var problem: String?

    static func += (sum: inout Tally, more: Tally) {
        sum.requests += more.requests
        sum.hits += more.hits
        sum.changes += more.changes
        sum.broken.formUnion(more.broken)
        sum.breakage = sum.breakage ?? more.breakage
        sum.problem = sum.problem ?? more.problem
    }
}

/// Sends requests one after the other through gateways, and checks the responses.
final class PageClient {
    var tally = Tally()
    private let origin: VersionedOrigin
    private var connections: [Int: RawClient] = [:]

    init(_ origin: VersionedOrigin) { self.origin = origin }

    /// Requests a page; returns `nil` if the connection broke.
    @discardableResult
    func get(_ page: OriginPage, at gateway: GatewayAddress, _ lines: [String] = []) -> RawResponse? {
        var lines = lines
        if let field = page.varyingField, !page.variant.isEmpty { lines.append("\(field): \(page.variant)") }
        let oldest = origin.ledger.oldest(of: page.path)
        guard let response = send("GET", page.path, lines, to: gateway) else { return nil }
        if response["Cache-Status"]?.contains("; hit") == true { tally.hits += 1 }
        let expectation = PageExpectation(
            page: page,
            versions: oldest...max(oldest, origin.ledger.newest(of: page.path)),
            mayBeAbsent: lines.contains("Cache-Control: only-if-cached")
        )
        if let problem = expectation.problem(of: response) {
            let request = (["GET \(page.path) at gateway \(gateway.number)"] + lines).joined(separator: ", ")
            report("\(request): \(problem); Cache-Status: \(response["Cache-Status"] ?? "none")")
        }
        return response
    }

    /// Makes the origin change a page by a request that invalidates its stored responses.
    func change(_ page: OriginPage, through gateway: GatewayAddress) {
        guard let response = send("POST", page.path, [], to: gateway) else { return }
        guard response.status == 200, let version = response["X-Version"].flatMap({ Int($0) }) else {
            return report("POST \(page.path): status \(response.status)")
        }
        origin.ledger.acknowledge(page.path, version)
        tally.changes += 1
    }

    /// Changes pages at the origin, and makes a gateway purge their stored responses.
    func purge(_ pages: [OriginPage], by query: String, at gateway: GatewayAddress) {
        let versions = Set(pages.map(\.path)).map { ($0, origin.ledger.advance($0)) }
        tally.requests += 1
        guard let response = gateway.control("POST", "/purge?" + query) else {
            tally.broken.insert(gateway.number)
            return
        }
        guard response.status == 200 else { return report("purge \(query): status \(response.status)") }
        for (path, version) in versions { origin.ledger.acknowledge(path, version) }
        tally.changes += 1
    }

    /// Sends a request and disconnects after a number of bytes of the response.
    func abort(_ page: OriginPage, at gateway: GatewayAddress, after count: Int) {
        tally.requests += 1
        do {
            let client = try RawClient(port: gateway.port)
            try client.request("GET", page.path)
            _ = try client.read(count: count)
        } catch {
            report("\(page.path), the first \(count) bytes: \(error)")
        }
    }

    func report(_ problem: String) { tally.problem = tally.problem ?? problem }

    private func send(
        _ method: String,
        _ target: String,
        _ lines: [String],
        to gateway: GatewayAddress
    ) -> RawResponse? {
        do {
            let client = try connections[gateway.number] ?? RawClient(port: gateway.port)
            connections[gateway.number] = client
            tally.requests += 1
            try client.request(method, target, lines)
            let response = try client.response()
            if response["Connection"]?.contains("close") == true { connections[gateway.number] = nil }
            return response
        } catch {
            connections[gateway.number] = nil
            tally.broken.insert(gateway.number)
            tally.breakage = tally.breakage ?? "\(method) \(target): \(error)"
            return nil
        }
    }
}
