import Clocks
import Locks
import Testing

@Suite("Durations of any length", .timeLimit(.minutes(20)))
struct LongDurationTests {
    static let longest = Duration.seconds(Int64.max) * 18
    static let rows = [longest, .seconds(Int64.max), .zero - longest, .seconds(Int64.min)]
    private static let clocks: [@Sendable () -> any TimeSource] = [
        { SystemClock() }, { VirtualClock() }, { MovableClock(following: VirtualClock()) },
    ]

    @Test("A timer is set for any duration, and fires at once only if that is negative", arguments: rows)
    func timers(duration: Duration) async throws {
        #expect(Self.clocks.count == 3)
        for make in Self.clocks {
            let clock = make()
            let isFired = Lock(false)
            clock.schedule(after: duration) { isFired.withLock { $0 = true } }.cancel()
            #expect(duration < .zero || !isFired.withLock { $0 })
            if duration < .zero, clock is SystemClock { try await clock.sleep(for: duration) }
        }
        // The thread of the system's clock waits for what is far away, and still fires what is near.
        let clock = SystemClock()
        let far = clock.schedule(after: max(duration, .seconds(Int64.max))) {}
        try await clock.sleep(for: .milliseconds(1))
        far.cancel()
    }

    @Test("A clock that is advanced beyond all dates shows the last one", arguments: rows)
    func advancing(duration: Duration) {
        for clock in [VirtualClock(), MovableClock(following: VirtualClock())] as [any AdvanceableClock] {
            let start = clock.timeSinceEpoch
            for _ in 0..<3 { clock.advance(by: duration) }
            #expect(clock.timeSinceEpoch == (duration < .zero ? start : .seconds(Int64.max)))
            #expect(clock.wallSeconds == (duration < .zero ? start.seconds : 0x1p63))
        }
    }

    @Test("The wall clock jumps to the first or the last date", arguments: rows)
    func jumping(duration: Duration) {
        let clock = VirtualClock(timeSinceEpoch: duration)
        for _ in 0..<3 { clock.jump(by: duration) }
        #expect(clock.timeSinceEpoch == .seconds(duration < .zero ? Int64.min : .max))
    }

    @Test("A timer that lies beyond all dates fires when its clock shows the last")
    func lastTimer() {
        let clock = VirtualClock()
        clock.advance(by: .seconds(1))
        let isFired = Lock(false)
        _ = clock.schedule(after: Self.longest) { isFired.withLock { $0 = true } }
        #expect(clock.advanceToNextDeadline())
        #expect(isFired.withLock { $0 })
    }
}
