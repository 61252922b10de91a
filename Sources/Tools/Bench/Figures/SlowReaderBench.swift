import CLibrary

/// `gateway-slow-…`: the memory of a gateway whose callers stop reading their responses.
enum SlowReaderBench {
    private struct Case {
        let name: String
        let query: String
        var isOnDisk = false
        var isSecure = false
        /// The number of bytes of content that each caller reads before it stops.
        var taken = 0
        /// The size of the content, if another caller requests it and reads all of it; `nil` without another caller.
        var shared: Int?
        /// The capacity of the memory tier.
        var memory = "32MiB"
    }
    private static let count = 80
    private static let stored = "&cache-control=max-age%3D3600"
    private static let refused = "&cache-control=no-store"
    private static let large = "size=50MiB&framing=length"
    private static let small = "size=6MiB&framing=length"
    private static let cases = [
        Case(name: "memory", query: small + stored),
        Case(name: "memory-read", query: small + stored, taken: 3 << 20),
        Case(name: "memory-chunked", query: "size=6MiB&framing=chunked" + stored, taken: 1 << 20),
        Case(name: "too-large", query: large + stored),
        Case(name: "disk", query: large + stored, isOnDisk: true),
        Case(name: "disk-read", query: large + stored, isOnDisk: true, taken: 3 << 20),
        Case(name: "unstored", query: large + refused),
        Case(name: "unstored-read", query: large + refused, taken: 3 << 20),
        Case(name: "tls", query: small + stored, isSecure: true),
        Case(name: "tls-unstored", query: large + refused, isSecure: true, taken: 1 << 20),
        Case(name: "joined", query: "size=2MiB&framing=length" + stored, shared: 2 << 20, memory: "8MiB"),
        Case(name: "joined-disk", query: small + stored, isOnDisk: true, shared: 6 << 20, memory: "1MiB"),
    ]

    static func run(_ options: Options, _ report: (Figure) -> Void) throws(Failure) {
        Processes.raiseDescriptorLimit()
        let folder = try Scratch()
        defer { folder.remove() }
        let origin = try Origin(options, folder)
        defer { Processes.end(origin.process) }
        var most = 0.0
        for one in cases where options.wants("gateway-slow-\(one.name)") {
            let (held, kept) = try measure(one, options, folder, origin)
            most = max(most, held)
            report(figure(one.name, held, kept))
        }
        report(Figure(.gatewaySlow, most, note: "80 callers"))
    }

    private static func figure(_ name: String, _ held: Double, _ kept: Double) -> Figure {
        let measure = Measure("gateway-slow-\(name)", "KiB", .atMost(512))
        let note = "a caller; all \(Figure.text(kept)) MiB after they have gone"
        return Figure(measure, held * 1024 / Double(count), note: note)
    }

    /// An origin over HTTP and HTTPS.
    private struct Origin {
        let process: pid_t
        let port = Processes.freePort()
        let securePort = Processes.freePort()

        init(_ options: Options, _ folder: Scratch) throws(Failure) {
            process = try Processes.start(
                "\(options.programs)/cachecheck",
                [
                    "serve", "--port", "\(port)", "--tls", "good", "--tls-port", "\(securePort)", "--ca-dir",
                    "\(folder.path)/ca",
                ]
            )
            try Processes.awaitListener(port: port)
        }
    }

    /// Returns the MiB by which the gateway has grown while its callers wait, and after they have disconnected.
    private static func measure(
        _ one: Case,
        _ options: Options,
        _ folder: Scratch,
        _ origin: Origin
    ) throws(Failure) -> (held: Double, kept: Double) {
        let url = one.isSecure ? "https://127.0.0.1:\(origin.securePort)" : "http://127.0.0.1:\(origin.port)"
        let disk = one.isOnDisk ? ["--cache-dir", "\(folder.path)/\(one.name)"] : []
        let arguments = disk + ["--insecure", "--memory-size", one.memory]
        let gateway = try GatewayPeer.own(one.name, options, origin: url, arguments)
        defer { gateway.end() }
        try Processes.awaitListener(port: gateway.port)
        try warm(gateway)
        let before = settledBytes(of: gateway)
        let callers = try connect(one, gateway)
        let held = settledBytes(of: gateway) - before
        for caller in callers { caller.end() }
        return (mebibytes(held), mebibytes(settledBytes(of: gateway) - before))
    }

    private static func mebibytes(_ bytes: Int) -> Double { Double(max(0, bytes)) / 1_048_576 }

    /// Makes the gateway start everything that it starts once.
    private static func warm(_ gateway: GatewayPeer) throws(Failure) {
        let connection = try GetConnection(to: gateway.port)
        defer { connection.end() }
        for number in 0..<200 {
            try connection.get("/get?size=1KiB&framing=length&warm=\(number)", count: 1024)
        }
    }

    private static func connect(_ one: Case, _ gateway: GatewayPeer) throws(Failure) -> [GetConnection] {
        var callers: [GetConnection] = []
        for number in 0..<count {
            // Otherwise its socket could buffer all that is left, and a complete response is stored in the cache's
            // memory.
            let caller = try GetConnection(to: gateway.port, receiveBuffer: 256 << 10)
            callers.append(caller)
            let target = "/get?\(one.query)&number=\(number)"
            try caller.ask(target)
            let received = try caller.readHead()
            try caller.skip(one.taken - received)
            guard let shared = one.shared else { continue }
            let other = try GetConnection(to: gateway.port)
            defer { other.end() }
            try other.get(target, count: shared)
        }
        return callers
    }

    /// Returns the resident memory once it has not changed for three seconds, or after thirty.
    private static func settledBytes(of gateway: GatewayPeer) -> Int {
        var last = Machine.residentBytes(of: gateway.process)
        var steady = 0
        for _ in 0..<120 where steady < 12 {
            poll(nil, 0, 250)
            let now = Machine.residentBytes(of: gateway.process)
            steady = abs(now - last) < 256 << 10 ? steady + 1 : 0
            last = now
        }
        return last
    }
}
