import Glibc

/// `gateway`: hits of 1 KiB from 64 connections, beside nginx and Varnish with the same origin behind them.
enum GatewayBench {
    private struct Peer {
        let name: String
        let port: UInt16
        let process: pid_t
        var loads: [Load] = []

        var rate: Double { loads.map(\.requestsPerSecond).median }
        var cost: Double { loads.map(\.microsecondsPerRequest).median }
    }
    private struct Load {
        let requestsPerSecond: Double
        let microsecondsPerRequest: Double
    }
    private static let connections = 64
    private static let threads = 2
    private static let page = "/get?size=1KiB&framing=length&cache-control=max-age%3D3600"

    static func run(_ options: Options) throws -> [Figure] {
        let folder = try Scratch()
        defer { folder.remove() }
        let (served, origin) = try Processes.serve(options)
        defer { Processes.end(served) }
        var peers = [
            try gateway(options, origin), try nginx(folder, origin), try varnish(folder, origin),
        ]
        defer { for peer in peers { Processes.end(peer.process) } }
        for peer in peers {
            try Processes.awaitListener(port: peer.port)
            _ = try load(peer, seconds: 1)
        }
        let before = Machine.residentBytes(of: peers[0].process)
        for _ in 0..<5 {
            for place in peers.indices { peers[place].loads.append(try load(peers[place], seconds: 3)) }
        }
        let grown = Double(max(0, Machine.residentBytes(of: peers[0].process) - before)) / Double(connections)
        return figures(peers, grown: grown)
    }

    private static func figures(_ peers: [Peer], grown: Double) -> [Figure] {
        let ours = peers[0]
        let best = peers.dropFirst().max { $0.rate < $1.rate }
        var figures = peers.map { peer in
            Figure(
                name: peer.name,
                value: peer.rate,
                unit: "req/s",
                note: "\(Figure.text(peer.cost)) µs cpu a request"
            )
        }
        if let best {
            figures[0].ratio = ours.rate / best.rate
            figures[0].against = best.name
            figures[0].goal = .atLeast(1)
        }
        figures.append(
            Figure(
                name: "gateway-hit-memory",
                value: grown,
                unit: "bytes",
                goal: .atMost(1024),
                note: "grown in five rounds, a connection"
            )
        )
        return figures
    }

    private static func load(_ peer: Peer, seconds: Int) throws(Failure) -> Load {
        let output = "/tmp/cachecheck-bench-wrk.txt"
        let before = Machine.processorMicroseconds(ofTree: peer.process)
        let status = Processes.run(
            "wrk",
            ["-t1", "-c\(connections)", "-d\(seconds)s", "http://127.0.0.1:\(peer.port)\(page)"],
            output: output
        )
        let used = Machine.processorMicroseconds(ofTree: peer.process) - before
        let lines = Machine.lines(of: output)
        guard status == 0, !lines.contains(where: { $0.contains("Non-2xx") }),
            let line = lines.first(where: { $0.contains(" requests in ") }),
            let requests = line.split(separator: " ").first.flatMap({ Double($0) }), requests > 0
        else { throw Failure(status: 69, text: "\(peer.name): wrk got no useful answers") }
        return Load(
            requestsPerSecond: requests / Double(seconds),
            microsecondsPerRequest: used / requests
        )
    }

    // MARK: Who is compared

    private static func gateway(_ options: Options, _ origin: UInt16) throws -> Peer {
        let port = Processes.freePort()
        let arguments = [
            "gateway", "--origin", "http://127.0.0.1:\(origin)", "--port", "\(port)", "--threads",
            "\(threads)",
        ]
        let process = try Processes.start("\(options.programs)/cachecheck", arguments)
        return Peer(name: "gateway-hit", port: port, process: process)
    }

    private static func nginx(_ folder: Scratch, _ origin: UInt16) throws -> Peer {
        let port = Processes.freePort()
        let file = try folder.write(
            "nginx.conf",
            """
            daemon off;
            worker_processes \(threads);
            pid \(folder.path)/nginx.pid;
            error_log \(folder.path)/error.log;
            events { worker_connections 1024; }
            http {
              access_log off;
              sendfile on;
              tcp_nopush on;
              keepalive_requests 1000000000;
              open_file_cache max=1000;
              proxy_cache_path \(folder.path)/nginx levels=1:2 keys_zone=hits:10m;
              proxy_temp_path \(folder.path)/proxy;
              client_body_temp_path \(folder.path)/body;
              fastcgi_temp_path \(folder.path)/fastcgi;
              uwsgi_temp_path \(folder.path)/uwsgi;
              scgi_temp_path \(folder.path)/scgi;
              server {
                listen 127.0.0.1:\(port);
                location / { proxy_pass http://127.0.0.1:\(origin); proxy_cache hits; }
              }
            }
            """
        )
        let process = try Processes.start("nginx", ["-e", "\(folder.path)/error.log", "-c", file])
        return Peer(name: "nginx-hit", port: port, process: process)
    }

    private static func varnish(_ folder: Scratch, _ origin: UInt16) throws -> Peer {
        let port = Processes.freePort()
        let file = try folder.write(
            "hits.vcl",
            """
            vcl 4.1;
            backend default { .host = "127.0.0.1"; .port = "\(origin)"; }
            """
        )
        let process = try Processes.start(
            "varnishd",
            [
                "-F", "-f", file, "-a", "127.0.0.1:\(port)", "-n", "\(folder.path)/varnish", "-s",
                "malloc,64m",
            ],
            output: "\(folder.path)/varnish.log"
        )
        return Peer(name: "varnish-hit", port: port, process: process)
    }
}
