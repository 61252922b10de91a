import Clocks
import Locks
import OriginScript

/// Refuses connections while a window is open.
final class OutageSchedule: Sendable {
    private struct State {
        var isRefusing = false
        var sleeper: Sleeper?
        var isFinished = false
    }
    private let windows: [FaultWindow]
    private let clock: any TimeSource
    private let begin: Duration
    private let refuse: @Sendable (Bool) -> Void
    private let state = Lock(State())

    /// Creates a schedule whose windows are counted from now; `refuse` is called at each change.
    init(_ windows: [FaultWindow], clock: any TimeSource, refuse: @escaping @Sendable (Bool) -> Void) {
        self.windows = windows
        self.clock = clock
        begin = clock.elapsed
        self.refuse = refuse
    }

    /// Whether connections are refused at this time.
    var isRefusing: Bool {
        let elapsed = clock.elapsed - begin
        return windows.contains { $0.isOpen(at: elapsed) }
    }

    /// Applies the present state and schedules the next change.
    func start() {
        guard !windows.isEmpty else { return }
        let isRefusing = isRefusing
        let hasChanged = state.withLock { state in
            defer { state.isRefusing = isRefusing }
            return !state.isFinished && state.isRefusing != isRefusing
        }
        if hasChanged { refuse(isRefusing) }
        let elapsed = clock.elapsed - begin
        guard let next = windows.compactMap({ $0.nextChange(after: elapsed) }).min() else { return }
        let sleeper = clock.schedule(after: next - elapsed) { [weak self] in self?.start() }
        let isFinished = state.withLock { state in
            state.sleeper = sleeper
            return state.isFinished
        }
        if isFinished { sleeper.cancel() }
    }

    /// Stops all further changes; returns whether connections are refused.
    @discardableResult
    func stop() -> Bool {
        let (sleeper, isRefusing) = state.withLock { state in
            state.isFinished = true
            return (state.sleeper, state.isRefusing)
        }
        sleeper?.cancel()
        return isRefusing
    }
}
