import Locks
import HTTPServing

/// Exchanges in progress, and those of them that wait.
extension OriginNamespace {
    /// Client ports of connections whose exchange waits on the clock, on a release or forever, with all earlier bytes
    /// written to the socket.
    package var parked: Set<UInt16> {
        let (live, pauses) = state.withLock { (Array($0.live.values), Array($0.pauses.values)) }
        return Set(live.filter(\.isParked).map(\.peerPort) + pauses.map(\.peerPort))
    }

    /// Whether an exchange on a socket is in progress and not waiting.
    package var isAnswering: Bool {
        let live = state.withLock { Array($0.live.values) }
        return live.contains { !$0.isParked }
    }

    /// Whether every exchange has ended or waits.
    package var isAtRest: Bool {
        let live = state.withLock { $0.live.filter { $0.key > 0 }.values }
        return live.allSatisfy(\.isParked)
    }

    /// The number of exchanges without a socket in progress, and how many of them wait.
    package var directExchanges: (inFlight: Int, parked: Int) {
        state.withLock { ($0.directInFlight, $0.directParked) }
    }

    /// Sets the handler that is called whenever an exchange parks or ends, on any thread.
    package func onActivity(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onActivity = action }
    }

    func notify() {
        state.withLock { $0.onActivity }?()
    }

    // MARK: Exchanges

    func began(_ number: Int, _ exchange: RawExchange) {
        let isClosed = state.withLock { state in
            state.live[number] = exchange
            return state.isClosed
        }
        if isClosed { exchange.stop() }
    }

    func ended(_ number: Int, _ end: ExchangeEnd, bytesSent: Int) {
        state.withLock { state in
            state.wire?.end(number, end)
            state.live[number] = nil
        }
        journal.ended(number, end, bytesSent: bytesSent)
        notify()
    }

    func greetingEnded(_ number: Int) {
        state.withLock { $0.live[number] = nil }
        notify()
    }

    func directChanged(inFlight: Int = 0, parked: Int = 0) {
        state.withLock { state in
            state.directInFlight += inFlight
            state.directParked += parked
        }
        notify()
    }

    // MARK: Requests that are being read

    func paused(_ pause: ReadingPause) {
        let isClosed = state.withLock { state in
            state.pauses[pause.number] = pause
            return state.isClosed
        }
        if isClosed { return pause.resume() }
        if pause.isFinished { return resumed(pause) }
        notify()
    }

    func resumed(_ pause: ReadingPause) {
        state.withLock { $0.pauses[pause.number] = nil }
        notify()
    }
}

/// An observer of one exchange for its namespace's record.
struct NamespaceObserver: ExchangeObserver {
    let namespace: OriginNamespace
    let number: Int

    func exchangeBegan(_ exchange: RawExchange) { namespace.began(number, exchange) }

    func exchangeParked() { namespace.notify() }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        namespace.ended(number, end, bytesSent: bytesSent)
    }
}

/// An observer of a connection's greeting, before its first request.
struct GreetingObserver: ExchangeObserver {
    let namespace: OriginNamespace
    /// Negative, unlike the number of any exchange.
    let number: Int

    func exchangeBegan(_ exchange: RawExchange) { namespace.began(number, exchange) }

    func exchangeParked() { namespace.notify() }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) { namespace.greetingEnded(number) }
}

/// An observer of the reading of a request.
struct PauseObserver: ReadingObserver {
    let namespace: OriginNamespace

    func readingPaused(_ pause: ReadingPause) { namespace.paused(pause) }

    func readingResumed(_ pause: ReadingPause) { namespace.resumed(pause) }
}
