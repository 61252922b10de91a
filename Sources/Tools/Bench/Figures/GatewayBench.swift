import CLibrary

/// `gateway`: hits of 1 KiB on 64 connections, compared with nginx and Varnish in front of the same origin.
enum GatewayBench {
    private struct Peer {
        let gateway: GatewayPeer
        var loads: [WebLoad] = []

        var name: String { gateway.name }
        var rate: Double { loads.map(\.requestsPerSecond).median }
        var cost: Double { loads.map(\.microsecondsPerRequest).median }
    }
    private static let connections = 64
    private static let page = "/get?size=1KiB&framing=length&cache-control=max-age%3D3600"

    static func run(_ options: Options) throws -> [Figure] {
        let folder = try Scratch()
        defer { folder.remove() }
        let (served, origin) = try Processes.serve(options)
        defer { Processes.end(served) }
        var peers = [
            Peer(gateway: try .own("gateway-hit", options, origin: "http://127.0.0.1:\(origin)")),
            Peer(gateway: try .nginx("nginx-hit", folder, origin)),
            Peer(gateway: try .varnish("varnish-hit", folder, origin)),
        ]
        defer { for peer in peers { peer.gateway.end() } }
        for peer in peers {
            try Processes.awaitListener(port: peer.gateway.port)
            _ = try WebLoad(peer.gateway, page, connections: connections, seconds: 1)
        }
        let before = Machine.residentBytes(of: peers[0].gateway.process)
        for _ in 0..<5 {
            for index in peers.indices {
                let load = try WebLoad(peers[index].gateway, page, connections: connections, seconds: 3)
                peers[index].loads.append(load)
            }
        }
        let grown =
            Double(max(0, Machine.residentBytes(of: peers[0].gateway.process) - before)) / Double(connections)
        return figures(peers, grown: grown)
    }

    private static func figures(_ peers: [Peer], grown: Double) -> [Figure] {
        let ours = peers[0]
        let best = peers.dropFirst().max { $0.rate < $1.rate }
        var figures = peers.map { peer in
            Figure(Measure(peer.name, "req/s"), peer.rate, note: "\(Figure.text(peer.cost)) µs cpu a request")
        }
        if let best {
            figures[0].ratio = ours.rate / best.rate
            figures[0].against = best.name
            figures[0].goal = .atLeast(1)
        }
        return figures + [Figure(.gatewayHitMemory, grown, note: "grown in five rounds, a connection")]
    }
}
