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
        let ordered = faults.enumerated().sorted { left, right in
            (order(left.element), left.offset) < (order(right.element), right.offset)
        }
        func reply(_ belongs: (Fault) -> Bool) -> RawReply? {
            let steps = ordered.filter { belongs($0.element) }.flatMap { Self.steps($0.element, hold) }
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
        let event = FaultEvent.allCases.firstIndex(of: fault.event) ?? 0
        return event << 40 + offset(fault)
    }

    private static func offset(_ fault: Fault) -> Int {
        if case .byte(let span) = fault.point { span.low } else { 0 }
    }

    private static func steps(_ fault: Fault, _ hold: Hold) -> [RawReply.Step] {
        let action = step(fault.action, hold)
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

    private static func step(_ action: FaultAction, _ hold: Hold) -> RawReply.Step {
        if let end = action.connectionEnd { return .end(RawReply.Ending(end)) }
        return switch action {
        case .stall(.untilReleased): .hold(hold)
        case .stall(.forever): .pause { nil }
        case .stall(.time(let time)), .delay(let time): .wait(time.low)
        case .garbage(.bytes(let bytes)): .write(bytes[...])
        default: .end(.cut)
        }
    }
}
