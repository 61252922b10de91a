/// `serve-get`: the processor time of one `GET /get`, compared with a plain C program over the same library and with
/// nginx; its rate compared with Node, and with the C program without a journal.
///
/// `serve-prepared`: the processor time of a plain route of a site, which is prepared, compared with the C program.
///
/// `serve-routes`: the processor time of a request to one of 10,000 routes, compared with one of ten; the requests have
/// a condition, so that no response is prepared.
enum ServerBench {
    private struct Load {
        let microsecondsPerRequest: Double
        let requestsPerSecond: Double
    }
    private struct Peer {
        let name: String
        let port: UInt16
        let process: Int32
        var loads: [Load] = []

        var rate: Double { loads.map(\.requestsPerSecond).median }

        /// Returns the median ratio of a value to that of another peer in the same round.
        func ratio(to other: Peer, _ value: (Load) -> Double) -> Double {
            zip(loads, other.loads).map { value($0) / value($1) }.median
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
            for place in peers.indices {
                peers[place].loads.append(try load(peers[place].port, peers[place].process))
            }
        }
        return figures(of: peers)
    }

    private static func figures(of peers: [Peer]) -> [Figure] {
        let (noted, plain) = (peers[0], peers[2])
        let cost = noted.loads.map(\.microsecondsPerRequest).median
        var figures = [
            Figure(
                name: "serve-get",
                value: cost,
                unit: "µs cpu",
                ratio: noted.ratio(to: plain) { $0.microsecondsPerRequest },
                against: "C libmicrohttpd",
                goal: .atMost(1.25),
                note: "\(Int(noted.rate)) req/s, journal on"
            ),
            Figure(
                name: "serve-get-unnoted",
                value: peers[1].rate,
                unit: "req/s",
                ratio: peers[1].ratio(to: plain) { $0.requestsPerSecond },
                against: "C libmicrohttpd",
                goal: .atLeast(0.95),
                note: "journal off"
            ),
        ]
        for peer in peers.dropFirst(3) {
            let isNode = peer.name == "Node"
            figures.append(
                Figure(
                    name: isNode ? "serve-get-node" : "serve-get-nginx",
                    value: isNode ? noted.rate : cost,
                    unit: isNode ? "req/s" : "µs cpu",
                    ratio: noted.ratio(to: peer) {
                        isNode ? $0.requestsPerSecond : $0.microsecondsPerRequest
                    },
                    against: isNode ? "Node, the documents' handlers" : "nginx return 200",
                    goal: isNode ? .atLeast(1.4) : .atMost(1.15),
                    note: "\(Int(peer.rate)) req/s there"
                )
            )
        }
        return figures
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
        return Figure(
            name: "serve-prepared",
            value: value,
            unit: "µs cpu",
            ratio: ratio,
            against: "C libmicrohttpd",
            goal: .atMost(1.25),
            note: "a route of a site, journal on"
        )
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
        return Figure(
            name: "serve-routes",
            value: value,
            unit: "µs cpu",
            ratio: ratio,
            against: "10 routes",
            goal: .atMost(2),
            note: "10,000 routes"
        )
    }

    /// Returns the medians of five alternating rounds: microseconds of a request, and their ratio to those of the
    /// reference.
    private static func alternating(
        _ measure: () throws -> Load,
        against reference: () throws -> Load
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
    ) throws(Failure) -> Load {
        let output = "/tmp/cachecheck-bench-wrk.txt"
        let before = Machine.processorMicroseconds(ofTree: server)
        let status = Processes.run(
            "wrk",
            ["-t1", "-c64", "-d3s"] + fields.flatMap { ["-H", $0] } + ["http://127.0.0.1:\(port)\(path)"],
            output: output
        )
        let used = Machine.processorMicroseconds(ofTree: server) - before
        guard status == 0,
            let line = Machine.lines(of: output).first(where: { $0.contains(" requests in ") }),
            let requests = line.split(separator: " ").first.flatMap({ Double($0) }), requests > 0
        else { throw Failure(status: 69, text: "wrk did not run: status \(status)") }
        return Load(microsecondsPerRequest: used / requests, requestsPerSecond: requests / 3)
    }
}
