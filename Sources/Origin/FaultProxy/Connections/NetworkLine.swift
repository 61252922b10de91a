import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript

/// The emulated network in one direction of a connection: bytes arrive later, and no faster than its rate.
final class NetworkLine: Sendable {
    private struct Entry {
        let bytes: ArraySlice<UInt8>
        let due: Duration
    }
    private struct State {
        var entries: [Entry] = []
        var queued = 0
        var isSending = false
        var isLost = false
        var lastDue = Duration.zero
        /// Bytes that were written, by which losses are drawn.
        var written = 0
        /// Waits until at most this many bytes are queued.
        var waiter: (most: Int, continuation: UnsafeContinuation<Void, Never>)?
    }
    private let stream: DuplexStream
    private let direction: NetworkProfile.Direction
    private let name: String
    private let gone: Hold
    private let clock: any TimeSource
    private let state = Locked(State())

    init(
        _ stream: DuplexStream,
        _ direction: NetworkProfile.Direction,
        name: String,
        gone: Hold,
        clock: any TimeSource
    ) {
        self.stream = stream
        self.direction = direction
        self.name = name
        self.gone = gone
        self.clock = clock
    }

    /// Sends bytes over the network; waits while too much is on its way.
    ///
    /// Returns false once the connection is lost.
    func write(_ bytes: ArraySlice<UInt8>, over link: NetworkLink, _ opening: NetworkProfile.Opening) async
        -> Bool
    {
        var (rest, opening) = (bytes, opening)
        while !rest.isEmpty {
            let (profile, left) = link.present
            if profile.isBlocked {
                guard await passes(link.blockade, after: left) else { return false }
                continue
            }
            let size = profile.piece(of: rest.count, direction)
            send(rest.prefix(size), over: link, profile, opening)
            opening = .nothing
            rest = rest.dropFirst(size)
            // As much as is on its way, and what a tenth of a second takes.
            let ahead = (profile.rate(direction) ?? 40e6) * (0.1 + profile.roundTrip.seconds)
            await wait(untilQueued: max(16 << 10, Int(min(ahead, 4e6))))
            if state.withLock({ $0.isLost }) { return false }
        }
        return true
    }

    /// Returns the time that a request of this many bytes takes to arrive.
    func requestTime(_ count: Int, over link: NetworkLink, _ opening: NetworkProfile.Opening) -> Duration {
        let profile = link.present.profile
        let passed = link.reserve(profile.time(of: count, .up), .up)
        return passed - clock.elapsed + profile.delay(.up, opening)
    }

    /// Whether nothing is on its way and the connection is not lost, so that `flush()` has nothing to wait for.
    var isIdle: Bool { state.withLock { $0.queued == 0 && !$0.isLost } }

    /// Waits until everything has arrived; returns false once the connection is lost.
    func flush() async -> Bool {
        await wait(untilQueued: 0)
        return !state.withLock { $0.isLost }
    }

    private func passes(_ blockade: Hold, after left: Duration?) async -> Bool {
        let opened = left.map { Waiting.time($0, clock) } ?? .release(of: blockade)
        return await Waiting.forFirst([opened, .release(of: gone)]) && !gone.isReleased
    }

    // MARK: Sending

    private func send(
        _ bytes: ArraySlice<UInt8>,
        over link: NetworkLink,
        _ profile: NetworkProfile,
        _ opening: NetworkProfile.Opening
    ) {
        let time = profile.time(of: bytes.count, direction)
        let passed = link.reserve(time, direction)
        let offset = state.withLock { $0.written }
        let stalls = link.stalls(offset..<offset + bytes.count, profile, direction, name)
        let delay = profile.delay(direction, opening)
        let starts = state.withLock { state in
            state.lastDue = max(passed + delay, state.lastDue + time) + stalls
            state.entries.append(Entry(bytes: bytes, due: state.lastDue))
            state.queued += bytes.count
            state.written += bytes.count
            defer { state.isSending = true }
            return !state.isSending
        }
        if starts, !stream.loop.run({ await self.sendAll() }) { lose() }
    }

    private func sendAll() async {
        while let entry = next() {
            let left = entry.due - clock.elapsed
            if left > .zero, (try? await clock.sleep(for: left)) == nil { return lose() }
            guard await stream.write(entry.bytes) else { return lose() }
            sent(entry.bytes.count)
        }
    }

    private func next() -> Entry? {
        state.withLock { state in
            if state.entries.isEmpty {
                state.isSending = false
                return nil
            }
            return state.entries.removeFirst()
        }
    }

    private func sent(_ count: Int) {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            state.queued -= count
            guard let waiter = state.waiter, state.queued <= waiter.most else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
    }

    private func lose() {
        let waiter = state.withLock { state in
            (state.isLost, state.entries) = (true, [])
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.continuation.resume()
    }

    private func wait(untilQueued most: Int) async {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.queued > most, !state.isLost else { return false }
                state.waiter = (most, continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }
}
