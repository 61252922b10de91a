import Clocks
import Locks
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Windows in which connections are refused")
struct OutageScheduleTests {
    private let clock = VirtualClock(wallSeconds: 0)
    private let changes = Lock([Bool]())

    private func schedule(_ windows: [FaultWindow]) -> OutageSchedule {
        OutageSchedule(windows, clock: clock) { [changes] value in changes.withLock { $0.append(value) } }
    }

    @Test("Each beginning and end is one change, from its creation on")
    func windows() {
        clock.advance(by: .seconds(100))
        let schedule = schedule([
            FaultWindow(from: .seconds(1), length: .seconds(1), period: .seconds(3)),
            FaultWindow(from: .seconds(2), length: .seconds(1)),
        ])
        schedule.start()
        #expect(changes.withLock { $0 } == [] && !schedule.isRefusing)
        var seen: [Bool] = []
        for _ in 1...6 {
            clock.advance(by: .seconds(1))
            seen.append(schedule.isRefusing)
        }
        #expect(seen == [true, true, false, true, false, false])
        #expect(changes.withLock { $0 } == [true, false, true, false])
        #expect(!schedule.stop())
        #expect(clock.nextDeadline == nil)
        clock.advance(by: .seconds(1))
        schedule.start()
        #expect(changes.withLock { $0.count } == 4)
    }

    @Test("A window that is open from the start on refuses at once, and its end is reported")
    func open() {
        let schedule = schedule([FaultWindow()])
        schedule.start()
        #expect(changes.withLock { $0 } == [true])
        #expect(schedule.stop())
    }

    @Test("Without windows nothing is refused or scheduled")
    func none() {
        let schedule = schedule([])
        schedule.start()
        #expect(!schedule.isRefusing && clock.nextDeadline == nil)
    }
}
