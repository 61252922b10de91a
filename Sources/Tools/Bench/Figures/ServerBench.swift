/// `serve-get`: the processor time of one `GET /get`, compared with a plain C program over the same library and with
/// nginx; its rate compared with Node, and with the C program without a journal.
///
/// `serve-prepared`: the processor time of a plain route of a site, which is prepared, compared with the C program.
///
/// `serve-routes`: the processor time of a request to one of 10,000 routes, compared with one of ten; the requests have
/// a condition, so that no response is prepared.
enum ServerBench {
    private struct Peer {
        let name: String
        let port: UInt16
        let process: Int32
        var loads: [WebLoad] = []

        var rate: Double { loads.map(\.requestsPerSecond).median }

        /// Returns the processor time of a request, compared with that of another peer.
        func cost(_ measure: Measure, against other: Peer, note: String) -> Figure {
            figure(measure, \.microsecondsPerRequest, against: other, note)
        }

        /// Returns the requests per second, compared with those of another peer.
        func rate(_ measure: Measure, against other: Peer, note: String) -> Figure {
            figure(measure, \.requestsPerSecond, against: other, note)
        }

        /// Returns the median of a value and of its ratio to that of another peer in the same round.
        private func figure(
            _ measure: Measure,
            _ value: KeyPath<WebLoad, Double>,
            against other: Peer,
            _ note: String
        ) -> Figure {
            let ratio = zip(loads, other.loads).map { $0[keyPath: value] / $1[keyPath: value] }.median
            return Figure(measure, loads.map { $0[keyPath: value] }.median, ratio: ratio, note: note)
        }
    }

    static func run(_ options: Options, _ report: @Sendable (Figure) -> Void) async throws {
        if options.wants("serve-get") { try gets(options).forEach(report) }
        if options.wants("serve-prepared") { report(try prepared(options)) }
        if options.wants("serve-routes") { report(try routes(options)) }
        if options.wants("serve-idle") { report(try IdleBench.run(options)) }
        if options.wants("serve-stalled") { report(try StallBench.run(options)) }
        if options.wants("fault-sweep") { report(try await FaultSweepBench.run()) }
        if options.wants("same-seed") { report(try SeedBench.run(options)) }
    }

    private static func gets(_ options: Options) throws -> [Figure] {
        var peers = try [ours(options, journal: true), ours(options, journal: false), plain(options)]
        peers += try [nginx(), node()].compactMap { $0 }
        defer { for peer in peers { Processes.end(peer.process) } }
        for peer in peers { try Processes.awaitListener(port: peer.port) }
        for _ in 0..<5 {
            for index in peers.indices {
                peers[index].loads.append(try load(peers[index].port, peers[index].process))
            }
        }
        return figures(of: peers)
    }

    private static func figures(of peers: [Peer]) -> [Figure] {
        let (noted, unnoted, plain) = (peers[0], peers[1], peers[2])
        let figures = [
            noted.cost(.serveGet, against: plain, note: "\(Int(noted.rate)) req/s, journal on"),
            unnoted.rate(.serveGetUnnoted, against: plain, note: "journal off"),
        ]
        return figures
            + peers.dropFirst(3).map { peer in
                let note = "\(Int(peer.rate)) req/s there"
                return peer.name == "Node"
                    ? noted.rate(.serveGetNode, against: peer, note: note)
                    : noted.cost(.serveGetNginx, against: peer, note: note)
            }
    }

    // MARK: Peers

    private static func ours(_ options: Options, journal: Bool) throws(Failure) -> Peer {
        let port = Processes.freePort()
        let arguments = ["serve", "--port", "\(port)"] + (journal ? [] : ["--journal", "0"])
        let process = try Processes.start("\(options.programs)/cachecheck", arguments)
        return Peer(name: "ours", port: port, process: process)
    }

    private static func plain(_ options: Options) throws(Failure) -> Peer {
        let port = Processes.freePort()
        let process = try Processes.start("\(options.programs)/plain-server", ["\(port)"])
        return Peer(name: "C", port: port, process: process)
    }

