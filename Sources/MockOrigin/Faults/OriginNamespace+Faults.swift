import HTTPServing
import Locks
import OriginScript

/// Faults of connections and of requests that are being read.
extension OriginNamespace {
    /// Returns what is done on a connection before its first request.
    func greeting(isTLS: Bool) -> Greeting {
        let elapsed = elapsed
        let hold = Hold()
        let (number, faults) = state.withLock { state in
            let (number, faults) = state.faults.meetsConnection(elapsed: elapsed)
            if faults.contains(where: \.waitsForRelease) { state.stalls.append(("", hold)) }
            return (number, faults)
        }
        let observer = GreetingObserver(namespace: self, number: -number)
        return ConnectionFaults.greeting(faults, isTLS: isTLS, hold: hold, clock: clock, observer: observer)
    }

    /// Returns how the content of a request is read; `nil` is as it comes.
    func reading(of request: ServedRequest) -> RequestReading? {
        let elapsed = elapsed
        let hold = Hold()
        let target = RoutedRequest(request, base: base)
        let faults = state.withLock { state in
            let faults = state.faults.meetsReading(request, path: target.path, elapsed: elapsed)
            if faults.contains(where: \.waitsForRelease) { state.stalls.append(("", hold)) }
            return faults
        }
        let observer = PauseObserver(namespace: self)
        // A fault's way of reading goes before the network's.
        if faults.isEmpty, let link {
            return link.reading(of: request, name: "\(request.method) \(target.path)", observer: observer)
        }
        return ReadingFaults.reading(faults, of: request, hold: hold, clock: clock, observer: observer)
    }

    func paused(_ pause: ReadingPause) {
        let isClosed = state.withLock { state in
            state.pauses[pause.number] = pause
            return state.isClosed
        }
        if isClosed { return pause.resume() }
        if pause.isOver { return resumed(pause) }
        notify()
    }

    func resumed(_ pause: ReadingPause) {
        state.withLock { $0.pauses[pause.number] = nil }
        notify()
    }
}

/// Follows the reading of a request.
struct PauseObserver: ReadingObserver {
    let namespace: OriginNamespace

    func readingPaused(_ pause: ReadingPause) { namespace.paused(pause) }

    func readingResumed(_ pause: ReadingPause) { namespace.resumed(pause) }
}

/// Follows what is done on a connection before its first request.
struct GreetingObserver: ExchangeObserver {
    let namespace: OriginNamespace
    /// Negative, so that it is no exchange's.
    let number: Int

    func exchangeBegan(_ exchange: RawExchange) { namespace.began(number, exchange) }

    func exchangeParked() { namespace.notify() }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) { namespace.greetingEnded(number) }
}
