import ArgumentParser
import CacheClient
import CacheGateway
import CacheSemantics
import CacheStorage
import CLibrary
import Clocks
import FaultProxy
import HTTPServing
import HTTPTypes
import Locks

/// `cachecheck gateway`.
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Run a caching reverse proxy, or a forward proxy, until Ctrl-C.",
        discussion: """
            With --origin, every request is sent to that origin, through the cache; with --forward, to the host \
            in its absolute target, if that address is public or --allow permits it. The cache is shared by default. With \
            --cache private it stores what a browser's cache may store, and still serves every client: responses to \
            requests with Authorization follow the rules of a shared cache (RFC 9111 §3.5), but a response with \
            Cache-Control: private is reused for all clients. Use it for one user, or for tests.

            Exit status: 0 after Ctrl-C, 64 usage, 65 a bad file, 69 it could not start.
            """
    )

    @Option(
        help: ArgumentHelp("Scheme and authority of the origin, http://host:port.", valueName: "URL"),
        transform: expecting(OriginURL.expected)
    )
    var origin: OriginURL?

    @Option(
        help: ArgumentHelp("Port to listen on; 0 selects a free one. (default: 8080)", valueName: "N"),
        transform: portNumber
    )
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("IP address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

    @Flag(help: "Act as a forward proxy: forward each request to the host in its absolute target.")
    var forward = false

    @Option(help: ArgumentHelp("Kind of cache.", valueName: "KIND"))
    var cache = CacheKind.shared

    @Option(
        help: ArgumentHelp(
            "Folder of the disk tier; by default the cache is in memory only.",
            valueName: "DIR"
        )
    )
    var cacheDir: String?

    @Option(
        help: ArgumentHelp(
            "Targeted field to obey (RFC 9213), in order of precedence, or none. May be repeated. Default: CDN-Cache-Control in a shared cache with --origin and without --forward, otherwise none.",
            valueName: "NAME"
        )
    )
    var target: [String] = []

    @OptionGroup(title: "Freshness")
    var freshness: FreshnessOptions

    @Option(help: ArgumentHelp("Enable a deviation from the RFCs. May be repeated.", valueName: "NAME"))
    var deviation: [String] = []

    @Option(
        help: ArgumentHelp(
            "Partition a private cache by credentials; SECRET (at least 16 bytes) salts the digests.",
            valueName: "SECRET"
        )
    )
    var partition: String?

    @Option(
        help: ArgumentHelp(
            "Capacity of the memory tier: 64MiB, 500kB, 1000. (default: 32MiB)",
            valueName: "SIZE"
        ),
        transform: byteSize
    )
    var memorySize = 32 << 20

    @Option(
        help: ArgumentHelp("With --cache-dir: capacity of the disk tier. (default: 1GiB)", valueName: "SIZE"),
        transform: byteSize
    )
    var diskSize: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum number of variants of one URL; the least recently selected is removed first.",
            valueName: "N"
        )
    )
    var variants = 64

    @Option(
        help: ArgumentHelp(
            "Another host name that absolute targets may have. May be repeated.",
            valueName: "HOST"
        ),
        transform: hostName
    )
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --forward, non-public addresses that may be connected to, such as 127.0.0.0/8. May be repeated.",
            valueName: "ADDRESS/BITS"
        )
    )
    var allow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Forward this stripped field, such as X-Forwarded-Host or api_key, to the origin and add it to the cache key. May be repeated.",
            valueName: "NAME"
        ),
        transform: passedField
    )
    var passField: [HTTPField.Name] = []

    @Option(
        help: ArgumentHelp(
            "Response field with tags for /purge?tag=NAME, such as Surrogate-Key or Cache-Tag, besides Cache-Groups. Tags are separated by spaces or commas; clients receive the field, too. May be repeated.",
            valueName: "NAME"
        ),
        transform: fieldName
    )
    var tagField: [HTTPField.Name] = []

    @Flag(help: "Normalize percent-encoding in requests to the origin and in cache keys (RFC 3986 §6.2.2).")
    var normalizePercentEncoding = false

    @Option(
        help: ArgumentHelp("Maximum size of request content. (default: 2GiB)", valueName: "SIZE"),
        transform: byteSize
    )
    var contentLimit = 2 << 30

    @Option(help: ArgumentHelp("Number of threads that serve clients.", valueName: "N"))
    var threads = 2

    @Option(
        help: ArgumentHelp(
            "Maximum number of connections to one origin; further requests to it wait for one.",
            valueName: "N"
        )
    )
    var originConnections = 256

    @OptionGroup(title: "Faults and network between clients and gateway")
    var faults: GatewayFaultOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Control API")
    var control: ControlOptions

    @Flag(
        help:
            "With --control-port: use a clock that the page and the API can advance and stop, for demonstrations."
    )
    var movableClock = false

    @OptionGroup(title: "TLS to the origin")
    var trust: TrustOptions

    func validate() throws {
        try demand(origin != nil || forward, "found neither --origin nor --forward, expected one of them")
        try demand(diskSize == nil || cacheDir != nil, "--disk-size requires --cache-dir")
        if movableClock, control.port == nil {
            throw ValidationError("--movable-clock requires --control-port")
        }
        try validateValues()
        if !forward { try trust.requireTLS(of: origin?.text) }
        if normalizePercentEncoding, origin == nil {
            throw ValidationError(
                "--normalize-percent-encoding is only for --origin: a forward proxy forwards targets unchanged"
            )
        }
    }

    private func validateValues() throws {
        try demand((1...64).contains(threads), "--threads: found \(threads), expected 1 to 64")
        guard (1...65_536).contains(originConnections) else {
            throw ValidationError("--origin-connections: found \(originConnections), expected 1 to 65536")
        }
        try demand(variants >= 1, "--variants: found \(variants), expected 1 or more")
        _ = try engine()
        _ = try targetNames()
        _ = try allowedBlocks()
    }

    func run() throws {
        Process.raiseDescriptorLimit()
        Process.ignoreSizeLimit()
        BusErrorHandler.install()
        let gateway = try make()
        let control = control.configuration(limits).map { GatewayControl(of: gateway, $0) }
        let proxy: FaultProxy?
        do {
            try gateway.start()
            proxy = try makeProxy(of: gateway)
            try proxy?.start()
            try control?.start()
        } catch let error as ServerError {
            complain(error.description)
            throw ExitStatus.unavailable
        }
        Process.catchEnd()
        print(greeting(url: proxy?.url ?? gateway.url))
        if let control { print(Self.greeting(of: control)) }
        fflush(nil)
        var trimmer = MemoryTrimmer()
        Process.waitForEnd { trimmer.look(at: gateway) }
        control?.stop()
        proxy?.stop()
        gateway.stop()
        print("Stopped.")
    }

    /// Returns the proxy in front of the gateway, which `--fault`, `--network` and the like require.
    private func makeProxy(of gateway: Gateway) throws -> FaultProxy? {
        guard faults.isGiven else { return nil }
        return try faults.proxy(
            address: listen,
            port: Int(freeIfZero: port),
            gatewayPort: gateway.port,
            threads: threads,
            connectionLimit: limits.connections
        )
    }

    private func make() throws -> Gateway {
        let clock: any TimeSource = movableClock ? MovableClock(following: SystemClock()) : SystemClock()
        let configuration = try gatewayConfiguration()
        var storage = storeConfiguration()
        storage.storingRules = configuration.storingRules
        let policy = try trust.policy()
        let store = try started { try CacheStore(storage, clock: clock) }
        let transport = try started {
            try CurlTransport(connectionsPerHost: originConnections, trust: policy)
        }
        let own = SystemClock()
        return Gateway(configuration, store: store, transport: transport, clock: clock, timeoutClock: own)
    }

    private func started<Value>(_ body: () throws -> Value) throws -> Value {
        try orStop(ExitStatus.unavailable, "cachecheck gateway: ", body)
    }

    private func storeConfiguration() -> CacheStore.Configuration {
        var configuration = CacheStore.Configuration(
            memoryCapacity: .bytes(memorySize),
            diskCapacity: cacheDir == nil ? .zero : .bytes(diskSize ?? 1 << 30),
            directory: cacheDir,
            largestShare: 0.25,
            maximumVariants: variants
        )
        configuration.tagFields = tagField
        // sendfile is faster than reading.
        configuration.promotesFiles = false
        return configuration
    }

    private func gatewayConfiguration() throws -> Gateway.Configuration {
        var configuration = Gateway.Configuration(mode: try mode())
        configuration.allowedAddresses = try allowedBlocks()
        configuration.passedFields = passField
        configuration.normalizesPercentEncoding = normalizePercentEncoding
        configuration.hostNames = host
        configuration.engine = try engine()
        configuration.targets = try targetNames()
        listen(&configuration)
        configuration.onStorageDamage = Self.complaints()
        configuration.server.threads = threads
        limits.apply(to: &configuration.server)
        configuration.server.contentLimitBytes = contentLimit
        return configuration
    }

    /// Sets where clients connect: to the gateway, or to a proxy for faults in front of it.
    private func listen(_ configuration: inout Gateway.Configuration) {
        if faults.isGiven {
            configuration.publicPort = Int(freeIfZero: port)
            configuration.hostNames.append("\(listen.contains(":") ? "[\(listen)]" : listen):\(port)")
        } else {
            (configuration.server.address, configuration.server.port) = (listen, Int(freeIfZero: port))
        }
    }

    private func engine() throws -> CacheEngine {
        var engine = CacheEngine(kind: cache)
        engine.deviations = try Deviations(named: deviation)
        freshness.apply(to: &engine)
        engine.partition = try CredentialPartition(secret: partition, of: engine.kind)
        return engine
    }

    private func greeting(url: String) -> String {
        let what = origin.map { "for \($0.text)" } ?? "as a forward proxy"
        let example = origin == nil ? "curl -i -x \(url) http://example.com/" : "curl -i \(url)/"
        return """
            Listening on \(url) \(what), \(cache) cache (Ctrl-C stops).\(faults.others.summary)
            Try:
              \(example)
            """
    }

    private static func greeting(of control: GatewayControl) -> String {
        ControlOptions.greeting(
            url: control.url,
            token: control.token,
            examples: ["\(control.url)/metrics", "-X POST '\(control.url)/purge?all'"],
            hasPage: true
        )
    }

    /// Prints each damage, once while it is found again and again.
    private static func complaints() -> @Sendable (StorageDamage) -> Void {
        let last = Lock(StorageDamage?.none)
        return { damage in
            let isKnown = last.withLock { last in
                defer { last = damage }
                return last == damage
            }
            if !isKnown { printError("cachecheck gateway: storage: \(damage)") }
        }
    }

    private func complain(_ text: String) { printError("cachecheck gateway: \(text)") }
}
