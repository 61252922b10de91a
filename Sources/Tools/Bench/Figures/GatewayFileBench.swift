import CLibrary

/// `gateway-file-hit`: hits of 1 MiB in a file of the cache folder that was never in memory, compared with nginx.
enum GatewayFileBench {
    private static let size = 1 << 20
    private static let paths = (0..<8).map {
        "/get?size=1MiB&framing=length&cache-control=max-age%3D3600&number=\($0)"
    }
    private static let turns = 5
    private static let hitsPerTurn = 1_000

    static func run(_ options: Options) throws(Failure) -> Figure {
        let folder = try Scratch()
        defer { folder.remove() }
        let (served, origin) = try Processes.serve(options)
        defer { Processes.end(served) }
        let ours = try filled(options, folder, origin)
        defer { ours.end() }
        let nginx = try GatewayPeer.nginx("nginx", folder, origin)
        defer { nginx.end() }
        for peer in [ours, nginx] { _ = try turn(peer, hits: paths.count) }
        var costs: [[Double]] = [[], []]
        for _ in 0..<turns {
            for (index, peer) in [ours, nginx].enumerated() {
                costs[index].append(try turn(peer, hits: hitsPerTurn))
            }
        }
        return figure(of: costs)
    }

    private static func figure(of costs: [[Double]]) -> Figure {
        let (ours, nginx) = (costs[0].median, costs[1].median)
        let reference = "nginx \(Figure.text(nginx)) µs cpu"
        let measure = Measure("gateway-file-hit", "µs cpu", .atMost(1.1), against: reference)
        return Figure(measure, ours, ratio: ours / nginx, note: "1 MiB, on disk only")
    }

    /// Returns a gateway whose folder another gateway has filled.
    private static func filled(
        _ options: Options,
        _ folder: Scratch,
        _ origin: UInt16
    ) throws(Failure) -> GatewayPeer {
        let arguments = ["--cache-dir", "\(folder.path)/ours"]
        let url = "http://127.0.0.1:\(origin)"
        do {
            let filling = try GatewayPeer.own("filling", options, origin: url, arguments)
            defer { filling.end() }
            _ = try turn(filling, hits: paths.count)
        }
        return try GatewayPeer.own("gateway", options, origin: url, arguments)
    }

    /// Sends requests on one connection; returns the microseconds of processor time of each.
    private static func turn(_ peer: GatewayPeer, hits: Int) throws(Failure) -> Double {
        try Processes.awaitListener(port: peer.port)
        let connection = try GetConnection(to: peer.port)
        defer { connection.end() }
        let before = Machine.processorMicroseconds(ofTree: peer.process)
        for number in 0..<hits { try connection.get(paths[number % paths.count], count: size) }
        return (Machine.processorMicroseconds(ofTree: peer.process) - before) / Double(hits)
    }
}
