public import CacheSemantics
import Locks

/// Tells what has happened to a key since the watch began; a response on its way needs to know before it is stored.
public final class KeyWatch: Sendable {
    private let watches: KeyWatches
    private let digest: UInt64
    private let beginning: Int

    fileprivate init(_ watches: KeyWatches, _ digest: UInt64, _ beginning: Int) {
        self.watches = watches
        self.digest = digest
        self.beginning = beginning
    }

    deinit { watches.end() }

    /// Whether the key has been invalidated (RFC 9111 §4.4).
    public var isInvalidated: Bool { watches.isInvalidated(digest, since: beginning) }

    /// Whether something has been stored, updated or invalidated under the key.
    public var isChanged: Bool { watches.isChanged(digest, since: beginning) }
}

/// What happens to the keys of one store while anybody watches, each event with a number of its own.
final class KeyWatches: Sendable {
    /// The last event of each key.
    private struct Journal {
        private var last: [UInt64: Int] = [:]
        /// Events up to this one may have been forgotten.
        private var forgotten = 0

        func hasEvent(_ digest: UInt64, since beginning: Int) -> Bool {
            beginning < forgotten || last[digest].map { $0 > beginning } ?? false
        }

        mutating func note(_ digest: UInt64, _ number: Int) {
            if last.count >= 10_000 {
                forgotten = number - 1
                last.removeAll(keepingCapacity: true)
            }
            last[digest] = number
        }

        mutating func clear() {
            if !last.isEmpty { last.removeAll(keepingCapacity: true) }
        }
    }
    private struct State {
        var watching = 0
        var events = 0
        var changes = Journal()
        var invalidations = Journal()
    }
    private let state = Lock(State())

    func begin(_ key: CacheKey) -> KeyWatch {
        let beginning = state.withLock { state in
            state.watching += 1
            return state.events
        }
        return KeyWatch(self, StoreState.digest(key), beginning)
    }

    func note(_ key: CacheKey, isInvalidated: Bool = false) {
        let digest = StoreState.digest(key)
        state.withLock { state in
            guard state.watching > 0 else { return }
            state.events += 1
            state.changes.note(digest, state.events)
            if isInvalidated { state.invalidations.note(digest, state.events) }
        }
    }

    fileprivate func isChanged(_ digest: UInt64, since beginning: Int) -> Bool {
        state.withLock { $0.changes.hasEvent(digest, since: beginning) }
    }

    fileprivate func isInvalidated(_ digest: UInt64, since beginning: Int) -> Bool {
        state.withLock { $0.invalidations.hasEvent(digest, since: beginning) }
    }

    fileprivate func end() {
        state.withLock { state in
            state.watching -= 1
            guard state.watching == 0 else { return }
            state.changes.clear()
            state.invalidations.clear()
        }
    }
}

extension CacheStore {
    /// Begins to watch what happens to a key in this store, until the watch is let go.
    ///
    /// What other processes do that share the folder is not seen. Where very much happens meanwhile, the watch may
    /// tell of what happened to other keys.
    public func watch(_ key: CacheKey) -> KeyWatch { watches.begin(key) }
}
