public import Clocks
import Locks

/// URLs that failed, why, and for how long they are not asked again.
public final class FailedURLs: Sendable {
    /// Which failures count.
    public enum Rule: Sendable, Hashable {
        /// Statuses of the client's making, such as 404 and 410, and content that is no image.
        case permanentOnly
        /// All but the seven errors of the way to the origin, as the documents have it; HTTP errors all count.
        case documented
        /// None.
        case never
    }
    /// One failure.
    public struct Failure: Sendable {
        /// Why.
        public var error: ImageError
        /// When, in the clock's elapsed time.
        public var moment: Duration
        /// When it is forgotten, in elapsed time; `nil` for never.
        public var expires: Duration?
    }
    private struct State {
        var failures: [String: Failure] = [:]
        var order: [String] = []
    }
    /// Not connected, cancelled, timed out, roaming off, data not allowed, no such host, no connection.
    private static let passing: Set<Int> = [-1009, -999, -1001, -1018, -1020, -1003, -1004]
    private let rule: Rule
    private let lifetime: Duration?
    private let limit: Int
    private let clock: any TimeSource
    private let state = Lock(State())

    /// Creates an empty list that holds at most `limit` URLs, each for `lifetime`; `nil` is for good.
    public init(_ rule: Rule, lifetime: Duration?, limit: Int = 10_000, clock: any TimeSource) {
        self.rule = rule
        self.lifetime = lifetime
        self.limit = max(1, limit)
        self.clock = clock
    }

    /// Whether a failure makes its URL one that failed.
    public func counts(_ error: ImageError) -> Bool {
        switch rule {
        case .never: false
        case .documented: !(error.domain == .url && Self.passing.contains(error.code))
        case .permanentOnly:
            switch error.domain {
            case .image: error.code >= 0 && error.code != ImageError.storage("").code
            case .url: (400..<500).contains(error.code) && ![401, 403, 408, 425, 429].contains(error.code)
            }
        }
    }

    /// Notes a failure, where it counts; a server that says when to come again is believed.
    public func note(_ error: ImageError, of url: String) {
        guard counts(error) else { return }
        let now = clock.elapsed
        var wait = lifetime
        if let seconds = error.retryAfterSeconds { wait = min(wait ?? .seconds(seconds), .seconds(seconds)) }
        let failure = Failure(error: error, moment: now, expires: wait.map { now + $0 })
        state.withLock { state in
            if state.failures.updateValue(failure, forKey: url) == nil { state.order.append(url) }
            if state.order.count > limit { state.failures[state.order.removeFirst()] = nil }
        }
    }

    /// The failure of a URL that is still remembered.
    public func failure(of url: String) -> Failure? {
        let now = clock.elapsed
        return state.withLock { state in
            guard let failure = state.failures[url] else { return nil }
            guard let expires = failure.expires, expires <= now else { return failure }
            state.failures[url] = nil
            state.order.removeAll { $0 == url }
            return nil
        }
    }

    /// Forgets a URL.
    public func forget(_ url: String) {
        state.withLock { state in
            guard state.failures.removeValue(forKey: url) != nil else { return }
            state.order.removeAll { $0 == url }
        }
    }

    /// Forgets all.
    public func removeAll() { state.withLock { $0 = State() } }

    /// The number of URLs.
    public var count: Int { state.withLock { $0.failures.count } }
}
