import Clocks
import HTTPServing

/// Something that a task can wait for.
enum Waiting: Sendable {
    case release(of: Hold)
    case time(Duration, any TimeSource)

    /// Suspends the task until the first of some events; false if the task was cancelled.
    static func forFirst(_ events: [Waiting]) async -> Bool {
        let ended: Void? = try? await Sleeper.sleep { wake in
            var sleepers: [Sleeper] = []
            for event in events {
                guard let sleeper = event.arrange(wake) else {
                    for sleeper in sleepers { sleeper.cancel() }
                    return nil
                }
                sleepers.append(sleeper)
            }
            return Sleeper { [sleepers] in for sleeper in sleepers { sleeper.cancel() } }
        }
        return ended != nil
    }

    private func arrange(_ wake: @escaping @Sendable () -> Void) -> Sleeper? {
        switch self {
        case .release(let hold): hold.wait(wake)
        case .time(let time, let clock): clock.schedule(after: time, wake)
        }
    }
}

extension Hold {
    /// Whether it is released.
    var isReleased: Bool {
        guard let sleeper = wait({}) else { return true }
        sleeper.cancel()
        return false
    }
}
