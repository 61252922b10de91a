import Locks
import TestSupport

/// Clients that do not read large contents, while the origin is fast.
struct SlowReaders {
    /// The limit of the gateway's memory for one client: 512 KiB of buffers, and the needs of a connection.
    private static let share = 614 << 10
    let count: Int

    func run() throws {
        let origin = VersionedOrigin()
        defer { origin.stop() }
        let folder = try makeScratchFolder()
        var settings = GatewaySettings(folder: folder.path, origin: origin.url)
        // So that storable responses are stored.
        settings.diskBytes = 64 << 20
        guard let gateway = try GatewayProcess(settings) else {
            throw Failure(text: "a gateway does not start")
        }
        try warmUp(gateway.address, origin)
        let before = gateway.usage
        let readers = try (0..<count).map { number in
            let reader = try RawClient(port: gateway.address.port)
            try reader.request("GET", OriginPage(.huge, number).path)
            return reader
        }
        try waitUntilHeld(origin)
        let beside = gateway.usage
        try check(gateway.address, origin)
        for reader in readers { reader.close() }
        try printFigures(before, beside, gateway)
        try gateway.stop()
    }

    /// Threads and buffers that exist from the first request on are not counted.
    private func warmUp(_ gateway: GatewayAddress, _ origin: VersionedOrigin) throws {
        let client = PageClient(origin)
        for number in 0..<4 { client.get(OriginPage(.huge, count + number), at: gateway) }
        if let problem = client.tally.problem ?? client.tally.breakage { throw Failure(text: problem) }
    }

    /// Waits until nothing more is read from the origin.
    private func waitUntilHeld(_ origin: VersionedOrigin) throws(Failure) {
        var seen = -1
        for _ in 0..<60 {
            delay(milliseconds: 500)
            let sent = origin.sent.withLock { $0 }
            if sent == seen { return }
            seen = sent
        }
        throw Failure(text: "the gateway takes ever more for clients that read nothing")
    }

    /// Checks that a client that reads is answered meanwhile.
    private func check(_ gateway: GatewayAddress, _ origin: VersionedOrigin) throws(Failure) {
        let client = PageClient(origin)
        for number in 0..<20 { client.get(OriginPage(.kept, number), at: gateway) }
        if let problem = client.tally.problem { throw Failure(text: "beside slow readers: \(problem)") }
        guard client.tally.broken.isEmpty else {
            throw Failure(text: "beside slow readers: \(client.tally.breakage ?? "")")
        }
    }

    private func printFigures(
        _ before: ProcessUsage,
        _ beside: ProcessUsage,
        _ gateway: GatewayProcess
    ) throws(Failure) {
        let (grown, limit) = (beside.residentBytes - before.residentBytes, Self.share * count)
        let figures = "\(grown >> 10) KiB more for \(count) of them (at most \(limit >> 10))"
        guard grown <= limit else { throw Failure(text: "slow readers: \(figures)") }
        for _ in 0..<100 where gateway.usage.descriptors > before.descriptors + 8 { delay(milliseconds: 50) }
        let left = gateway.usage.descriptors - before.descriptors
        guard left <= 8 else { throw Failure(text: "slow readers: \(left) descriptors are left") }
        Report.row("slow readers: memory of the gateway", figures)
    }
}
