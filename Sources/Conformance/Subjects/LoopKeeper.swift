import CacheClient
import Locks
import Scenarios

/// Has a client's loop ready for each scenario: what starts behind its back, on a thread of this, need not be waited for.
///
/// A loop is used once, so that no connection goes from one scenario to the next.
final class LoopKeeper: Sendable {
    private struct State {
        var ready: [ClientLoop] = []
        /// Whether the system still gives threads; the scenario that gets none tells it.
        var isPreparing: Bool
        var isStopping = false
        var thread: JobThread?
    }
    private static let readyLimit = 2
    private static let usual = ClientSettings().connectionsPerHost
    private let state: Lock<State>
    private let signal = Signal()

    /// Creates a keeper; one that prepares nothing starts each loop when it is asked for.
    init(prepares: Bool) {
        state = Lock(State(isPreparing: prepares))
        guard prepares else { return }
        let thread = JobThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns a loop that nobody has used.
    func take(_ connectionsPerHost: Int) throws(SubjectError) -> ClientLoop {
        if connectionsPerHost == Self.usual, let loop = state.withLock({ $0.ready.popLast() }) {
            signal.raise()
            return loop
        }
        return try Self.start(connectionsPerHost)
    }

    /// Starts a loop.
    static func start(_ connectionsPerHost: Int) throws(SubjectError) -> ClientLoop {
        do throws(TransportError) {
            return try ClientLoop(connectionsPerHost: connectionsPerHost)
        } catch {
            throw SubjectError(error.description)
        }
    }

    /// Ends the loops that nobody took; to be called once, after the last scenario.
    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            return state.thread
        }
        signal.raise()
        thread?.join()
        state.withLock { $0.ready = [] }
    }

    private func keep() {
        while true {
            let seen = signal.count
            let (isOver, isShort) = state.withLock { state in
                (state.isStopping, state.isPreparing && state.ready.count < Self.readyLimit)
            }
            if isOver { return }
            if isShort { prepare() } else { _ = signal.wait(after: seen) }
        }
    }

    private func prepare() {
        do throws(SubjectError) {
            let loop = try Self.start(Self.usual)
            state.withLock { $0.ready.append(loop) }
        } catch {
            state.withLock { $0.isPreparing = false }
        }
    }
}
