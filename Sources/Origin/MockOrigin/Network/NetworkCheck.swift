public import OriginScript
import Clocks

/// Measurements of a profile's emulation, over sockets of this machine.
public struct NetworkCheck: Sendable {
    /// One measurement and the profile's value.
    public struct Figure: Sendable {
        /// A description of the measurement.
        public var name: String
        /// The profile's value, in seconds or, without a tolerance in time, as a fraction.
        public var expected: Double
        /// The measured value.
        public var measured: Double

        /// Whether the measurement is within 5 % or 2 ms, whichever is larger.
        public var isWithinTolerance: Bool { (measured - expected).magnitude <= tolerance }

        /// Whether the measurement is above the tolerance, which a busy machine may cause.
        fileprivate var isLate: Bool { measured > expected + tolerance }

        private var tolerance: Double { max(expected * 0.05, 0.002) }
    }
    /// A proxy in front of the server, which emulates the network instead.
    public struct Proxy: Sendable {
        /// The port of 127.0.0.1 that it listens on.
        public var port: Int
        /// Ends it.
        public var stop: @Sendable () -> Void

        /// Creates the description of a proxy that listens.
        public init(port: Int, stop: @escaping @Sendable () -> Void) {
            (self.port, self.stop) = (port, stop)
        }
    }
    /// Starts a proxy in front of the server at a port of 127.0.0.1.
    public typealias ProxyStart = (_ server: Int, _ network: NetworkSchedule) throws -> Proxy
    /// The measurements, with the expected values.
    public var figures: [Figure]
    /// Values that were not measured, with the reasons.
    public var notes: [String]

    /// Whether every figure is within its tolerance.
    public var passes: Bool { figures.allSatisfy(\.isWithinTolerance) }

    /// Measures a profile at a server, or at the proxy that `startProxy` starts in front of one; throws if none can be started
    /// or no connection can be opened.
    public init(_ profile: NetworkProfile, through startProxy: ProxyStart? = nil) throws {
        figures = []
        notes = []
        if profile.dnsDelay > .zero {
            let delay = "DNS delay of \(profile.dnsDelay.secondsText) s"
            notes.append("\(delay): affects only the client, not emulated here")
        }
        guard !profile.isBlocked else {
            figures.append(try Self.silence(profile, startProxy))
            return
        }
        try measure(profile, startProxy)
        measureLoss(profile)
    }

    private mutating func measure(_ profile: NetworkProfile, _ startProxy: ProxyStart?) throws {
        // With losses, the random decisions would change the times.
        var timed = profile
        (timed.lossDown, timed.lossUp) = (0, 0)
        let server = try MeasurementServer(timed, through: startProxy)
        defer { server.stop() }
        try measureLatency(timed, server)
        if profile.down == nil {
            notes.append("download: unlimited")
        } else {
            try measureDownload(timed, server)
        }
        if profile.up == nil { notes.append("upload: unlimited") } else { try measureUpload(timed, server) }
    }

    /// The maximum number of measurements: a busy machine sometimes wakes late.
    private static let maximumAttempts = 3

    /// Adds the earliest of several measurements.
    private mutating func add(_ measure: () throws -> Figure) throws {
        let (figure, attempts) = try Self.earliest(measure)
        if attempts > 1 { notes.append("\(figure.name): measured \(attempts) times") }
        figures.append(figure)
    }

    /// Returns the earliest of several measurements, which are repeated while they are late; a machine is never early.
    static func earliest(_ measure: () throws -> Figure) rethrows -> (figure: Figure, attempts: Int) {
        var earliest = try measure()
        var attempts = 1
        while earliest.isLate, attempts < maximumAttempts {
            attempts += 1
            let figure = try measure()
            if figure.measured < earliest.measured { earliest = figure }
        }
        return (earliest, attempts)
    }

    private mutating func measureLatency(_ profile: NetworkProfile, _ server: MeasurementServer) throws {
        let setUp = profile.layer == .packet ? profile.roundTrip : .zero
        try add {
            let probe = try NetworkProbe(port: server.port)
            let seen = try probe.get("/small")
            return Figure(profile, "first answer on a new connection", seen, plus: setUp, content: 0)
        }
        let probe = try NetworkProbe(port: server.port)
        _ = try probe.get("/small")
        try add {
            let seen = try probe.get("/small")
            return Figure(profile, "answer on an open connection", seen, plus: .zero, content: 0)
        }
    }

