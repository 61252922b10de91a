import Locks

// The loop's work on the thread of a task that would otherwise wait.
extension LoopCore {
    /// Starts an exchange; on the loop's own thread at once, so that its request is on its way while the caller
    /// continues.
    ///
    /// Commands that follow may start exchanges, too: all their requests are then sent one right after another, so
    /// that the server is not woken for each.
    ///
    /// A server may be so fast that its response has arrived by then, too. It is reported at once, unless a task that
    /// never waits could keep others waiting.
    func start(_ exchange: CurlExchange) {
        guard isOnLoopThread, !multi.isInside else { return post(.start(exchange)) }
        enter(exchange)
        if hasMoreCommands { return }
        let isFree = hasThread && !isDelivering && pool.activeCount < 2 && hasNoCommands
        multi.performDue()
        if isFree { endTransfers() }
    }

    /// Polls briefly for the next input instead of suspending the task that would otherwise wait; false if this is not
    /// the loop's thread, nothing has arrived, or there is something else to do.
    func workInPlace() -> Bool {
        guard isOnLoopThread, hasThread, !hasMoreCommands, !multi.isInside, !isDelivering, hasNoCommands
        else {
            return false
        }
        multi.performDue()
        deliver()
        removeFinished()
        let due = multi.dueIn
        if due == 0 { return true }
        guard beginToWait() else { return false }
        return poll(atMost: Self.momentInMilliseconds, due, isEager: true)
    }

    private var hasNoCommands: Bool { shared.withLock { $0.commands.isEmpty } }

    /// The longest delay of a cancellation.
    private static let momentInMilliseconds = 1

    /// Returns whether to wait: not with a command, a requested end, or an idle observer, for which a task that
    /// continues is work.
    private func beginToWait() -> Bool {
        shared.withLock { shared in
            guard shared.commands.isEmpty, !shared.isSignalled, shared.idleObservers.isEmpty else {
                return false
            }
            shared.isPolling = true
            return true
        }
    }

    /// Changes what is known about connections; returns the result of the change.
    func note<Result>(_ change: (inout ConnectionTable) -> Result) -> Result {
        shared.withLock { change(&$0.connections) }
    }
}
