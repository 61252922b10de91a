import CacheSemantics
import CacheStorage
import HTTPTypes
import Locks

/// The properties that requests must share to wait for one exchange.
struct FlightKey: Sendable, Hashable {
    let key: CacheKey
    let policy: RequestCachePolicy
}

/// An exchange for which several identical requests wait.
final class Flight: Sendable {
    /// The outcome of the leader's content.
    enum Content: Sendable {
        /// It has arrived, and has been stored unless the store or the application refused it.
        case arrived(StoredBody, isStored: Bool)
        /// It arrives, but is not for others.
        case refused
    }
    /// The result of the leader's exchange.
    struct Arrival: Sendable {
        let reply: OriginReply
        /// The version of HTTP in which the reply was received; `nil` if there is none.
        let version: HTTPVersion?
        let error: TransportError?
    }
    fileprivate struct State {
        /// Whether any request but the leader's has joined.
        var isJoined = false
        /// The leader's exchange, from its start to the outcome of its content.
        var exchange: Exchange?
        var arrival: Arrival??
        var content: Content??
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var onWait: (@Sendable () -> Void)?
        var onLeave: (@Sendable () -> Void)?
    }
    fileprivate let state = Locked(State())
    /// The fields of the leader's request.
    let fields: HTTPFields
    /// Shows whether an unsafe request has outdated what the leader asked for.
    let watch: KeyWatch?

    init(_ fields: HTTPFields, watch: KeyWatch?) {
        self.fields = fields
        self.watch = watch
    }

    fileprivate var mayBeOutdated: Bool { watch.map { $0.mayBeInvalidated || $0.isCleared } ?? false }

    /// Whether any request waits.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Sets what is called whenever a request starts to wait.
    func onWait(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onWait = action } }

    /// Sets a function that is called whenever a request gives up waiting.
    func onLeave(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onLeave = action } }

    /// Sets the exchange for which others wait.
    func begin(_ exchange: Exchange) { state.withLock { $0.exchange = exchange } }

    /// When something last arrived in the exchange, on the clock's elapsed time; `nil` if there is none.
    private var lastArrival: Duration? { state.withLock { $0.exchange }?.lastArrival }

    /// Publishes the head, or the failure; `nil` if the leader has given up and another request must ask.
    func land(_ arrival: Arrival?) {
        wake { if $0.arrival == nil { $0.arrival = .some(arrival) } }
    }

    /// Publishes the content, or that it is not for others; `nil` if it will never arrive.
    func land(_ content: Content?) {
        wake { state in
            state.exchange = nil
            if state.content == nil { state.content = .some(content) }
        }
    }

    /// Waits for the leader's head.
    func arrival(_ waitLimit: WaitLimit) async -> Arrival? {
        await wait(waitLimit) { $0.arrival != nil }
        return state.withLock { $0.arrival ?? nil }
    }

    /// Waits for the leader's content.
    func content(_ waitLimit: WaitLimit) async -> Content? {
        await wait(waitLimit) { $0.content != nil }
        return state.withLock { $0.content ?? nil }
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

    private func wait(_ waitLimit: WaitLimit, until isThere: @Sendable (borrowing State) -> Bool) async {
        while !waitLimit.isFinished, state.withLock({ !isThere($0) }) {
            let number = state.withLock { state in
                state.nextWaiter += 1
                return state.nextWaiter
            }
            await waitLimit.whileWaiting {
                self.lastArrival
            } leave: {
                self.leave(number)
            } wait: {
                await suspend(number, waitLimit, isThere)
            }
        }
    }

    private func suspend(
        _ number: UInt64,
        _ waitLimit: WaitLimit,
        _ isThere: @Sendable (borrowing State) -> Bool
    ) async {
        await withCheckedContinuation { continuation in
            let (waits, onWait) = state.withLock { state in
                guard !isThere(state), !waitLimit.isFinished else { return (false, state.onWait) }
                state.waiters[number] = continuation
                return (true, state.onWait)
            }
            if waits { onWait?() } else { continuation.resume() }
        }
    }

    private func leave(_ number: UInt64) {
        let (waiter, onLeave) = state.withLock { ($0.waiters.removeValue(forKey: number), $0.onLeave) }
        waiter?.resume()
        onLeave?()
    }
}

/// The exchanges that others may join.
final class Flights: Sendable {
    private let flights = Lock([FlightKey: Flight]())

    /// Returns the current flight, or a new one that the caller leads and must end.
    ///
    /// A request sent after an unsafe request has succeeded needs a response from after it (RFC 9111 §4.4), and so
    /// does one sent after a removal.
    func join(
        _ key: FlightKey,
        _ fields: HTTPFields,
        watching: () -> KeyWatch?
    ) -> (flight: Flight, leads: Bool) {
        flights.withLock { flights in
            if let flight = flights[key], !flight.mayBeOutdated {
                flight.state.withLock { $0.isJoined = true }
                return (flight, false)
            }
            let flight = Flight(fields, watch: watching())
            flights[key] = flight
            return (flight, true)
        }
    }

    /// Closes the flight to further requests, if none has joined and `isLanded` returns true.
    func endAlone(_ key: FlightKey, _ flight: Flight, _ isLanded: () -> Bool) -> Bool {
        flights.withLock { flights in
            guard !flight.state.withLock({ $0.isJoined }), isLanded() else { return false }
            Self.remove(key, flight, from: &flights)
            return true
        }
    }

    private static func remove(_ key: FlightKey, _ flight: Flight, from flights: inout [FlightKey: Flight]) {
        guard let index = flights.index(forKey: key), flights[index].value === flight else { return }
        flights.remove(at: index)
    }

    /// Closes the flight to further requests, and wakes those that still wait.
    func end(_ key: FlightKey, _ flight: Flight) {
        flights.withLock { Self.remove(key, flight, from: &$0) }
        flight.land(Flight.Arrival?.none)
        flight.land(Flight.Content?.none)
    }
}