    private mutating func measureDownload(_ profile: NetworkProfile, _ server: MeasurementServer) throws {
        let probe = try NetworkProbe(port: server.port)
        _ = try probe.get("/small")
        let (name, count) = ("download of \(server.downloadBytes) bytes", server.downloadBytes)
        try add { Figure(profile, name, try probe.get("/large"), plus: .zero, content: count) }
    }

    private mutating func measureUpload(_ profile: NetworkProfile, _ server: MeasurementServer) throws {
        guard let up = profile.up else { return }
        let probe = try NetworkProbe(port: server.port)
        let expected = Double(server.uploadBytes) / up
        let name = "upload of \(server.uploadBytes) bytes"
        if server.isBehindProxy { _ = try probe.get("/small") }
        try add {
            let seen = try probe.post("/small", count: server.uploadBytes)
            if server.isBehindProxy {
                return Figure(profile, "\(name), until the answer", seen, plus: .zero, content: 0)
            }
            let measured = server.lastUpload?.seconds ?? 0
            return Figure(name: "\(name), at the server", expected: expected, measured: measured)
        }
    }

    private mutating func measureLoss(_ profile: NetworkProfile) {
        for (name, loss) in [("down", profile.lossDown), ("up", profile.lossUp)] where loss > 0 {
            let draw = FaultDraw(seed: 0, scope: "check", request: name)
            let count = 200_000
            let lost = (0..<count).count { draw.unit(.body, "loss \(name) 0", $0) < loss }
            let share = Double(lost) / Double(count)
            figures.append(Figure(name: "share of packets lost \(name)", expected: loss, measured: share))
        }
        if profile.lossDown > 0 || profile.lossUp > 0 {
            notes.append(
                "a lost packet is a stall of \(profile.retransmission(0).secondsText) s, doubled at each repetition"
            )
        }
    }

    /// Measures that nothing arrives.
    private static func silence(_ profile: NetworkProfile, _ startProxy: ProxyStart?) throws -> Figure {
        let server = try MeasurementServer(profile, through: startProxy)
        defer { server.stop() }
        let probe = try NetworkProbe(port: server.port, timeoutMilliseconds: 500)
        let arrived = (try? probe.get("/small")) == nil ? 0.0 : 1
        return Figure(name: "answers within 0.5 s", expected: 0, measured: arrived)
    }
}

extension NetworkCheck.Figure {
    init(
        _ profile: NetworkProfile,
        _ name: String,
        _ seen: NetworkProbe.Exchange,
        plus setUp: Duration,
        content: Int
    ) {
        let time =
            profile.roundTrip + setUp + NetworkProfile.time(seen.sent, at: profile.up)
            + NetworkProfile.time(seen.headBytes + max(content, seen.contentBytes), at: profile.down)
        self.init(name: name, expected: time.seconds, measured: seen.seconds)
    }
}

/// A server on which a profile is measured, itself or through a proxy.
struct MeasurementServer {
    let downloadBytes: Int
    let uploadBytes: Int
    private let server: MockServer
    private let namespace: OriginNamespace
    private var proxy: NetworkCheck.Proxy?

    init(_ profile: NetworkProfile, through startProxy: NetworkCheck.ProxyStart?) throws {
        let clock = SystemClock()
        downloadBytes = Self.size(profile.down)
        uploadBytes = Self.size(profile.up)
        server = MockServer(clock: clock)
        try server.start()
        namespace = server.open(
            token: "check",
            routes: Self.routes(downloadBytes: downloadBytes),
            clock: clock,
            startedAt: clock.wallSeconds
        )
        let network = NetworkSchedule(NetworkSchedule.Phase(profile))
        if let startProxy {
            do {
                proxy = try startProxy(server.port ?? 0, network)
            } catch {
                server.stop()
                throw error
            }
        } else {
            namespace.use(network: network)
        }
    }

    private static func routes(downloadBytes: Int) -> [Route] {
        var small = Answer()
        small.body = .text("one")
        var large = Answer()
        large.body = .generated(size: downloadBytes)
        return [
            Route(label: "large", path: .exact("/large"), answers: [large]),
            Route(label: "small", answers: [small]),
        ]
    }

    var isBehindProxy: Bool { proxy != nil }
    var port: Int { proxy?.port ?? server.port ?? 0 }
    /// The time in which the server read the content of the last request; `nil` behind a proxy, which emulates the
    /// network.
    var lastUpload: Duration? { namespace.lastUpload }

    func stop() {
        proxy?.stop()
        server.stop()
    }

    /// Returns the number of bytes that take about a second, up to the server's limit.
    private static func size(_ rate: Double?) -> Int {
        guard let rate else { return 1000 }
        return min(max(Int(rate), 500), 8 << 20)
    }
}
