import Clocks
import Locks
import Testing

@Suite("A clock that follows another and can be moved", .timeLimit(.minutes(20)))
struct MovableClockTests {
    private let followed = VirtualClock(wallSeconds: 1000)
    private func clock() -> MovableClock { MovableClock(following: followed) }

    @Test("It shows the other clock's time plus its own moves")
    func following() {
        let clock = clock()
        followed.advance(by: .seconds(5))
        #expect(clock.wallSeconds == 1005)
        clock.advance(by: .seconds(60))
        #expect(clock.wallSeconds == 1065)
        #expect(clock.elapsed == .seconds(65))
        followed.advance(by: .seconds(1))
        #expect(clock.wallSeconds == 1066)
        #expect(followed.wallSeconds == 1006)
    }

    @Test("A sleeper is woken by the other clock's time, or by a move, once and in order")
    func waking() {
        let clock = clock()
        let woken = Lock<[String]>([])
        for (name, delay) in [("c", 30), ("a", 10), ("b", 20)] {
            _ = clock.schedule(after: .seconds(delay)) { woken.withLock { $0.append(name) } }
        }
        followed.advance(by: .seconds(10))
        #expect(woken.withLock { $0 } == ["a"])
        clock.advance(by: .seconds(15))
        #expect(woken.withLock { $0 } == ["a", "b"])
        followed.advance(by: .seconds(4))
        #expect(woken.withLock { $0 } == ["a", "b"])
        followed.advance(by: .seconds(1))
        #expect(woken.withLock { $0 } == ["a", "b", "c"])
    }

    @Test(
        "A deadline is reached at once if it has passed, by a move otherwise, even while the clock is stopped"
    )
    func deadlines() {
        let clock = clock()
        clock.stop()
        clock.advance(by: .seconds(10))
        let woken = Lock<[String]>([])
        _ = clock.schedule(at: .seconds(10)) { woken.withLock { $0.append("passed") } }
        _ = clock.schedule(at: .seconds(20)) { woken.withLock { $0.append("later") } }
        clock.schedule(at: .seconds(15)) { woken.withLock { $0.append("cancelled") } }.cancel()
        #expect(woken.withLock { $0 } == ["passed"])
        clock.advance(by: .seconds(10))
        #expect(woken.withLock { $0 } == ["passed", "later"])
    }

    @Test("Each sleeper that a move passes sees the time of its own deadline")
    func steps() {
        let clock = clock()
        let seen = Lock<[Double]>([])
        for delay in [10, 20] {
            _ = clock.schedule(after: .seconds(delay)) { seen.withLock { $0.append(clock.wallSeconds) } }
        }
        clock.advance(by: .seconds(100))
        #expect(seen.withLock { $0 } == [1010, 1020])
        #expect(clock.wallSeconds == 1100)
    }

    @Test("A stopped clock is changed only by moves, and continues from its time")
    func standing() {
        let clock = clock()
        let isWoken = Lock(false)
        _ = clock.schedule(after: .seconds(10)) { isWoken.withLock { $0 = true } }
        clock.stop()
        followed.advance(by: .seconds(100))
        #expect(clock.wallSeconds == 1000)
        #expect(!isWoken.withLock { $0 })
        clock.advance(by: .seconds(4))
        clock.run()
        #expect(clock.wallSeconds == 1004)
        followed.advance(by: .seconds(5))
        #expect(!isWoken.withLock { $0 })
        followed.advance(by: .seconds(1))
        #expect(isWoken.withLock { $0 })
        #expect(clock.elapsed == .seconds(10))
    }

    @Test("A cancelled sleeper is not woken")
    func cancelling() {
        let clock = clock()
        let isWoken = Lock(false)
        clock.schedule(after: .seconds(10)) { isWoken.withLock { $0 = true } }.cancel()
        #expect(followed.nextDeadline == nil)
        clock.advance(by: .seconds(20))
        #expect(!isWoken.withLock { $0 })
    }
}
