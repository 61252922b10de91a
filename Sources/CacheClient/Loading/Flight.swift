import CacheSemantics
import CacheStorage
import HTTPTypes
import Locks

/// What a request must have in common with another to share its exchange.
struct FlightKey: Sendable, Hashable {
    let key: CacheKey
    let policy: RequestCachePolicy
    let fields: HTTPFields

    static func == (left: FlightKey, right: FlightKey) -> Bool {
        left.key == right.key && left.policy == right.policy && left.fields == right.fields
    }

    // The fields rarely tell requests of one key apart, and cost much to hash.
    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// An exchange that several identical requests wait for.
final class Flight: Sendable {
    /// What the leader's exchange brought.
    struct Arrival: Sendable {
        let reply: OriginReply
        let error: TransportError?
    }
    private struct State {
        var arrival: Arrival??
        var body: StoredBody??
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }
    private let state = Lock(State())
    /// Tells whether an unsafe request has made outdated what the leader asked for.
    let watch: KeyWatch?

    init(watch: KeyWatch? = nil) { self.watch = watch }

    /// The head has come, or the failure; `nil` where the leader has given up and somebody else must ask.
    func land(_ arrival: Arrival?) {
        wake { if $0.arrival == nil { $0.arrival = .some(arrival) } }
    }

    /// The content has come; `nil` where it never will.
    func land(body: StoredBody?) {
        wake { if $0.body == nil { $0.body = .some(body) } }
    }

    /// Waits for the leader's head.
    func arrival(_ patience: Patience) async -> Arrival? {
        await wait(patience) { $0.arrival != nil }
        return state.withLock { $0.arrival ?? nil }
    }

    /// Waits for the leader's content.
    func body(_ patience: Patience) async -> StoredBody? {
        await wait(patience) { $0.body != nil }
        return state.withLock { $0.body ?? nil }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state -> [UInt64: CheckedContinuation<Void, Never>] in
            change(&state)
            guard !state.waiters.isEmpty else { return [:] }
            defer { state.waiters = [:] }
            return state.waiters
        }
        if waiters.isEmpty { return }
        for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value.resume() }
    }

    private func wait(_ patience: Patience, until isThere: @Sendable (borrowing State) -> Bool) async {
        while !patience.isOver, state.withLock({ !isThere($0) }) {
            let number = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            await patience.whileWaiting {
                self.leave(number)
            } wait: {
                await suspend(number, patience, isThere)
            }
        }
    }

    private func suspend(
        _ number: UInt64,
        _ patience: Patience,
        _ isThere: @Sendable (borrowing State) -> Bool
    ) async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard !isThere(state), !patience.isOver else { return false }
                state.waiters[number] = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    private func leave(_ number: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
}

/// The exchanges that others may join.
final class Flights: Sendable {
    private let flights = Lock([FlightKey: Flight]())

    /// The flight under way, or a new one that the caller leads and must end.
    ///
    /// Who asks after an unsafe request has succeeded wants what is there after it (RFC 9111 §4.4).
    func join(_ key: FlightKey, watching: () -> KeyWatch?) -> (flight: Flight, leads: Bool) {
        flights.withLock { flights in
            if let flight = flights[key], flight.watch?.mayBeInvalidated != true { return (flight, false) }
            let flight = Flight(watch: watching())
            flights[key] = flight
            return (flight, true)
        }
    }

    /// Lets nobody join any more, and sends home who still waits.
    func end(_ key: FlightKey, _ flight: Flight) {
        flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
        }
        flight.land(nil)
        flight.land(body: nil)
    }
}
