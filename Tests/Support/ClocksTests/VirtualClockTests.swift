import Clocks
import Locks
import Testing

@Suite("Virtual clock", .timeLimit(.minutes(20)))
struct VirtualClockTests {
    private let clock = VirtualClock(wallSeconds: 1_000)

    @Test("The clock stands still until it is moved")
    func standsStill() {
        #expect(clock.wallSeconds == 1_000)
        clock.advance(by: .milliseconds(1_500))
        #expect(clock.wallSeconds == 1_001.5)
        #expect(clock.elapsed == .milliseconds(1_500))
    }

    @Test("Sleepers wake in the order of their deadlines, each at its own")
    func wakesInOrder() {
        let seen = Lock<[String]>([])
        let note: @Sendable (String) -> Void = { [clock] name in
            seen.withLock { $0.append("\(name)@\(clock.elapsed.seconds)") }
        }
        _ = clock.schedule(after: .seconds(3)) { note("late") }
        _ = clock.schedule(after: .seconds(1)) { note("first") }
        _ = clock.schedule(after: .seconds(1)) { note("second") }
        clock.advance(by: .seconds(2))
        #expect(seen.withLock { $0 } == ["first@1.0", "second@1.0"])
        clock.advance(by: .seconds(2))
        #expect(seen.withLock { $0 } == ["first@1.0", "second@1.0", "late@3.0"])
    }

    @Test("A sleeper that another adds when it wakes is woken in the same advance when it is due")
    func wakesTheNewlyAdded() {
        let seen = Lock<[Double]>([])
        _ = clock.schedule(after: .seconds(1)) { [clock] in
            _ = clock.schedule(after: .seconds(1)) { seen.withLock { $0.append(clock.elapsed.seconds) } }
        }
        clock.advance(by: .seconds(5))
        #expect(seen.withLock { $0 } == [2])
    }

    @Test("A cancelled sleeper is not woken and has no deadline")
    func forgetsTheCancelled() {
        let sleeper = clock.schedule(after: .seconds(1)) { Issue.record("woken") }
        sleeper.cancel()
        #expect(clock.nextDeadline == nil)
        #expect(!clock.advanceToNextDeadline())
        clock.advance(by: .seconds(2))
    }

    @Test("An alarm fires at its deadline, in order with the sleepers")
    func fires() {
        let seen = Lock<[String]>([])
        let target = Target { [clock] in seen.withLock { $0.append("timer@\(clock.elapsed.seconds)") } }
        _ = clock.schedule(after: .seconds(3)) { seen.withLock { $0.append("sleeper") } }
        _ = clock.schedule(target, at: .seconds(2))
        #expect(clock.nextDeadline == .seconds(2))
        clock.advance(by: .seconds(5))
        #expect(seen.withLock { $0 } == ["timer@2.0", "sleeper"])
    }

    @Test("An alarm whose deadline has passed fires at once, without a move of the clock", arguments: [1, 5])
    func firesLate(seconds: Int) {
        let count = Lock(0)
        clock.advance(by: .seconds(5))
        let timer = clock.schedule(Target { count.withLock { $0 += 1 } }, at: .seconds(seconds))
        #expect(count.withLock { $0 } == 1)
        #expect(clock.nextDeadline == nil)
        clock.cancel(timer)
        clock.advance(by: .seconds(5))
        #expect(count.withLock { $0 } == 1)
    }

    @Test("A cancelled alarm does not fire and has no deadline")
    func callsOff() {
        let timer = clock.schedule(Target { Issue.record("fired") }, at: .seconds(1))
        clock.cancel(timer)
        #expect(clock.nextDeadline == nil)
        clock.advance(by: .seconds(2))
        clock.cancel(timer)
    }

