/// A proxy that the harness can start; a new one is an entry of `all` and its files in `fixtures/drivers`.
public struct KnownProxy: Sendable, Hashable {
    /// A file of `fixtures/drivers`, copied into the proxy's folder with its placeholders replaced.
    struct File: Sendable, Hashable {
        /// Below `fixtures/drivers`.
        let source: String
        /// Below the proxy's folder.
        let name: String

        /// Creates a file of the same name in both folders, unless `name` is another.
        init(_ source: String, as name: String? = nil) {
            self.source = source
            self.name = name ?? source
        }
    }
    /// The proxy's name on the command line.
    public let name: String
    /// The cache, for tables of documents.
    let cache: String
    /// A description of the configuration by which it obeys RFC 9111, in Markdown.
    let setUp: String
    /// The name of the program's file; by default the proxy's name.
    var program: String
    /// The distribution's package that contains the program; by default the proxy's name.
    var package: String
    /// The argument that makes the program print its version.
    var versionFlag = "-v"
    /// Files that are copied before the program starts.
    let files: [File]
    /// Folders that are created in its folder before it starts; default none.
    var folders: [String] = []
    /// Ids of scenarios that its configuration fails, which are skipped, with the reasons; default none.
    var failsByConfiguration: [String: String] = [:]
    /// The program's arguments, which keep it in the foreground; `@FOLDER@` and `@PORT@` are replaced by the run's folder
    /// and port.
    let arguments: [String]

    private init(_ name: String, _ cache: String, files: [File], arguments: [String], setUp: String) {
        self.name = name
        self.cache = cache
        self.setUp = setUp
        program = name
        package = name
        self.files = files
        self.arguments = arguments
    }

    private func with(_ change: (inout KnownProxy) -> Void) -> KnownProxy {
        var proxy = self
        change(&proxy)
        return proxy
    }
}

extension KnownProxy {
    /// All known proxies, in the order in which reports list them.
    public static let all = [nginx, varnish, squid, trafficserver, apache, haproxy]

    /// Finds a proxy by its name.
    public init?(named name: String) {
        guard let proxy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = proxy
    }

    /// nginx with `proxy_cache`.
    public static let nginx = KnownProxy(
        "nginx",
        "nginx with `proxy_cache`",
        files: [File("nginx.conf")],
        arguments: ["-e", "stderr", "-p", "@FOLDER@", "-c", "@FOLDER@/nginx.conf"],
        setUp: """
            By `map`, it obeys `no-cache`, `max-age=0` and `no-store` of requests, and stores responses to `Authorization` \
            only with `public`, `must-revalidate` or `s-maxage`. It passes on the origin's `Date` and `Server`, and HEAD as HEAD. It cannot write `Age`, count the `Age` and `Date` that it receives, or invalidate
            """
    ).with {
        $0.package = "nginx-light"
        $0.failsByConfiguration = [
            "http/9110-dates/forms/missing-date-written":
                "The configuration passes on the origin's Date, so nginx writes none if the origin sends none."
        ]
    }

    /// Varnish Cache.
    ///
    /// It has no grace, lifetime or content coding by itself; stale responses are kept for validation.
    public static let varnish = KnownProxy(
        "varnish",
        "Varnish Cache",
        files: [File("varnish.vcl")],
        arguments: [
            "-F", "-j", "none", "-n", "@FOLDER@/work", "-f", "@FOLDER@/varnish.vcl", "-T", "none",
            "-a", "127.0.0.1:@PORT@", "-s", "default,64m", "-p", "vsl_space=4M", "-p", "thread_pools=1",
            "-p", "thread_pool_max=2000", "-p", "http_req_hdr_len=32k",
            "-p", "default_grace=0", "-p", "default_ttl=0", "-p", "default_keep=600",
            "-p", "http_gzip_support=off",
        ],
        setUp: """
            No grace, no default lifetime and no gzip of its own; what is stale is kept for ten minutes, to be validated. \
            VCL adds directives of requests, bans after unsafe methods (RFC 9111 §4.4), a `*` anywhere in `Vary`, no stale \
            response against `must-revalidate`, `proxy-revalidate` and `s-maxage`, `Range` only with GET, and 502 for a `Content-Range` of another unit than bytes, at which Varnish 7.1 ends by an assertion
            """
    ).with {
        $0.program = "varnishd"
        $0.versionFlag = "-V"
    }

    /// Squid as an accelerator.
    public static let squid = KnownProxy(
        "squid",
        "Squid as an accelerator, in memory",
        files: [File("squid.conf")],
        arguments: ["-N", "-f", "@FOLDER@/squid.conf"],
        setUp: "It passes on `Authorization` (`login=PASSTHRU`), which it would otherwise remove"
    )

    /// Apache Traffic Server.
    public static let trafficserver = KnownProxy(
        "trafficserver",
        "Apache Traffic Server",
        files: ["records.config", "remap.config", "storage.config", "ip_allow.yaml"].map {
            File("trafficserver/\($0)", as: "etc/trafficserver/\($0)")
        } + [File("trafficserver/runroot.yaml", as: "runroot.yaml")],
        arguments: ["--run-root=@FOLDER@/runroot.yaml"],
        setUp: """
            It obeys directives of requests, leaves `Accept-Encoding` and `Server` unchanged, compares `Accept-Encoding` \
            exactly, and uses heuristic freshness only with a `Last-Modified`
            """
    ).with {
        $0.program = "traffic_server"
        $0.versionFlag = "-V"
        $0.folders = ["etc", "etc/trafficserver", "var", "share", "share/trafficserver"]
    }

    /// Apache httpd with mod_cache.
    public static let apache = KnownProxy(
        "apache",
        "Apache httpd with `mod_cache`",
        files: [File("apache.conf")],
        arguments: ["-DFOREGROUND", "-f", "@FOLDER@/apache.conf"],
        setUp: """
            No stale response for errors without `stale-if-error` (`CacheStaleOnError off`); paths are passed on unchanged
            """
    ).with {
        $0.program = "apache2"
        $0.package = "apache2"
        $0.folders = ["cache"]
    }

    /// HAProxy's cache of small objects.
    public static let haproxy = KnownProxy(
        "haproxy",
        "HAProxy's cache of small objects",
        files: [File("haproxy.cfg")],
        arguments: ["-db", "-f", "@FOLDER@/haproxy.cfg"],
        setUp: """
            `process-vary on`; it writes the `Date` that the origin leaves out, and stores nothing with `no-cache` or `private`, \
            with field names or without
            """
    )
}
