import Clocks
import HTTPServing
import OriginScript

/// What strikes a connection, a request that is being read, and an answer.
extension Trouble {
    /// A request and what is to be answered, as faults look at them.
    struct Meeting {
        var request: ServedRequest
        /// Path below the origin's base.
        var path: String
        /// Label of the route that answers.
        var label: String
        /// Which request to the route this is, from 1; `nil` has them counted by path.
        var number: Int?
        var answer: Answer
        /// What the request is called in logs where there are too many names to tell apart.
        var commonName: String
        /// Whether it is called anything even where nothing can strike it.
        var isNamed = false
    }

    /// Returns what is done on a connection before anything is read; `observer` is given its number.
    func greeting(
        isTLS: Bool,
        observer: (Int) -> (any ExchangeObserver)? = { _ in nil }
    ) -> Greeting {
        guard harmsConnections else { return Greeting() }
        let hold = Hold()
        let (number, faults) = consult { state, elapsed in
            let (number, faults) = state.desk.meetsConnection(elapsed: elapsed)
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

    /// Returns how the content of a request is read; `nil` is as it comes.
    ///
    /// `name` is what the network draws by.
    func reading(
        of request: ServedRequest,
        path: String,
        name: String,
        observer: (any ReadingObserver)? = nil
    ) -> RequestReading? {
        let hold = Hold()
        let (faults, link) = consult { state, elapsed in
            let faults = state.desk.meetsReading(request, path: path, elapsed: elapsed)
            if faults.contains(where: \.waitsForRelease) { state.stalls.add(hold, "") }
            return (faults, state.link)
        }
        // A fault's way of reading goes before the network's.
        if faults.isEmpty { return link?.reading(of: request, name: name, observer: observer) }
        return ReadingFaults.reading(faults, of: request, hold: hold, clock: clock, observer: observer)
    }

    /// Returns what strikes a request and its answer, and what the request is called, empty where nobody asks.
    ///
    /// `stall` is where the answer waits for a release.
    func strikes(_ meeting: Meeting, _ stall: Hold) -> (name: String, faults: [Fault]) {
        let answer = meeting.answer
        return consult { state, elapsed in
            if answer.stall != nil { state.stalls.add(stall, meeting.label) }
            let isHarmless = state.desk.plan.faults.isEmpty && answer.faults.isEmpty
            if isHarmless, !meeting.isNamed { return ("", []) }
            let name = state.desk.name(of: meeting.request, path: meeting.path, route: meeting.commonName)
            if isHarmless { return (name, []) }
            let strikes = state.desk.strikes(
                name: name,
                path: meeting.path,
                route: meeting.label,
                number: meeting.number ?? state.desk.count(meeting.path),
                answer: answer,
                elapsed: elapsed
            )
            if answer.stall == nil, strikes.contains(where: \.waitsForRelease) {
                state.stalls.add(stall, meeting.label)
            }
            return (name, strikes)
        }
    }

    /// Returns the reply as the network lets it through; `name` is what it draws by.
    func shaped(_ reply: RawReply, to request: ServedRequest, name: @autoclosure () -> String) -> RawReply {
        guard let link else { return reply }
        link.wasRead(request)
        return link.shaped(reply, to: request, name: name())
    }
}
