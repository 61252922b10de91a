import Clocks
import HTTPServing
import OriginScript

/// Converts faults of a connection and of its first request's head to a greeting.
enum ConnectionFaults {
    /// Returns the greeting of resolved faults.
    ///
    /// Over TLS, a request's head comes after the handshake.
    static func greeting(
        _ faults: [Fault],
        isTLS: Bool,
        hold: Hold,
        clock: any TimeSource,
        observer: (any ExchangeObserver)?
    ) -> Greeting {
        let ordered = faults.ordered(by: order).map(\.fault)
        func reply(_ belongs: (Fault) -> Bool) -> RawReply? {
            let steps = ordered.filter(belongs).flatMap { Self.steps($0, hold) }
            return steps.isEmpty
                ? nil : RawReply(steps, ending: .keepAlive, clock: clock, observer: observer)
        }
        guard isTLS else { return Greeting(ofConnection: reply { _ in true }) }
        return Greeting(
            ofConnection: reply { $0.event != .requestHead },
            afterHandshake: reply { $0.event == .requestHead }
        )
    }

    private static func order(_ fault: Fault) -> Int {
        // The size of a hello is not known; most have about a kibibyte.
        let place = if case .share(let span) = fault.point { Int(span.low * 1024) } else { offset(fault) }
        return fault.event.rank << 40 + place
    }

    private static func offset(_ fault: Fault) -> Int {
        if case .byte(let span) = fault.point { span.low } else { 0 }
    }

    private static func steps(_ fault: Fault, _ hold: Hold) -> [RawReply.Step] {
        let action = fault.action.effect(stall: hold).map { RawReply.Step($0) } ?? .end(.cut)
        // A hello and a request cannot be distinguished before the first byte.
        let count = max(1, offset(fault))
        switch fault.event {
        case .tlsHandshake:
            return [.input(1), .expectTLS(true, elseSkip: 2), .hello(helloPoint(fault)), action]
        case .requestHead:
            return [.input(1), .expectTLS(false, elseSkip: 2), .input(count), action]
        default: return [action]
        }
    }

    private static func helloPoint(_ fault: Fault) -> RawReply.HelloPoint {
        if case .share(let span) = fault.point { .share(span.low) } else { .byte(offset(fault)) }
    }
}
