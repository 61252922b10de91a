import Clocks
import HTTPServing
import OriginScript

/// Faults of connections, of reading requests, and of responses.
extension FaultInjector {
    /// A request and its answer, as faults depend on them.
    struct Target {
        var request: ServedRequest
        /// The path below the base of the namespace.
        var path: String
        /// The label of the route.
        var label: String
        /// The number of the request at the route, from 1; with `nil`, requests are counted by path.
        var number: Int?
        var answer: Answer
        /// The name of the request in logs once there are too many names to count separately.
        var commonName: String
        /// Whether it needs a name even without faults.
        var isNamed = false
    }

    /// Returns what happens on a connection before anything is read; `observer` gets its number.
    func greeting(
        isTLS: Bool,
        observer: (Int) -> (any ExchangeObserver)? = { _ in nil }
    ) -> Greeting {
        guard harmsConnections else { return Greeting() }
        let hold = Hold()
        let (number, faults) = consult { state, elapsed in
            let (number, faults) = state.scheduler.connectionFaults(elapsed: elapsed)
            if faults.contains(where: \.waitsForRelease) { state.stalls.add(hold, "") }
            return (number, faults)
        }
        return ConnectionFaults.greeting(
            faults,
            isTLS: isTLS,
            hold: hold,
            clock: clock,
            observer: observer(number)
        )
    }

    /// Returns how the content of a request is read; `nil` is without faults or throttling.
    ///
    /// `name` selects the random numbers of the network.
    func reading(
        of request: ServedRequest,
        path: String,
        name: String,
        observer: (any ReadingObserver)? = nil
    ) -> RequestReading? {
        let hold = Hold()
        let (faults, link) = consult { state, elapsed in
            let faults = state.scheduler.readingFaults(request, path: path, elapsed: elapsed)
            if faults.contains(where: \.waitsForRelease) { state.stalls.add(hold, "") }
            return (faults, state.link)
        }
        // Faults take precedence over the network.
        if faults.isEmpty { return link?.reading(of: request, name: name, observer: observer) }
        return ReadingFaults.reading(faults, of: request, hold: hold, clock: clock, observer: observer)
    }

    /// Returns the faults of a response, and the name of the request, empty if it is not needed.
    ///
    /// `stall` is what a held response waits for.
    func faults(of target: Target, _ stall: Hold) -> (name: String, faults: [Fault]) {
        let answer = target.answer
        return consult { state, elapsed in
            if answer.stall != nil { state.stalls.add(stall, target.label) }
            let isHarmless = state.scheduler.plan.faults.isEmpty && answer.faults.isEmpty
            if isHarmless, !target.isNamed { return ("", []) }
            let name = state.scheduler.name(
                of: target.request,
                path: target.path,
                route: target.commonName
            )
            if isHarmless { return (name, []) }
            let faults = state.scheduler.responseFaults(
                name: name,
                path: target.path,
                route: target.label,
                number: target.number ?? state.scheduler.count(target.path),
                answer: answer,
                elapsed: elapsed
            )
            if answer.stall == nil, faults.contains(where: \.waitsForRelease) {
                state.stalls.add(stall, target.label)
            }
            return (name, faults)
        }
    }

    /// Returns the reply as the network throttles it; `name` selects the random numbers of the network.
    func shaped(_ reply: RawReply, to request: ServedRequest, name: @autoclosure () -> String) -> RawReply {
        guard let link else { return reply }
        link.wasRead(request)
        return link.shaped(reply, to: request, name: name())
    }
}
