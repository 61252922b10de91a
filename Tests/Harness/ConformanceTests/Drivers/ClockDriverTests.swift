import Clocks
import Locks
import Testing

@testable import Conformance
import Threads

@Suite("When the clock moves by itself")
struct ClockDriverTests {
    private let clock = VirtualClock(wallSeconds: 0)
    private let signal = Signal()

    @Test("the clock moves to the earliest deadline when nothing else can happen, and no further")
    func earliest() throws {
        let woken = Lock<[Int]>([])
        for seconds in [30, 10, 20] {
            _ = clock.schedule(after: .seconds(seconds)) { woken.withLock { $0.append(seconds) } }
        }
        let driver = ClockDriver(clock: clock, signal: signal) { .quiet(waiting: []) }
        try driver.wait(for: "two wake-ups") { woken.withLock { $0.count == 2 } }
        #expect(woken.withLock { $0 } == [10, 20])
        #expect(clock.elapsed == .seconds(20))
    }

    @Test("the clock stands still while something can happen by itself")
    func busy() throws {
        _ = clock.schedule(after: .seconds(30)) {}
        let flag = Flag()
        let driver = ClockDriver(clock: clock, signal: signal) { .busy("a request is on its way") }
        let thread = SystemThread { [signal] in
            flag.raise()
            signal.raise()
        }
        try driver.wait(for: "an answer") { flag.isRaised }
        thread.join()
        #expect(clock.elapsed == .zero)
    }

    @Test("a harness with nothing busy and nothing asleep is an error that names what waits")
    func nothingCanHappen() {
        let driver = ClockDriver(clock: clock, signal: signal) {
            .quiet(waiting: ["port 5 waits at the origin"])
        }
        #expect(throws: HarnessProblem("nothing can happen any more: GET /a; port 5 waits at the origin")) {
            try driver.wait(for: "GET /a") { false }
        }
    }

    @Test("a wait that never ends is given up after a limit of real time")
    func watchdog() {
        var driver = ClockDriver(clock: clock, signal: signal) { .busy("the client's loop has work") }
        driver.timeout = .milliseconds(20)
        #expect(
            throws: HarnessProblem("gave up after 0.02 s of real time: GET /a: the client's loop has work")
        ) {
            try driver.wait(for: "GET /a") { false }
        }
    }

    @Test("an advance stops at each deadline on the way, so that a woken task can sleep again")
    func advance() throws {
        let woken = Lock<[Duration]>([])
        let clock = clock
        _ = clock.schedule(after: .seconds(10)) {
            woken.withLock { $0.append(clock.elapsed) }
            _ = clock.schedule(after: .seconds(10)) { woken.withLock { $0.append(clock.elapsed) } }
        }
        let driver = ClockDriver(clock: clock, signal: signal) { .quiet(waiting: []) }
        try driver.advance(by: .seconds(61))
        #expect(woken.withLock { $0 } == [.seconds(10), .seconds(20)])
        #expect(clock.elapsed == .seconds(61))
    }
}
