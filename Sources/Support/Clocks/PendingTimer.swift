/// A receiver of timer callbacks.
public protocol TimerTarget: AnyObject, Sendable {
    /// Called when the deadline is reached, on a thread that the clock chooses; must not block.
    func timerFired()
}

/// A pending timer, which the clock that created it can cancel.
public struct PendingTimer: Sendable {
    enum Kind: Sendable {
        case ticket(TimerQueue.Ticket)
        case sleeper(Sleeper)
    }
    let kind: Kind

    init(_ ticket: TimerQueue.Ticket) { kind = .ticket(ticket) }

    init(_ sleeper: Sleeper) { kind = .sleeper(sleeper) }
}
