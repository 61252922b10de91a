import Clocks
import HTTPServing
import Locks
import Testing

@Suite("A hold")
struct HoldTests {
    private final class Waiter: Sendable {}

    @Test("Waiting closures are called at the release, in order, except cancelled ones")
    func order() throws {
        let hold = Hold()
        let called = Lock<[Int]>([])
        let sleepers = try (1...20).map { number in
            try #require(hold.wait { called.withLock { $0.append(number) } })
        }
        for number in [2, 7, 20] { sleepers[number - 1].cancel() }
        hold.release()
        #expect(called.withLock { $0 } == Array(1...20).filter { ![2, 7, 20].contains($0) })
    }

    @Test("A released hold does not make callers wait")
    func released() {
        let hold = Hold()
        hold.release()
        let sleeper = hold.wait {}
        #expect(sleeper == nil)
    }

    @Test("A cancelled closure is not retained")
    func left() throws {
        let hold = Hold()
        weak var waiter: Waiter?
        let sleeper = try {
            let own = Waiter()
            waiter = own
            return try #require(hold.wait { withExtendedLifetime(own) {} })
        }()
        #expect(waiter != nil)
        sleeper.cancel()
        #expect(waiter == nil)
    }
}
