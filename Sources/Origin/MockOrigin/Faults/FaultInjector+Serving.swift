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
        /// The label of the route, or the path where there is none.
        var label: String
        /// The number of the request at the route, from 1; with `nil`, requests are counted by path.
        var number: Int?
        var answer: Answer
        /// Whether it needs a name even without faults and a network.
        var isNamed = false
    }
    /// The decision for a response.
    struct Outcome {
        /// The name of the request; empty if it is not needed.
        var name = ""
        var faults: [Fault] = []
        /// The random decisions, which are still to be reported.
        var decisions: [FaultDecision] = []
    }

    /// Returns the replies on a connection before anything is read; `observer` gets its number.
    func greeting(isTLS: Bool, observer: (Int) -> (any ExchangeObserver)? = { _ in nil }) -> Greeting {
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

    /// Returns the pace for reading the content of a request; `nil` without faults or throttling.
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

    /// Returns the faults of a response; the caller reports the decisions.
    ///
    /// `stall` is what a held response waits for.
    func faults(of target: Target, _ stall: Hold) -> Outcome {
        let answer = target.answer
        let (made, decisions) = decide { state, elapsed in
            var outcome = Outcome()
            if answer.hold != nil { state.stalls.add(stall, target.label) }
            let isHarmless = state.scheduler.plan.faults.isEmpty && answer.faults.isEmpty
            if isHarmless, !target.isNamed, state.link == nil { return outcome }
            outcome.name = state.scheduler.name(of: target)
            if isHarmless { return outcome }
            outcome.faults = state.scheduler.responseFaults(of: target, name: outcome.name, elapsed: elapsed)
            if answer.hold == nil, outcome.faults.contains(where: \.waitsForRelease) {
                state.stalls.add(stall, target.label)
            }
            return outcome
        }
        var outcome = made
        outcome.decisions = decisions
        return outcome
    }

    /// Returns the reply as the network throttles it; `name` selects the random numbers of the network.
    func shaped(_ reply: RawReply, to request: ServedRequest, name: @autoclosure () -> String) -> RawReply {
        guard let link else { return reply }
        link.wasRead(request)
        return link.shaped(reply, to: request, name: name())
    }
}
