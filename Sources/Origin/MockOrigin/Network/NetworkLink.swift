import Clocks
package import HTTPServing
import Locks
package import OriginScript

/// The network between an origin and its clients, emulated by the times of reads and writes; it needs no thread.
///
/// A server in user space sees no packets: a lost one is a stall of the time that its retransmission takes, for all
/// that comes behind it.
package final class NetworkLink: Sendable {
    private struct State {
        var schedule: NetworkSchedule
        var begin: Duration
        /// The time at which the last reserved byte would have passed, shared by all connections.
        var downFreeAt = Duration.zero
        /// The same in the other direction, for proxies.
        var upFreeAt = Duration.zero
        var uploads: [String: Duration] = [:]
        var lastUpload: Duration?
        /// Holds everything that a phase without end blocks, until the network changes.
        var blockade = Hold()
    }
    private let clock: any TimeSource
    private let seed: UInt64
    private let scope: String
    private let state: Lock<State>

    init(_ schedule: NetworkSchedule, clock: any TimeSource, seed: UInt64, scope: String) {
        self.clock = clock
        self.seed = seed
        self.scope = scope
        state = Lock(State(schedule: schedule, begin: clock.elapsed))
    }

    /// Changes the network; its phases are counted from now.
    func use(_ schedule: NetworkSchedule) {
        let blockade = state.withLock { state in
            (state.schedule, state.begin) = (schedule, clock.elapsed)
            defer { state.blockade = Hold() }
            return state.blockade
        }
        blockade.release()
    }

    /// The time that reading the content of the last request took; `nil` before the first.
    var lastUpload: Duration? { state.withLock { $0.lastUpload } }

    /// The current profile and its remaining time; `nil` means no limit.
    package var present: (profile: NetworkProfile, left: Duration?) {
        let now = clock.elapsed
        let (schedule, begin) = state.withLock { ($0.schedule, $0.begin) }
        let (profile, until) = schedule.profile(at: now - begin)
        return (profile, until.map { $0 - (now - begin) })
    }

    /// Holds what a rate of 0 blocks until the network changes.
    package var blockade: Hold { state.withLock { $0.blockade } }

    // MARK: From the client

    /// Returns the pace for reading the content of a request.
    func reading(of request: ServedRequest, name: String, observer: (any ReadingObserver)?) -> RequestReading
    {
        var reading = RequestReading(clock: clock, observer: observer)
        let (profile, left) = present
        let now = clock.elapsed
        state.withLock { $0.uploads[Self.key(request)] = now }
        if profile.isBlocked {
            reading.stops = [.init(after: 0, left.map { .wait($0) } ?? .hold(blockade))]
            return reading
        }
        reading.bytesPerSecond = profile.up.map { max(1, Int($0)) }
        let length = max(0, request.fields.combined(FieldName.contentLength).flatMap { Int($0) } ?? 0)
        let stall = stalls(0..<length, profile, .up, name, of: " content")
        if stall > .zero { reading.stops = [.init(after: 0, .wait(stall))] }
        return reading
    }

    /// Records that a request has been read.
    func wasRead(_ request: ServedRequest) {
        let now = clock.elapsed
        state.withLock { state in
            guard let start = state.uploads.removeValue(forKey: Self.key(request)) else { return }
            state.lastUpload = now - start
        }
    }

    private static func key(_ request: ServedRequest) -> String {
        "\(request.connection) \(request.requestsBefore)"
    }

    // MARK: To the client

    /// Returns the reply as throttled by the network.
    func shaped(_ reply: RawReply, to request: ServedRequest, name: String) -> RawReply {
        var reply = reply
        let rest = RawReply.Rest(reply.steps, ending: reply.ending)
        // Two spaces, the version, and the ends of the line and of the head.
        let head = request.fields.reduce(request.method.utf8.count + request.target.utf8.count + 14) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
        let isNew = request.requestsBefore == 0
        reply.steps = [.decide { self.opening(rest, headBytes: head, isNewConnection: isNew, name) }]
        return reply
    }

    /// Returns the reply after the time that passes before its first byte arrives.
    private func opening(
        _ rest: RawReply.Rest,
        headBytes: Int,
        isNewConnection: Bool,
        _ name: String
    ) -> RawReply.Rest {
        let (profile, left) = present
        if profile.isBlocked {
            let go = RawReply.Step.decide {
                self.opening(rest, headBytes: headBytes, isNewConnection: isNewConnection, name)
            }
            return blocked(left, go)
        }
        let time =
            profile.delay(.up, isNewConnection ? .connection : .message) + profile.delay(.down, .message)
            + profile.time(of: headBytes, .up) + stalls(0..<headBytes, profile, .up, name, of: " head")
        let due = clock.elapsed + time
        return waiting(time) { self.next(rest, Progress(due: due), name) }
    }

    /// The progress of a response.
    private struct Progress {
        /// The number of bytes that have passed.
        var sent = 0
        /// The time at which the response would continue if the machine never woke late.
        var due: Duration
    }

    /// Returns the next steps of the response.
    private func next(_ rest: RawReply.Rest, _ progress: Progress, _ name: String) -> RawReply.Rest {
        guard let step = rest.steps.first else { return rest }
        let later = RawReply.Rest(Array(rest.steps.dropFirst()), ending: rest.ending)
        switch step {
        case .write(let bytes): return write(bytes, later, progress, name)
        case .produce(let producer): return produce(producer, later, progress, name)
        case .decide(let decide): return next(decide(), progress, name)
        case .end(let ending): return RawReply.Rest([], ending: ending)
        default: return RawReply.Rest([step, goOn(later, sent: progress.sent, name)], ending: rest.ending)
        }
    }

    /// Continues from the time at which the step is reached.
    private func goOn(_ rest: RawReply.Rest, sent: Int, _ name: String) -> RawReply.Step {
        .decide { self.next(rest, Progress(sent: sent, due: self.clock.elapsed), name) }
    }

    private func write(
        _ bytes: ArraySlice<UInt8>,
        _ later: RawReply.Rest,
        _ progress: Progress,
        _ name: String
    ) -> RawReply.Rest {
        let (profile, left) = present
        var rest = later
        if profile.isBlocked {
            rest.steps.insert(.write(bytes), at: 0)
            return blocked(left, goOn(rest, sent: progress.sent, name))
        }
        let size = profile.piece(of: bytes.count, .down)
        if size < bytes.count { rest.steps.insert(.write(bytes.dropFirst(size)), at: 0) }
        let range = progress.sent..<progress.sent + size
        let stall = stalls(range, profile, .down, name)
        let due = reserve(profile.time(of: size, .down), .down, from: progress.due) + stall
        let wait = due - clock.elapsed
        let (following, passed) = (rest, Progress(sent: progress.sent + size, due: due))
        let send = RawReply.Step.write(bytes.prefix(size))
        let go = RawReply.Step.decide { self.next(following, passed, name) }
        return RawReply.Rest((wait > .zero ? [.pause { wait }] : []) + [send, go], ending: later.ending)
    }

    /// Returns the next steps of content that is produced while it is written.
    private func produce(
        _ producer: ContentProducer,
        _ later: RawReply.Rest,
        _ progress: Progress,
        _ name: String
    ) -> RawReply.Rest {
        let count = min(producer.count, Self.largestPiece)
        if count == 0 { return next(later, progress, name) }
        guard let bytes = producer.bytes(0..<count), bytes.count == count else {
            return RawReply.Rest([], ending: .cut)
        }
        var rest = later
        rest.steps.insert(.produce(producer.dropFirst(count)), at: 0)
        return write(bytes, rest, progress, name)
    }

    /// The number of bytes of large content that are in memory at once.
    private static let largestPiece = 64 << 10

    /// Reserves a duration of one direction, from when it is due and free, and returns its end; `nil` is due now.
    package func reserve(
        _ time: Duration,
        _ direction: NetworkProfile.Direction,
        from due: Duration? = nil
    ) -> Duration {
        let now = clock.elapsed
        // Compensates for late wake-ups, but not for time in which the client read nothing.
        let begin = due.map { now - $0 > Self.maximumLateness ? now : $0 } ?? now
        return state.withLock { state in
            let path = direction == .up ? \State.upFreeAt : \State.downFreeAt
            state[keyPath: path] = max(state[keyPath: path], begin) + time
            return state[keyPath: path]
        }
    }

    private static let maximumLateness = Duration.milliseconds(100)

    private func blocked(_ left: Duration?, _ go: RawReply.Step) -> RawReply.Rest {
        RawReply.Rest([left.map { left in .pause { left } } ?? .hold(blockade), go], ending: .close)
    }

    private func waiting(_ time: Duration, _ go: @escaping @Sendable () -> RawReply.Rest) -> RawReply.Rest {
        RawReply.Rest((time > .zero ? [.pause { time }] : []) + [.decide(go)], ending: .close)
    }

    // MARK: Loss

    /// Returns the total delay by losses among the packets that begin in these bytes of a part of a message.
    package func stalls(
        _ bytes: Range<Int>,
        _ profile: NetworkProfile,
        _ direction: NetworkProfile.Direction,
        _ name: String,
        of part: String = ""
    ) -> Duration {
        let loss = direction == .up ? profile.lossUp : profile.lossDown
        guard loss > 0, !bytes.isEmpty else { return .zero }
        let draw = FaultDraw(seed: seed, scope: scope, request: name)
        let size = NetworkProfile.packetBytes
        let packets = (bytes.lowerBound + size - 1) / size..<(bytes.upperBound + size - 1) / size
        return packets.reduce(.zero) { time, packet in
            var time = time
            var attempt = 0
            while attempt < 16,
                draw.unit(.body, "loss \(direction.rawValue)\(part) \(attempt)", packet) < loss
            {
                time += profile.retransmission(attempt)
                attempt += 1
            }
            return time
        }
    }
}