    @Test(
        "After any cancellations among thousands, the others fire at their deadlines in order",
        arguments: 1...4
    )
    func keepsTheOrder(seed: Int) {
        let seen = Lock<[Int]>([])
        var state = UInt64(seed)
        var awaited: [(deadline: Int, number: Int, timer: PendingTimer)] = []
        var expected: [Int] = []
        for number in 0..<4_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let choice = Int(state >> 33)
            // Most are the latest of all, like time-outs; some precede others.
            let deadline = number / 8 + (choice % 8 == 0 ? choice % 40 + 1 : 60)
            let target = Target { seen.withLock { $0.append(number) } }
            awaited.append((deadline, number, clock.schedule(target, at: .seconds(deadline))))
            if choice % 16 < 14 { clock.cancel(awaited.remove(at: choice % awaited.count).timer) }
            #expect(clock.nextDeadline == awaited.map(\.deadline).min().map { .seconds($0) })
            guard choice % 50 == 0 else { continue }
            clock.advance(by: .seconds(number / 8) - clock.elapsed)
            let due = awaited.filter { $0.deadline <= number / 8 }
            expected += due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }.map(\.number)
            awaited.removeAll { $0.deadline <= number / 8 }
            #expect(seen.withLock { $0 } == expected)
        }
        #expect(expected.count > 20)
    }

    @Test("A clock that implements only schedule(after:) fires and cancels timers, too")
    func firesByWakeUp() {
        let plain = PlainClock(base: clock)
        clock.advance(by: .seconds(10))
        let count = Lock(0)
        let target = Target { count.withLock { $0 += 1 } }
        _ = plain.schedule(target, at: .seconds(11))
        plain.cancel(plain.schedule(target, at: .seconds(12)))
        #expect(clock.nextDeadline == .seconds(11))
        clock.advance(by: .seconds(5))
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Moving to the next deadline moves no further")
    func movesToTheDeadline() {
        _ = clock.schedule(after: .seconds(7)) {}
        _ = clock.schedule(after: .seconds(9)) {}
        #expect(clock.advanceToNextDeadline())
        #expect(clock.elapsed == .seconds(7))
        #expect(clock.nextDeadline == .seconds(9))
    }

    @Test("A jump of the wall clock does not advance time")
    func jumps() {
        _ = clock.schedule(after: .seconds(1)) { Issue.record("woken") }
        clock.jump(by: .seconds(-3_600))
        #expect(clock.wallSeconds == -2_600)
        #expect(clock.elapsed == .zero)
    }

    @Test("A sleeping task continues when the clock reaches its deadline")
    func resumesTasks() async throws {
        let asleep = Task { [clock] in try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(60))
        try await asleep.value
    }

    @Test("A sleeping task that is cancelled throws and leaves no deadline")
    func cancelsTasks() async {
        let asleep = Task { [clock] in try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleeper()
        asleep.cancel()
        await #expect(throws: CancellationError.self) { try await asleep.value }
        #expect(clock.nextDeadline == nil)
    }

    @Test("A wait for a sleeper ends with the first one, or at once if there is one")
    func waitsForSleepers() async {
        let waiting = (0..<3).map { _ in Task { [clock] in await clock.waitForSleeper() } }
        let sleeper = clock.schedule(after: .seconds(1)) {}
        for task in waiting { await task.value }
        await clock.waitForSleeper()
        #expect(clock.elapsed == .zero)
        sleeper.cancel()
    }

    @Test("A cancelled wait for a sleeper ends without one")
    func stopsWaiting() async {
        let waiting = Task { [clock] in await clock.waitForSleeper() }
        waiting.cancel()
        await waiting.value
        #expect(clock.nextDeadline == nil)
    }
}

/// Runs a closure when its timer fires.
private final class Target: TimerTarget {
    private let act: @Sendable () -> Void

    init(_ act: @escaping @Sendable () -> Void) { self.act = act }

    func timerFired() { act() }
}

/// A clock with only the required methods.
private final class PlainClock: TimeSource {
    private let base: VirtualClock

    init(base: VirtualClock) { self.base = base }

    var timeSinceEpoch: Duration { base.timeSinceEpoch }
    var elapsed: Duration { base.elapsed }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        base.schedule(after: delay, wake)
    }
}

@Suite("System clock", .timeLimit(.minutes(20)))
struct SystemClockTests {
    @Test("A sleeper that is due at once is woken without a move of the clock")
    func wakes() async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .zero) { continuation.resume() }
        }
    }

    @Test("An alarm whose deadline has passed fires at once")
    func fires() async {
        let clock = SystemClock()
        await withCheckedContinuation { continuation in
            _ = clock.schedule(Target { continuation.resume() }, at: .zero)
        }
    }

    @Test("A wake-up does not wait for one with a later deadline that was added before it")
    func ordersWakeUps() async {
        let clock = SystemClock()
        let late = clock.schedule(after: .seconds(3_600)) { Issue.record("woken an hour early") }
        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
        late.cancel()
    }
}
