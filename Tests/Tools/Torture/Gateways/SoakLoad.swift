import Locks
import StoreModel
import TestSupport

/// The requests of a soak.
struct SoakLoad: Sendable {
    let gateway: GatewayAddress
    let origin: String
    /// Numbers the pages that are requested once.
    private let fresh = Lock(0)

    init(gateway: GatewayAddress, origin: String) {
        self.gateway = gateway
        self.origin = origin
    }

    /// A function for each client: most send whole requests; one reads slowly, one disconnects early, one gets broken
    /// responses.
    var clients: [@Sendable (PageClient, inout SplitMix) -> Void] {
        [mixed, mixed, mixed, slow, aborting, broken]
    }

    private var nextNumber: Int {
        fresh.withLock { number in
            number += 1
            return number
        }
    }

    private func mixed(_ client: PageClient, _ generator: inout SplitMix) {
        let number = Int.random(in: 0..<60, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<30: client.get(OriginPage(.kept, number), at: gateway)
        case 30..<50: client.get(OriginPage(.passing, nextNumber), at: gateway)
        case 50..<60: client.get(OriginPage(.validated, number), at: gateway)
        case 60..<68:
            client.get(OriginPage(.coded, number, variant: number % 2 == 0 ? "gzip" : ""), at: gateway)
        case 68..<76: client.get(OriginPage(.varied, number, variant: "l\(number % 3)"), at: gateway)
        case 76..<86:
            client.get(OriginPage(.kept, number), at: gateway, ["Range: bytes=\(number)-\(number + 99)"])
        case 86..<94: client.change(OriginPage(.kept, number), through: gateway)
        case 94..<98: purge(OriginPage(.coded, number), client)
        default: client.get(OriginPage(.validated, number), at: gateway, ["Cache-Control: no-cache"])
        }
        // A client whose connection ended with an error while the gateway runs has found a problem.
        if !client.tally.broken.isEmpty {
            client.report("broken off: \(client.tally.breakage ?? "the control API")")
        }
    }

    private func purge(_ page: OriginPage, _ client: PageClient) {
        client.purge([page], by: "url=\(origin)\(page.path)", at: gateway)
    }

    /// Simulates eight clients that read some KiB at a time of contents larger than buffers, and then disconnect.
    private func slow(_ client: PageClient, _ generator: inout SplitMix) {
        do {
            let page = OriginPage(.huge, Int.random(in: 0..<20, using: &generator))
            let readers = try (0..<8).map { _ in try RawClient(port: gateway.port) }
            for reader in readers {
                client.tally.requests += 1
                try reader.request("GET", page.path)
                _ = try reader.read(through: "\r\n\r\n")
            }
            let expected = page.piece(1)
            for offset in stride(from: 0, to: 1 << 16, by: 4096) {
                for reader in readers
                where try reader.read(count: 4096)[...] != expected[offset..<(offset + 4096)] {
                    return client.report("a slow reader of \(page.path) got other content")
                }
                delay(milliseconds: 20)
            }
        } catch {
            client.report("a slow reader: \(error)")
        }
    }

    private func aborting(_ client: PageClient, _ generator: inout SplitMix) {
        let isHuge = Int.random(in: 0..<4, using: &generator) == 0
        let number = Int.random(in: 0..<100, using: &generator)
        let page = isHuge ? OriginPage(.huge, number) : OriginPage(.passing, nextNumber)
        client.abort(page, at: gateway, after: Int.random(in: 0..<4_000, using: &generator))
        delay(milliseconds: 5)
    }

    /// Requests responses that the origin breaks off: none may be treated as complete.
    private func broken(_ client: PageClient, _ generator: inout SplitMix) {
        let page = OriginPage(.reset, Int.random(in: 0..<20, using: &generator))
        do {
            client.tally.requests += 1
            let reader = try RawClient(port: gateway.port)
            try reader.request("GET", page.path)
            if let response = try? reader.response(), response.status < 500 {
                client.report("\(page.path): a whole response, of content that was broken off")
            }
        } catch {
            client.report("\(page.path): \(error)")
        }
        delay(milliseconds: 5)
    }
}
