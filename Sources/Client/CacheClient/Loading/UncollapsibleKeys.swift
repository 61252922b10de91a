import CacheSemantics
import Locks

/// Keys of which the origin's answers were of no use for anybody else: who asks for one does not wait for who is asking.
///
/// Nobody can know that before the head has come, so that the first who ask at the same time do wait; later ones would
/// wait for nothing, one after another. A key is remembered for two minutes, or until an answer is stored that others
/// may use. Requests with Authorization, whose answers a shared cache rarely stores, are remembered apart.
final class UncollapsibleKeys: Sendable {
    static let lifetime = Duration.seconds(120)
    private static let limit = 8192
    /// By digest, until when: keys that have one in common only cost each other an exchange.
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
