import StoreModel

/// Kills gateways under load: at random times, and during a call that changes their folder.
struct GatewayKills {
    let gateways: Int
    private let seed: UInt64
    private var generator: SplitMix
    private var total = Tally()
    /// The number of kills during a call, and of entries found after kills.
    private var (inCalls, found) = (0, 0)
    private var largest = 0

    init(gateways: Int, seed: UInt64) {
        self.gateways = max(gateways, 1)
        self.seed = seed
        generator = SplitMix(seed: seed)
    }

    mutating func run(_ count: Int) throws {
        let origin = VersionedOrigin()
        defer { origin.stop() }
        var kills = 0
        while kills < count {
            let folder = try GatewayFolder(gateways: gateways, origin)
            for _ in 0..<min(25, count - kills) {
                kills += 1
                do throws(Failure) {
                    try kill(in: folder)
                } catch {
                    throw Failure(text: "kill \(kills) of \(count), seed \(seed): \(error.text)")
                }
            }
            try folder.inspectAlone()
            largest = max(largest, folder.largest)
        }
        guard count < 10 || found > 0 else { throw Failure(text: "nothing was stored after any kill") }
        Report.row(
            "gateway: kills of \(gateways) on a folder",
            """
            \(kills) kills, \(inCalls) in a call; \(total.requests) requests, \(total.changes) invalidations and \
            purges, \(found) stored responses checked after kills, folder at most \(largest >> 10) KiB
            """
        )
    }

    private mutating func kill(in folder: GatewayFolder) throws(Failure) {
        try folder.startMissing()
        let victim = Int.random(in: 0..<gateways, using: &generator)
        if Bool.random(using: &generator) {
            try killInCall(victim, folder)
        } else {
            try load(folder, victim) { folder, generator throws(Failure) in
                delay(milliseconds: Int.random(in: 1...60, using: &generator))
                try folder.gateways[victim]?.kill()
            }
        }
        try folder.startMissing()
        let tally = try folder.inspect()
        found += tally.hits
        total += tally
    }

    /// Restarts a gateway that ends during one of its calls.
    private mutating func killInCall(_ victim: Int, _ folder: GatewayFolder) throws(Failure) {
        try folder.gateways[victim]?.stop()
        let interposer = try Interposer()
        let call = String(Int.random(in: 1...80, using: &generator))
        let environment = interposer.environment(folder: folder.path, ["TORTURE_KILL_AT": call])
        if try folder.start(victim, environment) {
            try load(folder, victim) { folder, _ throws(Failure) in
                _ = folder.gateways[victim]?.ends(within: 3000)
                try folder.gateways[victim]?.kill()
            }
        }
        if interposer.hasActed { inCalls += 1 }
    }

    /// Sends requests while `body` kills a gateway.
    private mutating func load(
        _ folder: GatewayFolder,
        _ victim: Int,
        _ kill: (GatewayFolder, inout SplitMix) throws(Failure) -> Void
    ) throws(Failure) {
        let requests = PageRequests(gateways: folder.addresses, origin: folder.origin.url)
        let send: @Sendable (PageClient, inout SplitMix) -> Void = { requests.send($0, &$1) }
        let threads = LoadThreads(folder.origin, seed: generator.next(), [send, send, send])
        let outcome = Result { () throws(Failure) in try kill(folder, &generator) }
        let tally = threads.end()
        try outcome.get()
        total += tally
        if let problem = tally.problem { throw Failure(text: problem) }
        guard tally.broken.isSubset(of: [victim]) else {
            throw Failure(
                text: "a gateway that was not killed broke off: \(tally.breakage ?? "the control API")"
            )
        }
    }
}
