import Testing

@testable import CacheClient

@Suite("Polling before waiting")
struct BusyWaitTests {
    /// A clock on which each reading takes a microsecond.
    private final class Ticks {
        var nanoseconds: Int64 = 0

        func now() -> Int64 {
            nanoseconds += 1_000
            return nanoseconds
        }
    }

    @Test(
        "Polling ends at the first event, or after 20 microseconds",
        arguments: [(1, 1, true), (3, 3, true), (20, 20, true), (21, 20, false), (.max, 20, false)]
    )
    func bounded(foundAt: Int, looks expected: Int, isFound: Bool) {
        let ticks = Ticks()
        var (wait, looks) = (BusyWait(now: ticks.now), 0)
        let found = wait.finds {
            looks += 1
            return looks == foundAt
        }
        #expect(found == isFound)
        #expect(looks == expected)
    }

    @Test("After polls without an event the next waits do not poll: 1, 2, 4, at most 64 of them")
    func vain() {
        let ticks = Ticks()
        var wait = BusyWait(now: ticks.now)
        #expect(Self.gaps(in: &wait, count: 9) == [1, 2, 4, 8, 16, 32, 64, 64])
    }

    @Test("After an event, every wait starts with polling again")
    func recovers() {
        let ticks = Ticks()
        var wait = BusyWait(now: ticks.now)
        _ = Self.gaps(in: &wait, count: 5)
        while !wait.finds({ true }) {}
        #expect(wait.finds { true })
        #expect(Self.gaps(in: &wait, count: 3) == [1, 2])
    }

    /// Returns the numbers of waits without a poll between those with a poll, all without an event.
    private static func gaps(in wait: inout BusyWait, count: Int) -> [Int] {
        var (gaps, skipped, found): ([Int], Int, Int) = ([], 0, 0)
        while found < count {
            var hasLooked = false
            _ = wait.finds {
                hasLooked = true
                return false
            }
            if !hasLooked {
                skipped += 1
                continue
            }
            if found > 0 { gaps.append(skipped) }
            (skipped, found) = (0, found + 1)
        }
        return gaps
    }
}
