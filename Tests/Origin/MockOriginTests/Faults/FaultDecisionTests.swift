import Clocks
import HTTPServing
import Locks
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Decisions of an injector, and greetings of connections")
struct FaultDecisionTests {
    private let clock = VirtualClock(wallSeconds: 0)

    @Test("All decisions are reported, the last are kept, and none after a reset")
    func decisions() {
        let reported = Lock([String]())
        let injector = FaultInjector(FaultPlan(), clock: clock, maximumDecisions: 2) { decision in
            reported.withLock { $0.append(decision.request) }
        }
        for name in ["1", "2", "3"] {
            injector.consult { state, _ in
                state.scheduler.note(FaultDecision(scope: "", request: name, fault: "f", outcome: "o"))
            }
        }
        #expect(reported.withLock { $0 } == ["1", "2", "3"])
        #expect(injector.faults.decisions.map(\.request) == ["2", "3"])
        injector.reset()
        #expect(injector.faults.decisions.isEmpty)
    }

    @Test("The windows of faults are counted from the last change of them")
    func windows() {
        clock.advance(by: .seconds(5))
        let injector = FaultInjector(FaultPlan(), clock: clock)
        clock.advance(by: .seconds(2))
        #expect(injector.consult { $1 } == .seconds(2))
        injector.use(FaultPlan())
        #expect(injector.consult { $1 } == .zero)
    }

    @Test(
        "Over TLS the faults of a request's head follow the handshake, the others precede it",
        arguments: [
            ("close@accept", false, 1, nil), ("close@accept", true, 1, nil),
            ("close@tls-handshake:50%", true, 4, nil), ("close@tls-handshake", false, 4, nil),
            ("delay=1s@request-head:5", false, 4, nil), ("delay=1s@request-head:5", true, nil, 4),
            ("delay=1s@accept; close@tls-handshake; reset@request-head", true, 5, 4),
            ("delay=1s@accept; close@tls-handshake; reset@request-head", false, 9, nil),
        ] as [(String, Bool, Int?, Int?)]
    )
    func greeting(faults: String, isTLS: Bool, before: Int?, after: Int?) throws {
        let greeting = ConnectionFaults.greeting(
            try Fault.list(text: faults),
            isTLS: isTLS,
            hold: Hold(),
            clock: clock,
            observer: nil
        )
        #expect(greeting.ofConnection?.steps.count == before)
        #expect(greeting.afterHandshake?.steps.count == after)
    }
}
