public import Clocks
import Locks

/// URLs that failed and are not requested again for a time.
public final class FailedURLs: Sendable {
    /// Which failures are recorded.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Rule: Sendable, Hashable {
        /// Client error statuses that last, such as 404 and 410, and content that is not an image.
        case permanentOnly
        /// All except seven network errors, as in the documents; all HTTP error statuses are recorded.
        case documented
        /// As in SDWebImage 5.21: content that is not an image, and all network errors except those of `documented` and a
        /// lost connection; no HTTP status and no media type.
        case sdWebImage5
        /// None.
        case never
    }
    /// A recorded failure.
    public struct Failure: Sendable {
        /// The error with which the URL failed.
        public var error: ImageError
        /// When it occurred, in the clock's elapsed time.
        public var moment: Duration
        /// When the record expires, in elapsed time; `nil` means never.
        public var expires: Duration?
    }
    private struct State {
        var failures: [String: Failure] = [:]
        var order: [String] = []
    }
    private static let transient: Set<ImageError.Code> = [
        .offline, .cancelled, .timedOut, .roamingOff, .dataNotAllowed, .cannotFindHost, .cannotConnect,
    ]
    private let rule: Rule
    private let lifetime: Duration?
    private let limit: Int
    private let clock: any TimeSource
    private let state = Lock(State())

    /// Creates an empty list of at most `limit` URLs, each recorded for `lifetime`; `nil` means for ever.
    public init(_ rule: Rule, lifetime: Duration?, limit: Int = 10_000, clock: any TimeSource) {
        self.rule = rule
        self.lifetime = lifetime
        self.limit = max(1, limit)
        self.clock = clock
    }

    /// Whether a failure is recorded.
    public func records(_ error: ImageError) -> Bool {
        switch rule {
        case .never: false
        case .documented: !(error.domain == .url && Self.transient.contains(error.code))
        case .sdWebImage5:
            switch error.domain {
            case .image: [.zeroPixels, .damaged].contains(error.code)
            // Statuses are positive.
            case .url:
                error.code.rawValue < 0 && !Self.transient.contains(error.code)
                    && ![.connectionLost, .unacceptableContentType].contains(error.code)
            }
        case .permanentOnly:
            switch error.domain {
            case .image: error.code.rawValue >= 0 && error.code != .storage
            case .url:
                (400..<500).contains(error.code.rawValue) && ![401, 403, 408, 425, 429].contains(error.code)
            }
        }
    }

    /// Records a failure if the rule includes it; a delay that the server requests shortens the lifetime.
    public func record(_ error: ImageError, of url: String) {
        guard records(error) else { return }
        let now = clock.elapsed
        var wait = lifetime
        if let delay = error.retryAfter { wait = min(wait ?? delay, delay) }
        let failure = Failure(error: error, moment: now, expires: wait.map { now + $0 })
        state.withLock { state in
            if state.failures.updateValue(failure, forKey: url) == nil { state.order.append(url) }
            if state.order.count > limit { state.failures[state.order.removeFirst()] = nil }
        }
    }

    /// Returns the recorded failure of a URL; `nil` if there is none, or it has expired.
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

    /// Removes the record of a URL.
    public func forget(_ url: String) {
        state.withLock { state in
            guard state.failures.removeValue(forKey: url) != nil else { return }
            state.order.removeAll { $0 == url }
        }
    }

    /// Removes all records.
    public func removeAll() { state.withLock { $0 = State() } }

    /// The number of recorded URLs.
    public var count: Int { state.withLock { $0.failures.count } }
}
