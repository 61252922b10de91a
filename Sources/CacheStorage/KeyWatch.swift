public import CacheSemantics
import Locks

/// Tells what has happened to a key since the watch began; a response on its way needs to know before it is stored.
public final class KeyWatch: Sendable {
    private struct State {
        var isInvalidated = false
        var isCleared = false
        var changes = 0
    }
    private let watches: KeyWatches
    private let key: CacheKey
    private let state = Lock(State())

    fileprivate init(_ watches: KeyWatches, _ key: CacheKey) {
        self.watches = watches
        self.key = key
    }

    deinit { watches.end(key, ObjectIdentifier(self)) }

    /// Whether the key has been invalidated (RFC 9111 §4.4).
    public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// Whether everything of the key's origin has been removed (W3C Clear Site Data).
    public var isCleared: Bool { state.withLock { $0.isCleared } }

    /// Whether something has been stored, updated or invalidated under the key.
    public var isChanged: Bool { state.withLock { $0.changes > 0 } }

    fileprivate func note(isInvalidated: Bool = false, isCleared: Bool = false) {
        state.withLock { state in
            state.changes += 1
            if isInvalidated { state.isInvalidated = true }
            if isCleared { state.isCleared = true }
        }
    }
}

/// The watches of one store, by key; none stays longer than the response it is for.
final class KeyWatches: Sendable {
    private struct Weak: Sendable {
        weak let watch: KeyWatch?
    }
    private let watches = Lock([CacheKey: [ObjectIdentifier: Weak]]())

    func begin(_ key: CacheKey) -> KeyWatch {
        let watch = KeyWatch(self, key)
        watches.withLock { $0[key, default: [:]][ObjectIdentifier(watch)] = Weak(watch: watch) }
        return watch
    }

    func note(_ key: CacheKey) {
        let noted = watches.withLock { $0[key].map { $0.values.compactMap(\.watch) } ?? [] }
        for watch in noted { watch.note() }
    }

    func noteInvalidated(where isMeant: (CacheKey) -> Bool) {
        for watch in all(where: isMeant) { watch.note(isInvalidated: true) }
    }

    func noteCleared(where isMeant: (CacheKey) -> Bool) {
        for watch in all(where: isMeant) { watch.note(isCleared: true) }
    }

    private func all(where isMeant: (CacheKey) -> Bool) -> [KeyWatch] {
        watches.withLock { watches in
            watches.filter { isMeant($0.key) }.flatMap { $0.value.values.compactMap(\.watch) }
        }
    }

    fileprivate func end(_ key: CacheKey, _ watch: ObjectIdentifier) {
        watches.withLock { watches in
            watches[key]?[watch] = nil
            if watches[key]?.isEmpty == true { watches[key] = nil }
        }
    }
}

extension CacheStore {
    /// Begins to watch what happens to a key in this store, until the watch is let go.
    ///
    /// What other processes do that share the folder is not seen.
    public func watch(_ key: CacheKey) -> KeyWatch { watches.begin(key) }
}