    /// Starts nginx with as many processes as we have threads; `nil` if it is not installed.
    private static func nginx() throws(Failure) -> Peer? {
        guard Processes.run("nginx", ["-v"]) == 0 else { return nil }
        let port = Processes.freePort()
        let folder = "/tmp/cachecheck-bench-nginx"
        Machine.write(
            """
            daemon off;
            worker_processes 2;
            pid \(folder).pid;
            error_log \(folder).log;
            events { worker_connections 1024; }
            http {
              access_log off;
              keepalive_requests 1000000000;
              default_type application/json;
              client_body_temp_path \(folder)-body;
              proxy_temp_path \(folder)-proxy;
              fastcgi_temp_path \(folder)-fastcgi;
              uwsgi_temp_path \(folder)-uwsgi;
              scgi_temp_path \(folder)-scgi;
              server {
                listen 127.0.0.1:\(port);
                location = /get { return 200 '{"data":"GET Method","status":"Success"}'; }
              }
            }
            """,
            to: folder + ".conf"
        )
        let process = try Processes.start("nginx", ["-e", folder + ".log", "-c", folder + ".conf"])
        return Peer(name: "nginx", port: port, process: process)
    }

    /// Starts Node's own HTTP server with the documents' handlers; `nil` if it is not installed.
    private static func node() throws(Failure) -> Peer? {
        guard Processes.run("node", ["--version"]) == 0 else { return nil }
        let port = Processes.freePort()
        let process = try Processes.start("node", ["ci/baseline/node-server.js", "\(port)"])
        return Peer(name: "Node", port: port, process: process)
    }

    // MARK: Routes

    private static func prepared(_ options: Options) throws -> Figure {
        let ours = try RouteServer(options, count: 10)
        defer { ours.stop() }
        let plain = try plain(options)
        defer { Processes.end(plain.process) }
        try Processes.awaitListener(port: plain.port)
        let (value, ratio) = try alternating {
            try load(ours.port, ours.process, path: "/route/9/item")
        } against: {
            try load(plain.port, plain.process)
        }
        return Figure(.servePrepared, value, ratio: ratio, note: "a route of a site, journal on")
    }

    private static func routes(_ options: Options) throws -> Figure {
        let few = try RouteServer(options, count: 10)
        defer { few.stop() }
        let many = try RouteServer(options, count: 10_000)
        defer { many.stop() }
        // With a condition, because otherwise a prepared response would be measured, for which no route is matched.
        let condition = "If-None-Match: \"none\""
        let (value, ratio) = try alternating {
            try load(many.port, many.process, path: "/route/9999/item", fields: [condition])
        } against: {
            try load(few.port, few.process, path: "/route/9/item", fields: [condition])
        }
        return Figure(.serveRoutes, value, ratio: ratio, note: "10,000 routes")
    }

    /// Returns the medians of five alternating rounds: microseconds of a request, and their ratio to those of the
    /// reference.
    private static func alternating(
        _ measure: () throws -> WebLoad,
        against reference: () throws -> WebLoad
    ) throws -> (value: Double, ratio: Double) {
        let rounds = try (0..<5).map { _ in
            let plain = try reference().microsecondsPerRequest
            let ours = try measure().microsecondsPerRequest
            return (value: ours, ratio: ours / plain)
        }
        return (rounds.map(\.value).median, rounds.map(\.ratio).median)
    }

    /// A server with a number of routes, half of them exact and half with a parameter.
    private struct RouteServer {
        let port = Processes.freePort()
        let process: Int32

        init(_ options: Options, count: Int) throws {
            let file = "/tmp/cachecheck-bench-\(count).json"
            let routes = (0..<count).map { number in
                let path = number.isMultiple(of: 2) ? "/route/\(number)" : "/route/\(number)/{id}"
                return "{\"path\":\"\(path)\",\"answer\":{\"body\":\"\(number)\"}}"
            }
            Machine.write("[" + routes.joined(separator: ",\n") + "]", to: file)
            process = try Processes.start(
                "\(options.programs)/cachecheck",
                ["serve", "--config", file, "--port", "\(port)"]
            )
            try Processes.awaitListener(port: port)
        }

        func stop() { Processes.end(process) }
    }

    private static func load(
        _ port: UInt16,
        _ server: Int32,
        path: String = "/get",
        fields: [String] = []
    ) throws(Failure) -> WebLoad {
        let peer = GatewayPeer(name: "server", port: port, process: server)
        return try WebLoad(peer, path, connections: 64, seconds: 3, fields: fields)
    }
}
