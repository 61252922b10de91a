/// A proxy that we know how to start.
public enum KnownProxy: String, Sendable, Hashable, CaseIterable {
    /// nginx with `proxy_cache`.
    case nginx
    /// Varnish Cache.
    case varnish
    /// Squid as an accelerator.
    case squid
    /// Apache Traffic Server.
    case trafficserver
    /// Apache httpd with mod_cache.
    case apache
    /// HAProxy's cache of small objects.
    case haproxy

    /// The program's file.
    var program: String {
        switch self {
        case .nginx: "nginx"
        case .varnish: "varnishd"
        case .squid: "squid"
        case .trafficserver: "traffic_server"
        case .apache: "apache2"
        case .haproxy: "haproxy"
        }
    }

    /// The distribution's package that has it.
    var package: String {
        switch self {
        case .nginx: "nginx-light"
        case .apache: "apache2"
        case .varnish, .squid, .trafficserver, .haproxy: rawValue
        }
    }

    /// Our files for it: below `fixtures/drivers`, and what they are called in its folder.
    var files: [(source: String, name: String)] {
        switch self {
        case .nginx: [("nginx.conf", "nginx.conf")]
        case .varnish: [("varnish.vcl", "varnish.vcl")]
        case .squid: [("squid.conf", "squid.conf")]
        case .trafficserver:
            ["records.config", "remap.config", "storage.config", "ip_allow.yaml"]
                .map { ("trafficserver/\($0)", "etc/trafficserver/\($0)") }
                + [("trafficserver/runroot.yaml", "runroot.yaml")]
        case .apache: [("apache.conf", "apache.conf")]
        case .haproxy: [("haproxy.cfg", "haproxy.cfg")]
        }
    }

    /// Folders that must be there before it starts.
    var folders: [String] {
        switch self {
        case .apache: ["cache"]
        case .trafficserver: ["etc", "etc/trafficserver", "var", "share", "share/trafficserver"]
        case .nginx, .varnish, .squid, .haproxy: []
        }
    }

    /// Its arguments, so that it stays our child.
    func arguments(folder: String, port: UInt16) -> [String] {
        switch self {
        case .nginx: ["-e", "stderr", "-p", folder, "-c", "\(folder)/nginx.conf"]
        case .varnish:
            [
                "-F", "-j", "none", "-n", "\(folder)/work", "-f", "\(folder)/varnish.vcl", "-T", "none",
                "-a", "127.0.0.1:\(port)", "-s", "default,64m", "-p", "vsl_space=4M", "-p", "thread_pools=1",
                "-p", "thread_pool_max=2000", "-p", "http_req_hdr_len=32k",
                // Nothing stale, no lifetime and no content coding of its own; what is stale is kept to be validated.
                "-p", "default_grace=0", "-p", "default_ttl=0", "-p", "default_keep=600",
                "-p", "http_gzip_support=off",
            ]
        case .squid: ["-N", "-f", "\(folder)/squid.conf"]
        case .trafficserver: ["--run-root=\(folder)/runroot.yaml"]
        case .apache: ["-DFOREGROUND", "-f", "\(folder)/apache.conf"]
        case .haproxy: ["-db", "-f", "\(folder)/haproxy.cfg"]
        }
    }

    /// What makes it tell its version.
    var versionFlag: String {
        switch self {
        case .varnish, .trafficserver: "-V"
        case .nginx, .squid, .apache, .haproxy: "-v"
        }
    }
}
