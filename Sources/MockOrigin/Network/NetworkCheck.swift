public import OriginScript
import Clocks

/// What the emulator of a profile really does, measured over sockets of this machine.
public struct NetworkCheck: Sendable {
    /// One measurement beside what the profile says.
    public struct Figure: Sendable {
        /// What was measured.
        public var name: String
        /// What the profile says, in seconds or, without a tolerance in time, as a share.
        public var expected: Double
        /// What was seen.
        public var measured: Double

        /// Whether it lies within 5 % or 2 ms, whichever is larger.
        public var isWithinTolerance: Bool {
            (measured - expected).magnitude <= max(expected * 0.05, 0.002)
        }
    }
    /// The measurements.
    public var figures: [Figure]
    /// What was not measured, and why.
    public var notes: [String]

    /// Whether every figure is within its tolerance.
    public var passes: Bool { figures.allSatisfy(\.isWithinTolerance) }

    /// Measures a profile; throws when no server can be started or no connection be made.
    public init(_ profile: NetworkProfile) throws {
        figures = []
        notes = []
        if profile.dnsDelay > .zero {
            notes.append("DNS delay of \(profile.dnsDelay.seconds) s: the client's affair, not emulated here")
        }
        // Losses would make the times those of the draws.
        var timed = profile
        (timed.lossDown, timed.lossUp) = (0, 0)
        if profile.isBlocked {
            figures.append(try Self.silence(profile))
            return
        }
        let stage = try NetworkStage(timed)
        defer { stage.stop() }
        try measureLatency(timed, stage)
        try measureDownload(timed, stage)
        try measureUpload(timed, stage)
        measureLoss(profile)
    }

    private mutating func measureLatency(_ profile: NetworkProfile, _ stage: NetworkStage) throws {
        let setUp = profile.layer == .packet ? profile.roundTrip : .zero
        let probes = try (0..<3).map { _ in try NetworkProbe(port: stage.port) }
        // The best of three: a machine that does other things wakes late.
        let first = try Self.best(probes.map { try $0.get("/small") })
        figures.append(Figure(profile, "first answer on a new connection", first, plus: setUp, content: 0))
        let open = try Self.best(probes.map { try $0.get("/small") })
        figures.append(Figure(profile, "answer on an open connection", open, plus: .zero, content: 0))
    }

    private static func best(_ seen: [NetworkProbe.Exchange]) throws -> NetworkProbe.Exchange {
        guard let best = seen.min(by: { $0.seconds < $1.seconds }) else {
            throw NetworkProbe.Failure(description: "nothing was measured")
        }
        return best
    }

    private mutating func measureDownload(_ profile: NetworkProfile, _ stage: NetworkStage) throws {
        guard profile.down != nil else {
            notes.append("download: unlimited")
            return
        }
        let probe = try NetworkProbe(port: stage.port)
        _ = try probe.get("/small")
        let seen = try probe.get("/large")
        figures.append(
            Figure(
                profile,
                "download of \(stage.downloadBytes) bytes",
                seen,
                plus: .zero,
                content: stage.downloadBytes
            )
        )
    }

    private mutating func measureUpload(_ profile: NetworkProfile, _ stage: NetworkStage) throws {
        guard let up = profile.up else {
            notes.append("upload: unlimited")
            return
        }
        let probe = try NetworkProbe(port: stage.port)
        _ = try probe.post("/small", count: stage.uploadBytes)
        let measured = stage.lastUpload?.seconds ?? 0
        let expected = Double(stage.uploadBytes) / up
        let name = "upload of \(stage.uploadBytes) bytes, at the server"
        figures.append(Figure(name: name, expected: expected, measured: measured))
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
                "a lost packet is a stall of \(profile.retransmission(0).seconds) s, doubled at each repetition"
            )
        }
    }

    /// Nothing must arrive.
    private static func silence(_ profile: NetworkProfile) throws -> Figure {
        let stage = try NetworkStage(profile)
        defer { stage.stop() }
        let probe = try NetworkProbe(port: stage.port, patienceMilliseconds: 500)
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

/// A server on which a profile is measured.
struct NetworkStage {
    let downloadBytes: Int
    let uploadBytes: Int
    private let server: MockServer
    private let namespace: OriginNamespace

    init(_ profile: NetworkProfile) throws {
        let clock = SystemClock()
        downloadBytes = Self.size(profile.down)
        uploadBytes = Self.size(profile.up)
        server = MockServer(clock: clock)
        try server.start()
        var small = Answer()
        small.body = .text("one")
        var large = Answer()
        large.body = .generated(size: downloadBytes)
        namespace = server.open(
            token: "check",
            routes: [
                Route(label: "large", path: .exact("/large"), answers: [large]),
                Route(label: "small", answers: [small]),
            ],
            clock: clock,
            startedAt: clock.wallSeconds,
            network: NetworkSchedule(NetworkSchedule.Phase(profile))
        )
    }

    var port: UInt16 { server.port }
    var lastUpload: Duration? { namespace.lastUpload }

    func stop() { server.stop() }

    /// What takes about a second, as far as the server takes it.
    private static func size(_ rate: Double?) -> Int {
        guard let rate else { return 1000 }
        return min(max(Int(rate), 500), 8 << 20)
    }
}
