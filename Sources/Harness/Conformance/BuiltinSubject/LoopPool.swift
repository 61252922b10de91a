import CacheClient
import Locks
import Scenarios
import Threads

/// Keeps a client's loop ready for each scenario and ends it afterwards, on a separate thread that no scenario waits
/// for.
///
/// A loop is used once, so that no connection is shared by scenarios. It has no thread: the thread that runs the
/// scenario's steps drives it while waiting, so a request needs no thread switches except the origin's.
final class LoopPool: Sendable {
    private enum Task {
        case prepare
        case end(ClientLoop)
        case rest
        case stop
    }
    private struct State {
        var ready: [ClientLoop] = []
        var used: [ClientLoop] = []
        /// Whether the system still provides loops; the scenario that gets none reports the problem.
        var isPreparing = true
        var isStopping = false
        var thread: SystemThread?
    }
    private static let readyLimit = 8
    /// The number of used loops that are kept for a while, until nothing uses them any more.
    private static let lingerLimit = 2
    /// The number of loops that must be used or missing before the thread is woken, which takes longer than its work.
    private static let batch = 6
    private static let usual = ClientSettings().connectionsPerHost
    private let state = Lock(State())
    private let signal = Signal()

    /// Creates a pool and starts its thread.
    init() {
        let thread = SystemThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns an unused loop.
    func take(_ connectionsPerHost: Int = usual) throws(SubjectError) -> ClientLoop {
        guard connectionsPerHost == Self.usual else { return try Self.make(connectionsPerHost) }
        let (loop, isLow) = state.withLock { state in
            (state.ready.popLast(), state.ready.count <= Self.readyLimit - Self.batch)
        }
        if isLow { signal.raise() }
        if let loop { return loop }
        return try Self.make(connectionsPerHost)
    }

    /// Takes back a loop that no longer runs, and ends it soon.
    func giveBack(_ loop: ClientLoop) {
        let count = state.withLock { state in
            state.used.append(loop)
            return state.used.count
        }
        if count > Self.lingerLimit + Self.batch { signal.raise() }
    }

    /// Ends the loops that are not in use; called once, after the last scenario.
    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            return state.thread
        }
        signal.raise()
        thread?.join()
        let (used, _) = state.withLock { state in
            defer { (state.used, state.ready) = ([], []) }
            return (state.used, state.ready)
        }
        for loop in used { Self.end(loop) }
    }

    private static func make(_ connectionsPerHost: Int) throws(SubjectError) -> ClientLoop {
        do throws(TransportError) {
            return try ClientLoop(drivenWith: connectionsPerHost)
        } catch {
            throw SubjectError(error.description)
        }
    }

    private func keep() {
        while true {
            let seen = signal.count
            switch nextTask() {
            case .prepare: prepare()
            case .end(let loop): Self.end(loop)
            case .rest: _ = signal.wait(after: seen)
            case .stop: return
            }
        }
    }

    private func nextTask() -> Task {
        state.withLock { state in
            if state.isStopping { return .stop }
            if state.isPreparing, state.ready.count < Self.readyLimit { return .prepare }
            return state.used.count > Self.lingerLimit ? .end(state.used.removeFirst()) : .rest
        }
    }

    private func prepare() {
        do throws(SubjectError) {
            let loop = try Self.make(Self.usual)
            state.withLock { $0.ready.append(loop) }
        } catch {
            state.withLock { $0.isPreparing = false }
        }
    }

    /// Cancels the requests that a loop still carries; tasks on it that wait for something else must be able to end.
    private static func end(_ loop: consuming ClientLoop) {
        loop.close()
        if !isKnownUniquelyReferenced(&loop) { _ = loop.startThread() }
    }
}
