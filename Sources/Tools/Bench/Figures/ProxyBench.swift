import CLibrary

/// `proxy`: messages that pass the fault proxy unchanged, beside nginx with the same origin behind it.
enum ProxyBench {
    private static let connections = 64
    private static let largeBytes = 1 << 30

    static func run(_ options: Options, _ report: (Figure) -> Void) throws(Failure) {
        let folder = try Scratch()
        defer { folder.remove() }
        _ = try folder.write("small.txt", String(repeating: "a", count: 1023))
        guard Processes.run("truncate", ["-s", "\(largeBytes)", "\(folder.path)/large.bin"]) == 0 else {
            throw Failure(status: 69, text: "large.bin cannot be made")
        }
        chmod(folder.path, 0o755)
        let (origin, nginx) = try GatewayPeer.nginxPassing(folder, files: folder.path)
        defer { for peer in [origin, nginx] { peer.end() } }
        try Processes.awaitListener(port: origin.port)
        try Processes.awaitListener(port: nginx.port)
        if options.wants("proxy-pass") { try pass(options, origin, nginx).forEach(report) }
        if options.wants("proxy-large") { try large(options, origin, nginx).forEach(report) }
        if options.wants("proxy-idle") { report(try idle(options, origin)) }
    }

    private static func started(_ options: Options, _ origin: GatewayPeer) throws(Failure) -> GatewayPeer {
        let proxy = try GatewayPeer.proxy("proxy-pass", options, origin.port)
        try Processes.awaitListener(port: proxy.port)
        return proxy
    }

    // MARK: Small responses

    private static func pass(
        _ options: Options,
        _ origin: GatewayPeer,
        _ nginx: GatewayPeer
    ) throws(Failure) -> [Figure] {
        let peers = [try started(options, origin), nginx]
        defer { peers[0].end() }
        var loads: [[WebLoad]] = [[], []]
        for peer in peers { _ = try WebLoad(peer, "/small.txt", connections: connections, seconds: 1) }
        for _ in 0..<5 {
            for index in peers.indices {
                loads[index].append(
                    try WebLoad(peers[index], "/small.txt", connections: connections, seconds: 3)
                )
            }
        }
        return figures(ofPassing: loads, peers)
    }

    private static func figures(ofPassing loads: [[WebLoad]], _ peers: [GatewayPeer]) -> [Figure] {
        let costs = loads.map { $0.map(\.microsecondsPerRequest).median }
        var figures = peers.indices.map { index in
            let rate = Figure.text(loads[index].map(\.requestsPerSecond).median)
            let note = "a request of 1 KiB, \(rate) req/s"
            return Figure(Measure(peers[index].name, "µs cpu"), costs[index], note: note)
        }
        figures[0].ratio = costs[0] / costs[1]
        (figures[0].against, figures[0].goal) = ("nginx-pass", .atMost(1.5))
        return figures
    }

    // MARK: A large response

    private static func large(
        _ options: Options,
        _ origin: GatewayPeer,
        _ nginx: GatewayPeer
    ) throws(Failure) -> [Figure] {
        let proxy = try started(options, origin)
        defer { proxy.end() }
        _ = try seconds(of: proxy, "/small.txt")
        let before = Machine.residentMiB(of: proxy.process)
        var times: [[Double]] = [[], []]
        for _ in 0..<3 {
            times[0].append(try seconds(of: proxy, "/large.bin"))
            times[1].append(try seconds(of: nginx, "/large.bin"))
        }
        let grown = Machine.residentMiB(of: proxy.process) - before
        return figures(ofLarge: times.map { 1024 / $0.median }, grown: grown)
    }

    private static func figures(ofLarge rates: [Double], grown: Double) -> [Figure] {
        let note = "1 GiB on one connection; nginx \(Figure.text(rates[1]))"
        return [
            Figure(.proxyLarge, rates[0], ratio: rates[0] / rates[1], note: note),
            Figure(.proxyLargeMemory, grown, note: "grown by three such responses"),
        ]
    }

    private static func seconds(of peer: GatewayPeer, _ path: String) throws(Failure) -> Double {
        let output = "/tmp/cachecheck-bench-curl.txt"
        let url = "http://127.0.0.1:\(peer.port)\(path)"
        let status = Processes.run(
            "curl",
            ["-s", "-o", "/dev/null", "-w", "%{time_total}", url],
            output: output
        )
        guard status == 0, let time = Machine.lines(of: output).first.flatMap({ Double($0) }) else {
            throw Failure(status: 69, text: "\(peer.name): curl got no answer")
        }
        return time
    }

    // MARK: Idle connections

    private static func idle(_ options: Options, _ origin: GatewayPeer) throws(Failure) -> Figure {
        // The proxy has two descriptors for each connection, and a few more.
        let count = min(10_000, (Processes.raiseDescriptorLimit() - 100) / 2)
        let proxy = try started(options, origin)
        defer { proxy.end() }
        let connections = try ConnectionGroup(of: count, to: proxy.port) { connection throws(Failure) in
            try connection.get("/small.txt", count: 1024)
        }
        defer { connections.end() }
        let measure = Measure("proxy-idle", "MiB", .atMost(100 * Double(count) / 10_000))
        let note = "\(count) connections that have asked once, each with its own to the upstream"
        return Figure(measure, Machine.residentMiB(of: proxy.process), note: note)
    }
}
