import Clocks

/// How fast a request's content comes, while it is asked for.
struct ContentDeadline {
    private var count = 0
    private var waited: Duration = .zero
    private var since: Duration?

    /// Counts bytes that have come.
    mutating func add(_ count: Int) { self.count += count }

    /// Time counts from now on, or no more.
    mutating func setAsked(_ isAsked: Bool, at now: Duration) {
        guard isAsked != (since != nil) else { return }
        if let since { waited += now - since }
        since = isAsked ? now : nil
    }

    /// Whether it has taken too long.
    func isOver(_ limits: TimeLimits, at now: Duration) -> Bool {
        guard let since else { return false }
        return waited + (now - since) > limits.content(of: count)
    }
}

extension StreamConnection {
    /// Ends the connection, or refuses the request, if its time is over; never while it waits for whoever answers.
    func expire(_ now: Duration) {
        let limits = loop.configuration.timeLimits
        let idle = now - lastActivity
        switch phase {
        case _ where !output.isEmpty && idle > limits.content: end()
        case .head where ending == nil:
            if let headBegan {
                if now - headBegan > limits.head { refuse(.tooSlow) }
            } else if idle > limits.idle {
                end()
            }
        case .exchange(let exchange):
            if contentPace.isOver(limits, at: now) { refuseContent(of: exchange, .tooSlow) }
        case .lingering: if idle > .seconds(2) { end() }
        case .head, .closed: break
        }
    }

    /// Notes whether the beginning of a head waits for its rest.
    func noteHead() {
        guard case .head = phase, ending == nil, output.isEmpty, !leftover.isEmpty else {
            return headBegan = nil
        }
        headBegan = headBegan ?? lastActivity
    }

    /// Takes no more content.
    func refuseContent(of exchange: StreamExchange, _ problem: RequestProblem) {
        setReadsContent(false)
        exchange.endContent(.refused(problem))
        updateInterest()
    }

    /// Lets content come, or not.
    func setReadsContent(_ isRead: Bool) {
        readsContent = isRead
        contentPace.setAsked(isRead, at: loop.clock.elapsed)
    }

    /// Answers a connection that is one too many, before anything is asked.
    func turnAway() {
        refuse(.tooManyConnections)
        updateInterest()
    }
}
