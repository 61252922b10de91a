import Clocks
import HTTPServing
import Locks
import OriginScript

/// One direction of a connection through a Toxiproxy proxy.
final class ToxicLink: Sendable {
    private struct State {
        var track: ToxicTrack
        var entries: [ToxicTrack.Entry] = []
        /// The number of entries that were performed.
        var performed = 0
        var queued = 0
        /// The kind of the connection's immediate end; `nil` while it continues.
        var end: ConnectionEnd?
        var isFinished = false
        /// Released at each change of this state.
        var changed = Hold()

        mutating func add(_ more: [ToxicTrack.Entry]) {
            entries += more
            for case .send(let bytes) in more.map(\.action) { queued += bytes.count }
        }

        /// Removes the first entry; the memory of many at once.
        mutating func remove() {
            performed += 1
            guard performed == entries.count || performed > 4096 else { return }
            entries.removeFirst(performed)
            performed = 0
        }
    }
    private enum Step {
        case perform(ToxicTrack.Action)
        /// Waits for a change, at most for a time.
        case wait(Hold, Duration?)
    }
    private let source: DuplexStream
    private let destination: DuplexStream
    private let clock: any TimeSource
    private let state: Lock<State>

    init(_ source: DuplexStream, _ destination: DuplexStream, _ track: ToxicTrack, clock: any TimeSource) {
        (self.source, self.destination, self.clock) = (source, destination, clock)
        state = Lock(State(track: track))
    }

    /// Passes bytes until the direction ends; returns the end of both directions, `nil` for this one alone.
    func run() async -> ConnectionEnd? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.receive() }
            let end = await self.send()
            // The receiver waits for bytes or for room.
            if end != nil { source.interrupt() }
            change { $0.isFinished = true }
            await group.waitForAll()
            return end
        }
    }

    /// Uses other toxics from now on.
    func use(_ toxics: [Toxic]) {
        let now = clock.elapsed
        change { state in
            switch state.track.use(toxics, at: now) {
            case .keeps: break
            case .flushes: for index in state.entries.indices { state.entries[index].due = now }
            case .ends(let end): state.end = end
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let changed = state.withLock { state in
            body(&state)
            defer { state.changed = Hold() }
            return state.changed
        }
        changed.release()
    }

    // MARK: Receiving

    private func receive() async {
        while await hasRoom() {
            let received = await source.read(32 << 10)
            let now = clock.elapsed
            change { state in
                switch received {
                case .bytes(let bytes): state.add(state.track.take(bytes, at: now))
                case .end: state.add(state.track.finish(at: now, isReset: false))
                case .failed: state.add(state.track.finish(at: now, isReset: true))
                }
            }
            guard case .bytes = received else { return }
        }
    }

    /// Waits until bytes may be read; returns false if they are no longer needed.
    private func hasRoom() async -> Bool {
        while true {
            let (hasEnded, isFull, changed) = state.withLock {
                ($0.isFinished || $0.end != nil, $0.queued > $0.track.capacity, $0.changed)
            }
            if hasEnded { return false }
            if !isFull { return true }
            guard await Waiting.forFirst([.release(of: changed)]) else { return false }
        }
    }

    // MARK: Sending

    private func send() async -> ConnectionEnd? {
        while true {
            switch next() {
            case .perform(.send(let bytes)):
                guard await destination.write(bytes) else { return .close }
                change { $0.queued -= bytes.count }
            case .perform(.finish):
                await destination.endWriting()
                return nil
            case .perform(.end(let end)): return end
            case .wait(let changed, let time):
                let timer = time.map { [Waiting.time($0, clock)] } ?? []
                guard await Waiting.forFirst([.release(of: changed)] + timer) else { return .close }
            }
        }
    }

    private func next() -> Step {
        let now = clock.elapsed
        return state.withLock { state in
            if let end = state.end { return .perform(.end(end)) }
            let deadline = state.track.deadline
            if let deadline, deadline.time <= now { return .perform(.end(deadline.end)) }
            let first = state.entries.dropFirst(state.performed).first
            if let first, first.due <= now {
                state.remove()
                return .perform(first.action)
            }
            let times = [deadline?.time, first?.due].compactMap { $0 }
            return .wait(state.changed, times.min().map { $0 - now })
        }
    }
}
