import Clocks

/// The time limit of a request's content, which runs while content is requested from the client.
struct ContentDeadline {
    private var count = 0
    private var waited: Duration = .zero
    private var since: Duration?

    /// Adds received bytes.
    mutating func add(_ count: Int) { self.count += count }

    /// Starts or stops the timing.
    mutating func setAsked(_ isAsked: Bool, at now: Duration) {
        guard isAsked != (since != nil) else { return }
        if let since { waited += now - since }
        since = isAsked ? now : nil
    }

    /// Whether the time limit is exceeded.
    func exceeds(_ limits: TimeLimits, at now: Duration) -> Bool {
        guard let since else { return false }
        return waited + (now - since) > limits.content(of: count)
    }
}

extension StreamConnection {
    /// Ends the connection or refuses the request if a time limit is exceeded; never while it waits for the handler.
    func expire(_ now: Duration) {
        let limits = loop.configuration.timeLimits
        let idle = now - lastActivity
        switch phase {
        case _ where !output.isEmpty && idle > limits.content: end()
        case .head where ending == nil:
            if let headBegan {
                guard now - headBegan > limits.head else { return }
                refuse(.tooSlow, toHEAD: leftover.withUnsafeBufferPointer(HeadReader.isOfHEAD))
            } else if idle > limits.idle {
                end()
            }
        case .exchange(let exchange):
            if contentPace.exceeds(limits, at: now) { refuseContent(of: exchange, .tooSlow) }
        case .lingering: if idle > .seconds(2) { end() }
        case .head, .closed: break
        }
    }

    /// Records when an incomplete head began.
    func noteHead() {
        guard case .head = phase, ending == nil, output.isEmpty, !awaitsOutput, !leftover.isEmpty else {
            return headBegan = nil
        }
        headBegan = headBegan ?? lastActivity
    }

    /// Stops reading content.
    func refuseContent(of exchange: StreamExchange, _ problem: RequestProblem) {
        setReadsContent(false)
        exchange.endContent(.refused(problem))
        updateInterest()
    }

    /// Starts or stops reading content.
    func setReadsContent(_ isRead: Bool) {
        readsContent = isRead
        contentPace.setAsked(isRead, at: loop.clock.elapsed)
    }

    /// Refuses a connection beyond the limit, before its first request.
    func turnAway() {
        refuse(.tooManyConnections)
        updateInterest()
    }
}
