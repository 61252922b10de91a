import CacheSemantics
import Locks

/// Keys whose responses cannot be reused for other requests, so that requests for them are not collapsed.
///
/// This cannot be known before the head has arrived, so the first simultaneous requests do wait; later ones would wait
/// in vain, one after another. A key is recorded for two minutes, or until a response is stored that other requests
/// may use. Requests with Authorization, whose responses a shared cache rarely stores, are recorded separately.
final class UncollapsibleKeys: Sendable {
    static let lifetime = Duration.seconds(120)
    private static let limit = 8192
    /// The ends of the records by digest: keys with the same digest only cost each other an exchange.
    private let ends = Lock([Int: Duration]())

    var isEmpty: Bool { ends.withLock { $0.isEmpty } }

    func contains(_ key: CacheKey, _ hasAuthorization: Bool, now: Duration) -> Bool {
        ends.withLock { ends in
            if ends.isEmpty { return false }
            let digest = Self.digest(key, hasAuthorization)
            guard let end = ends[digest] else { return false }
            if end > now { return true }
            ends[digest] = nil
            return false
        }
    }

    func insert(_ key: CacheKey, _ hasAuthorization: Bool, now: Duration) {
        ends.withLock { ends in
            if ends.count >= Self.limit { ends = ends.filter { $0.value > now } }
            if ends.count >= Self.limit { ends = [:] }
            ends[Self.digest(key, hasAuthorization)] = now + Self.lifetime
        }
    }

    func remove(_ key: CacheKey) {
        ends.withLock { ends in
            ends[Self.digest(key, false)] = nil
            ends[Self.digest(key, true)] = nil
        }
    }

    private static func digest(_ key: CacheKey, _ hasAuthorization: Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(hasAuthorization)
        return hasher.finalize()
    }
}
