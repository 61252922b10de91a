import Clocks
import Locks
import Testing

@testable import CacheClient

@Suite("How long a request waits for another's exchange", .timeLimit(.minutes(20)))
struct WaitLimitTests {
    private let clock = VirtualClock(wallSeconds: startOfTime)
    private let left = Lock(0)

    private func limit(_ timeout: Int?, deadline: Int? = nil) -> WaitLimit {
        WaitLimit(timeout.map { .seconds($0) }, until: deadline.map { .seconds($0) }, clock: clock)
    }

    /// Waits for these times; returns the kind of the error after each, and `nil` as long as there is none.
    private func wait(
        _ limit: WaitLimit,
        lastArrival: Duration? = nil,
        _ milliseconds: Int...
    ) async -> [String?] {
        var details: [String?] = []
        await limit.whileWaiting {
            lastArrival
        } leave: { [left] in
            left.withLock { $0 += 1 }
        } wait: {
            for time in milliseconds {
                clock.advance(by: .milliseconds(time))
                details.append(limit.error?.detail)
            }
        }
        return details
    }

    private static let late = "Nothing arrived for 60 s."
    private static let overdue = "The request took longer than its total timeout."

    @Test("Without a limit the wait is never over")
    func unlimited() async {
        let limit = limit(nil)
        #expect(clock.nextDeadline == nil)
        #expect(await wait(limit, 1_000_000) == [nil])
        #expect(!limit.isFinished)
    }

    @Test("The wait is over when nothing has arrived in the exchange for the timeout")
    func idle() async {
        #expect(await wait(limit(60), 59_999, 1) == [nil, Self.late])
        #expect(left.withLock { $0 } == 1)
        // By now a minute has passed, so this one has its last arrival ten seconds after its start.
        #expect(await wait(limit(60), lastArrival: .seconds(70), 69_999, 1) == [nil, Self.late])
        #expect(left.withLock { $0 } == 2)
        #expect(clock.nextDeadline == nil)
    }

    @Test("The wait is over at the deadline, whatever arrives", arguments: [60, 600, nil])
    func deadline(timeout: Int?) async {
        let limit = limit(timeout, deadline: 100)
        #expect(await wait(limit, lastArrival: .seconds(50), 99_999, 1) == [nil, Self.overdue])
        #expect(left.withLock { $0 } == 1)
        #expect(clock.nextDeadline == nil)
    }

    @Test("The timeout may be over before the deadline")
    func early() async {
        #expect(await wait(limit(60, deadline: 100), 60_000, 40_000) == [Self.late, Self.late])
    }

    @Test("A limit that nobody waits for any more leaves no timer")
    func released() {
        do {
            let limit = limit(60)
            #expect(clock.nextDeadline == .seconds(60))
            #expect(!limit.isFinished)
        }
        #expect(clock.nextDeadline == nil)
    }

    @Test("Outside of the wait nobody has to leave")
    func between() async {
        let limit = limit(60)
        _ = await wait(limit, 1)
        clock.advance(by: .seconds(60))
        #expect(limit.isFinished)
        #expect(left.withLock { $0 } == 0)
    }

    @Test("The wait of a cancelled task is over, for that reason")
    func cancelled() async {
        let limit = limit(60)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = await wait(limit, 60_000)
        }.value
        #expect(limit.error?.kind == .cancelled)
        #expect(left.withLock { $0 } > 0)
    }
}
