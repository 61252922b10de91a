import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing

@testable import CacheClient

@Suite("Exchanges for which identical requests wait", .timeLimit(.minutes(20)))
struct FlightTests {
    private let flights = Flights()
    private let clock = VirtualClock(wallSeconds: startOfTime)
    private static let key = FlightKey(
        key: CacheKey(targetURI: "http://a/"),
        policy: .useProtocolCachePolicy
    )
    private static let body = StoredBody.bytes([1])

    private func join(_ key: FlightKey = Self.key, _ watch: KeyWatch? = nil) -> (flight: Flight, leads: Bool)
    {
        flights.join(key, [:]) { watch }
    }

    private var limit: WaitLimit { WaitLimit(nil, until: nil, clock: clock) }

    private static func arrival(_ detail: String) -> Flight.Arrival {
        let reply = OriginReply.failure(
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        return Flight.Arrival(reply: reply, version: nil, error: TransportError(.unknown, detail))
    }

    @Test("The first request leads, and those with the same key follow until it has ended")
    func roles() {
        let leader = join()
        #expect(leader.leads)
        let follower = join()
        #expect(!follower.leads)
        #expect(follower.flight === leader.flight)
        #expect(join(FlightKey(key: CacheKey(targetURI: "http://b/"), policy: .useProtocolCachePolicy)).leads)
        #expect(join(FlightKey(key: Self.key.key, policy: .returnCacheDataElseLoad)).leads)
        flights.end(Self.key, leader.flight)
        let next = join()
        #expect(next.leads)
        // What has ended ends no other.
        flights.end(Self.key, leader.flight)
        #expect(join().flight === next.flight)
    }

    @Test(
        "A flight that was begun before an invalidation or a removal has no further followers",
        arguments: [true, false]
    )
    func outdated(isRemoval: Bool) throws {
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        let leader = join(Self.key, store.watch(Self.key.key))
        #expect(!join().leads)
        if isRemoval { store.removeAll() } else { store.invalidate(Self.key.key) }
        let next = join(Self.key, store.watch(Self.key.key))
        #expect(next.leads)
        #expect(next.flight !== leader.flight)
    }

    @Test("A flight ends alone only if no request has joined it, and its response has landed")
    func alone() {
        let leader = join()
        #expect(!flights.endAlone(Self.key, leader.flight) { false })
        #expect(flights.endAlone(Self.key, leader.flight) { true })
        let next = join()
        #expect(next.leads)
        _ = join()
        #expect(!flights.endAlone(Self.key, next.flight) { true })
        #expect(!join().leads)
    }

    @Test("What the leader publishes first is what all others get")
    func published() async {
        let (flight, _) = join()
        flight.land(Self.arrival("first"))
        flight.land(Self.arrival("second"))
        flight.land(.arrived(Self.body, isStored: true))
        flight.land(Flight.Content.refused)
        flights.end(Self.key, flight)
        #expect(await flight.arrival(limit)?.error?.detail == "first")
        guard case .arrived(let body, true)? = await flight.content(limit) else {
            Issue.record("The content is not the one that was published first.")
            return
        }
        #expect(body.count == 1)
    }

    @Test("A leader that ends without a response lets others ask")
    func nothing() async {
        let (flight, _) = join()
        flights.end(Self.key, flight)
        #expect(await flight.arrival(limit) == nil)
        #expect(await flight.content(limit) == nil)
    }

    @Test("Requests that wait are reported, and wait until what they need is there")
    func waiting() async {
        let (flight, _) = join()
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        flight.onWait { isWaiting.yield() }
        #expect(!flight.isAwaited)
        let limit = limit
        let task = Task { await flight.arrival(limit)?.error?.detail }
        for await _ in waits { break }
        #expect(flight.isAwaited)
        // The content is not what it waits for.
        flight.land(.arrived(Self.body, isStored: true))
        for await _ in waits { break }
        flight.land(Self.arrival("here"))
        #expect(await task.value == "here")
        #expect(!flight.isAwaited)
    }

    @Test(
        "A request whose time is over waits no longer, and neither does a cancelled one",
        arguments: [true, false]
    )
    func over(isCancelled: Bool) async {
        let (flight, _) = join()
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        flight.onWait { isWaiting.yield() }
        let limit = WaitLimit(.seconds(60), until: nil, clock: clock)
        let task = Task { await flight.arrival(limit) == nil }
        for await _ in waits { break }
        if isCancelled { task.cancel() } else { clock.advance(by: .seconds(60)) }
        #expect(await task.value)
        #expect(limit.error?.kind == (isCancelled ? .cancelled : .timedOut))
        #expect(!flight.isAwaited)
    }

    @Test("Work in the background runs once for each subject, and can be awaited")
    func background() async {
        let work = BackgroundWork()
        let subject = BackgroundWork.Subject(key: Self.key.key, variant: VariantKey())
        let count = Lock(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        #expect(work.isIdle)
        await work.wait()
        for _ in 0..<2 {
            work.start(subject, executor: nil) {
                count.withLock { $0 += 1 }
                for await _ in gate {}
            }
        }
        #expect(!work.isIdle)
        let task = Task { await work.wait() }
        open.finish()
        await task.value
        await work.wait()
        #expect(work.isIdle)
        #expect(count.withLock { $0 } == 1)
        work.start(subject, executor: nil) { count.withLock { $0 += 1 } }
        await work.wait()
        #expect(count.withLock { $0 } == 2)
    }
}
