import Locks

/// Orders the starts and stops of a server: a second start does not open another listener, and a stop leaves none open.
struct StartState: Sendable {
    private enum Phase {
        case stopped
        case starting
        case started
        case stopping
    }
    private let phase = Monitor(Phase.stopped)

    /// Runs `start`; throws `alreadyStarted` until a start that has succeeded is followed by a stop, and while another runs.
    func begin(_ start: () throws(ServerError) -> Void) throws(ServerError) {
        let isFirst = phase.withLock { phase in
            guard phase == .stopped else { return false }
            phase = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        do throws(ServerError) {
            try start()
        } catch {
            enter(.stopped)
            throw error
        }
        enter(.started)
    }

    /// Runs `stop`, after a start that is running, and permits another start.
    func end(_ stop: () -> Void) {
        let isFirst = phase.wait { phase, _ -> Monitor<Phase>.Evaluation<Bool> in
            switch phase {
            case .starting: return .wait()
            // May be a thread that the other stop waits for.
            case .stopping: return .done(false)
            case .stopped, .started:
                phase = .stopping
                return .done(true)
            }
        }
        stop()
        if isFirst { enter(.stopped) }
    }

    private func enter(_ new: Phase) {
        phase.withLock { $0 = new }
        phase.wakeAll()
    }
}
