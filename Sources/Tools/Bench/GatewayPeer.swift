import CLibrary

/// A gateway, ours or another program, in front of the same origin.
struct GatewayPeer {
    private static let threads = 2
    let name: String
    let port: UInt16
    let process: pid_t

    func end() { Processes.end(process) }

    /// Starts our gateway in front of `origin`, with additional arguments.
    static func own(
        _ name: String,
        _ options: Options,
        origin: String,
        _ arguments: [String] = []
    ) throws(Failure) -> Self {
        let port = Processes.freePort()
        let usual = ["gateway", "--origin", origin, "--port", "\(port)", "--threads", "\(threads)"]
        let process = try Processes.start("\(options.programs)/cachecheck", usual + arguments)
        return Self(name: name, port: port, process: process)
    }

    /// Starts nginx, whose cache is on disk.
    static func nginx(_ name: String, _ folder: Scratch, _ origin: UInt16) throws(Failure) -> Self {
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
        return Self(name: name, port: port, process: process)
    }

    /// Starts our fault proxy in front of `origin`.
    static func proxy(_ name: String, _ options: Options, _ origin: UInt16) throws(Failure) -> Self {
        let port = Processes.freePort()
        let process = try Processes.start(
            "\(options.programs)/cachecheck",
            [
                "proxy", "--upstream", "http://127.0.0.1:\(origin)", "--port", "\(port)", "--threads",
                "\(threads)",
            ]
        )
        return Self(name: name, port: port, process: process)
    }

    /// Starts nginx as an origin of `files`, and as a proxy that keeps connections to it; each is a process group.
    static func nginxPassing(_ folder: Scratch, files: String) throws(Failure) -> (origin: Self, proxy: Self)
    {
        let (origin, proxy) = (Processes.freePort(), Processes.freePort())
        let served = try nginx(
            folder,
            "origin",
            "server { listen 127.0.0.1:\(origin) backlog=16384; root \(files); }"
        )
        let passing = try nginx(
            folder,
            "passing",
            """
            upstream origin { server 127.0.0.1:\(origin); keepalive 64; }
            server {
              listen 127.0.0.1:\(proxy) backlog=16384;
              location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
            }
            """
        )
        return (
            Self(name: "nginx-origin", port: origin, process: served),
            Self(name: "nginx-pass", port: proxy, process: passing)
        )
    }

    private static func nginx(_ folder: Scratch, _ name: String, _ server: String) throws(Failure) -> pid_t {
        let temporary = ["proxy", "client_body", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\(name)-\($0);"
        }
        let file = try folder.write(
            "\(name).conf",
            """
            daemon off;
            worker_processes \(threads);
            worker_rlimit_nofile 30000;
            pid \(folder.path)/\(name).pid;
            error_log \(folder.path)/\(name).log;
            events { worker_connections 12000; }
            http {
              access_log off;
              sendfile on;
              keepalive_requests 1000000000;
              keepalive_timeout 600;
              \(temporary.joined(separator: "\n  "))
              \(server)
            }
            """
        )
        return try Processes.start("nginx", ["-e", "\(folder.path)/\(name).log", "-c", file])
    }

    /// Starts Varnish, whose cache is in memory.
    static func varnish(_ name: String, _ folder: Scratch, _ origin: UInt16) throws(Failure) -> Self {
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
        return Self(name: name, port: port, process: process)
    }
}
