import Clocks
import Locks
import Testing

@testable import HTTPServing

@Suite("The pace at which a request's content is read")
struct ReadingPaceTests {
    private let clock = VirtualClock(wallSeconds: 0)

    private func pace(stops: [Int] = [], rate: Int? = nil, slowFrom: Int = 0) -> ReadingPace {
        var reading = RequestReading(
            stops: stops.map { .init(after: $0, .wait(.seconds($0))) },
            bytesPerSecond: rate,
            clock: clock
        )
        reading.slowFrom = slowFrom
        return ReadingPace(reading, now: .zero)
    }

    private func seconds(_ action: RequestReading.Action?) -> Int? {
        guard case .wait(let duration) = action else { return nil }
        return Int(duration.components.seconds)
    }

    @Test("Each stop is due once, when its offset is reached")
    func stops() {
        var pace = pace(stops: [0, 5, 5, 9])
        let found = [0, 0, 4, 5, 5, 5, 20, 20].map { seconds(pace.nextAction(after: $0)) }
        #expect(found == [0, nil, nil, 5, 5, nil, 9, nil])
    }

    @Test(
        "At most the bytes up to the next stop, or a fiftieth of a second's, are read at once",
        arguments: [
            ([], nil, 0, 0, 100, 100), ([10], nil, 0, 0, 100, 10), ([10], nil, 0, 4, 100, 6),
            ([10], nil, 0, 4, 3, 3), ([10], nil, 0, 10, 100, 1), ([], 1000, 0, 0, 100, 20),
            ([], 1000, 50, 0, 100, 50), ([], 1000, 50, 49, 100, 1), ([], 1000, 50, 50, 100, 20),
            ([], 1, 0, 0, 100, 1), ([7], 1000, 0, 0, 100, 7),
        ] as [([Int], Int?, Int, Int, Int, Int)]
    )
    func share(stops: [Int], rate: Int?, slowFrom: Int, read: Int, offered: Int, share: Int) {
        #expect(pace(stops: stops, rate: rate, slowFrom: slowFrom).share(of: offered, after: read) == share)
    }

    @Test("Bytes that were read at the rate are followed by the time that they take")
    func rate() {
        var pace = pace(rate: 1000)
        #expect(pace.time(for: 100, after: 100, now: .zero) == .milliseconds(100))
        #expect(pace.time(for: 100, after: 200, now: .milliseconds(100)) == .milliseconds(100))
    }

    @Test("A late wake-up shortens the next wait, but a client's silence does not")
    func lateness() {
        var pace = pace(rate: 1000)
        _ = pace.time(for: 100, after: 100, now: .zero)
        #expect(pace.time(for: 100, after: 200, now: .milliseconds(150)) == .milliseconds(50))
        #expect(pace.time(for: 100, after: 300, now: .seconds(10)) == .milliseconds(100))
    }

    @Test("There is no wait without a rate, before it applies, or for up to a millisecond")
    func noWait() {
        var unlimited = pace()
        var later = pace(rate: 1000, slowFrom: 500)
        var fast = pace(rate: 1_000_000)
        #expect(unlimited.time(for: 1000, after: 1000, now: .zero) == nil)
        #expect(later.time(for: 499, after: 499, now: .zero) == nil)
        #expect(later.time(for: 100, after: 599, now: .zero) == .milliseconds(100))
        #expect(fast.time(for: 1000, after: 1000, now: .zero) == nil)
        #expect(fast.time(for: 1000, after: 2000, now: .zero) == .milliseconds(2))
    }

    @Test(
        "A pause ends once, and cancels the wake-up that comes before or after its end",
        arguments: [true, false]
    )
    func pause(isWakeUpFirst: Bool) {
        let (resumed, cancelled) = (Lock(0), Lock(0))
        let pause = ReadingPause(number: 7, peerPort: 80) { _ in resumed.withLock { $0 += 1 } }
        let sleeper = Sleeper { cancelled.withLock { $0 += 1 } }
        if isWakeUpFirst { pause.wakes(by: sleeper) }
        #expect(!pause.isFinished)
        pause.resume()
        pause.resume()
        if !isWakeUpFirst { pause.wakes(by: sleeper) }
        #expect(pause.isFinished)
        #expect(resumed.withLock { $0 } == 1)
        #expect(cancelled.withLock { $0 } == 1)
    }
}
