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
        var costs: [[Double]] = [[], []]
        var rates: [[Double]] = [[], []]
        for peer in peers { _ = try WebLoad(peer, "/small.txt", connections: connections, seconds: 1) }
        for _ in 0..<5 {
            for place in peers.indices {
                let load = try WebLoad(peers[place], "/small.txt", connections: connections, seconds: 3)
                costs[place].append(load.microsecondsPerRequest)
                rates[place].append(load.requestsPerSecond)
            }
        }
        var figures = peers.indices.map { place in
            Figure(
                name: peers[place].name,
                value: costs[place].median,
                unit: "µs cpu",
                note: "a request of 1 KiB, \(Figure.text(rates[place].median)) req/s"
            )
        }
        figures[0].ratio = costs[0].median / costs[1].median
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
        let before = Machine.residentBytes(of: proxy.process)
        var times: [[Double]] = [[], []]
        for _ in 0..<3 {
            times[0].append(try seconds(of: proxy, "/large.bin"))
            times[1].append(try seconds(of: nginx, "/large.bin"))
        }
        let grown = Double(Machine.residentBytes(of: proxy.process) - before) / Double(1 << 20)
        let rates = times.map { 1024 / $0.median }
        return [
            Figure(
                name: "proxy-large",
                value: rates[0],
                unit: "MiB/s",
                ratio: rates[0] / rates[1],
                against: "nginx-pass",
                goal: .atLeast(0.7),
                note: "1 GiB on one connection; nginx \(Figure.text(rates[1]))"
            ),
            Figure(
                name: "proxy-large-memory",
                value: grown,
                unit: "MiB",
                goal: .atMost(32),
                note: "grown by three such responses"
            ),
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
        var connections: [GetConnection] = []
        defer { for connection in connections { connection.end() } }
        for _ in 0..<count {
            let connection = try GetConnection(to: proxy.port)
            connections.append(connection)
            try connection.get("/small.txt", count: 1024)
        }
        let resident = Double(Machine.residentBytes(of: proxy.process)) / Double(1 << 20)
        return Figure(
            name: "proxy-idle",
            value: resident,
            unit: "MiB",
            goal: .atMost(100 * Double(count) / 10_000),
            note: "\(count) connections that have asked once, each with its own to the upstream"
        )
    }
}
