import Locks

// What the loop does in the midst of a task that runs on its thread, in place of the task's waiting.
extension LoopCore {
    /// Begins an exchange; on the loop's own thread at once, so that its request is on its way while the caller goes on.
    ///
    /// Where other commands follow, they may begin exchanges, too: all their requests go out one right after the other,
    /// which spares the server to be woken for each.
    /// A server may be so quick that its answer has come by then, too, and is told, unless there is somebody whom a task
    /// that never waits would keep waiting.
    func start(_ exchange: CurlExchange) {
        guard isHere, !multi.isInside else { return post(.start(exchange)) }
        enter(exchange)
        if hasMoreCommands { return }
        let isFree = hasThread && !isDelivering && pool.activeCount < 2 && hasNoCommands
        multi.performDue()
        if isFree { endTransfers() }
    }

    /// Waits a moment for what comes next, in place of the task that would otherwise wait; false where that is not this
    /// thread's, nothing has come, or there is something else to do.
    func workInPlace() -> Bool {
        guard isHere, hasThread, !hasMoreCommands, !multi.isInside, !isDelivering, hasNoCommands else {
            return false
        }
        multi.performDue()
        deliver()
        takeOutEnded()
        let due = multi.dueIn
        if due == 0 { return true }
        guard beginToWait() else { return false }
        return poll(atMost: Self.momentInMilliseconds, due, isEager: true)
    }

    private var hasNoCommands: Bool { shared.withLock { $0.commands.isEmpty } }

    /// So long somebody may be kept from their cancellation.
    private static let momentInMilliseconds = 1

    /// False where there is a command, or somebody is told of idleness, to whom a task that goes on looks like work.
    private func beginToWait() -> Bool {
        shared.withLock { shared in
            guard shared.commands.isEmpty, !shared.isRung, shared.idleObservers.isEmpty else { return false }
            shared.isPolling = true
            return true
        }
    }

    /// Changes what is known of connections.
    func note(_ change: (inout ConnectionTable) -> Void) {
        shared.withLock { change(&$0.connections) }
    }
}
