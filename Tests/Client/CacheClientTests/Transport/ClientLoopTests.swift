import CacheClient
import Locks
import Testing

@Suite("A client's loop", .timeLimit(.minutes(20)))
struct ClientLoopTests {
    /// Reports when it no longer has references.
    private final class Farewell: Sendable {
        private let tell: @Sendable () -> Void

        init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

        deinit { tell() }
    }

    @Test("A waiting loop ends at once when it has no references any more")
    func end() async throws {
        // One that is not woken ends after a minute; a busy machine may delay one that is.
        var attempts = 0
        var time: Duration
        repeat {
            time = try await timeToEnd()
            attempts += 1
        } while time > .seconds(30) && attempts < 3
        #expect(time < .seconds(30))
    }

    private func timeToEnd() async throws -> Duration {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        var news = events.makeAsyncIterator()
        try await waitingLoop {
            continuation.finish()
        }
        let clock = ContinuousClock()
        let begin = clock.now
        while await news.next() != nil {}
        return clock.now - begin
    }

    @Test("A loop without a thread runs tasks only while it is driven")
    func driven() throws {
        let loop = try ClientLoop(drivenWith: 1)
        let steps = Lock<[String]>([])
        Task(executorPreference: loop) { steps.withLock { $0.append("ran") } }
        steps.withLock { $0.append("begun") }
        loop.work()
        #expect(steps.withLock { $0 } == ["begun", "ran"])
        #expect(loop.activity().isBlocked)
    }

    @Test("Waking a loop without a thread ends its next wait")
    func woken() throws {
        let loop = try ClientLoop(drivenWith: 1)
        loop.wake()
        let clock = ContinuousClock()
        let begin = clock.now
        loop.wait(for: .seconds(1000))
        #expect(clock.now - begin < .seconds(300))
    }

    @Test("A loop that is about to wait says so, until there is something to do")
    func blocked() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Bool.self)
        let loop = try ClientLoop()
        loop.onIdle { [weak loop] in
            if let loop { continuation.yield(loop.activity().isBlocked) }
        }
        await Task(executorPreference: loop) { #expect(!loop.activity().isBlocked) }.value
        for await isBlocked in events {
            #expect(isBlocked)
            break
        }
    }

    /// Starts a loop, waits until it waits, and releases it; `ended` is called when its thread has ended.
    private func waitingLoop(_ ended: @escaping @Sendable () -> Void) async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let loop = try ClientLoop()
        let farewell = Farewell(ended)
        loop.onIdle {
            // Objects that the loop's thread retains are released with it.
            withExtendedLifetime(farewell) { _ = continuation.yield() }
        }
        // Makes the loop wait again, in case it did so before this could be reported.
        await Task(executorPreference: loop) {}.value
        var news = events.makeAsyncIterator()
        _ = await news.next()
    }
}
