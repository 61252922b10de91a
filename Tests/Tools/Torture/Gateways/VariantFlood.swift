import TestSupport

/// A URL whose response differs with each value of a field of the request.
struct VariantFlood {
    /// The number of variants of a URL that are kept.
    private static let limit = 64
    let count: Int

    func run() throws {
        let origin = VersionedOrigin()
        defer { origin.stop() }
        let folder = try makeScratchFolder()
        var settings = GatewaySettings(folder: folder.path, origin: origin.url)
        // So that variants are not evicted for lack of space.
        (settings.diskBytes, settings.memoryBytes) = (256 << 20, 64 << 20)
        guard let gateway = try GatewayProcess(settings) else {
            throw Failure(text: "a gateway does not start")
        }
        let before = gateway.usage.residentBytes
        let client = PageClient(origin)
        for number in 0..<count {
            client.get(OriginPage(.flood, 1, variant: "v\(number)"), at: gateway.address)
            if let problem = client.tally.problem { throw Failure(text: "variants: \(problem)") }
        }
        let hits = try newestHits(client, gateway.address)
        let stored = try gateway.address.metric("stored_responses")
        let grown = (gateway.usage.residentBytes - before) >> 10
        let figures = "\(stored) of \(count) are stored (at most \(Self.limit)), \(grown) KiB more"
        guard (hits...Self.limit).contains(stored) else { throw Failure(text: "variants: \(figures)") }
        Report.row("variants: stored after a flood", figures)
        try gateway.stop()
    }

    /// Requests the most recent variants, which must be stored.
    private func newestHits(_ client: PageClient, _ gateway: GatewayAddress) throws(Failure) -> Int {
        let newest = max(0, count - Self.limit / 2)..<count
        for number in newest {
            let page = OriginPage(.flood, 1, variant: "v\(number)")
            client.get(page, at: gateway, ["Cache-Control: only-if-cached"])
        }
        guard client.tally.problem == nil, client.tally.broken.isEmpty, client.tally.hits == newest.count
        else {
            throw Failure(text: "variants: of \(newest.count) newest, \(client.tally.hits) are found")
        }
        return newest.count
    }
}
