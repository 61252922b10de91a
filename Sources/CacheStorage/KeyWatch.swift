public import CacheSemantics
import Locks

/// Tells what has happened to a key since the watch began; a response on its way needs to know before it is stored.
public final class KeyWatch: Sendable {
    private let watches: KeyWatches
    private let digest: UInt64
    private let begun: KeyWatches.Notes

    fileprivate init(_ watches: KeyWatches, _ digest: UInt64, begun: KeyWatches.Notes) {
        self.watches = watches
        self.digest = digest
        self.begun = begun
    }

    deinit { watches.end(digest) }

    /// Whether the key has been invalidated (RFC 9111 §4.4).
    public var isInvalidated: Bool { watches.notes(digest).invalidations != begun.invalidations }

    /// Whether the key, or a group that the response is in, has been invalidated (RFC 9875).
    public func isInvalidated(for response: StoredResponse) -> Bool {
        let now = watches.notes(digest)
        if now.invalidations != begun.invalidations { return true }
        guard now.groups != begun.groups else { return false }
        return StoreLabel.all(of: response).contains { now.groups[$0] != begun.groups[$0] }
    }

    /// Whether the key, or any group of its origin, has been invalidated: of a response that is still to come nobody
    /// knows which groups it is in.
    public var mayBeInvalidated: Bool {
        let now = watches.notes(digest)
        return now.invalidations != begun.invalidations || now.groups != begun.groups
    }

    /// Whether everything of the key's origin has been removed (W3C Clear Site Data).
    public var isCleared: Bool { watches.notes(digest).clearances != begun.clearances }

    /// Whether something has been stored, updated or invalidated under the key.
    public var isChanged: Bool { watches.notes(digest).changes != begun.changes }
}

/// What happens to the keys of one store that somebody watches, by digest; none stays longer than its watches.
///
/// Keys that have the same digest by chance are taken for one: then a change is told that was none, which only means
/// that the store is looked at once more.
final class KeyWatches: Sendable {
    /// What has happened to a key since the first of its watches began.
    struct Notes: Sendable {
        fileprivate(set) var changes = 0
        fileprivate(set) var invalidations = 0
        fileprivate(set) var clearances = 0
        /// How often each group has been invalidated, by its label.
        fileprivate(set) var groups: [UInt64: Int] = [:]
        /// The key that the first watch was for.
        fileprivate let key: CacheKey
        fileprivate var watches = 0

        init(key: CacheKey) { self.key = key }
    }
    private let notes = Lock([UInt64: Notes]())

    func begin(_ key: CacheKey, _ digest: UInt64) -> KeyWatch {
        let begun = notes.withLock { notes in
            notes[digest, default: Notes(key: key)].watches += 1
            return notes[digest] ?? Notes(key: key)
        }
        return KeyWatch(self, digest, begun: begun)
    }

    func note(_ digest: UInt64) {
        notes.withLock { notes in
            guard !notes.isEmpty, var known = notes[digest] else { return }
            known.changes += 1
            notes[digest] = known
        }
    }

    /// Notes an invalidation or removal of all keys that `isMeant`.
    func note(isCleared: Bool = false, where isMeant: (CacheKey) -> Bool) {
        notes.withLock { notes in
            for (digest, known) in notes where isMeant(known.key) {
                notes[digest]?.changes += 1
                if isCleared { notes[digest]?.clearances += 1 } else { notes[digest]?.invalidations += 1 }
            }
        }
    }

    /// Notes an invalidation of groups, by their labels, that keys may be in.
    func note(groups labels: [UInt64], where isMeant: (CacheKey) -> Bool) {
        notes.withLock { notes in
            for (digest, known) in notes where isMeant(known.key) {
                notes[digest]?.changes += 1
                for label in labels { notes[digest]?.groups[label, default: 0] += 1 }
            }
        }
    }

    /// What is noted of a key that is watched.
    fileprivate func notes(_ digest: UInt64) -> Notes {
        notes.withLock { $0[digest] ?? Notes(key: CacheKey(targetURI: "")) }
    }

    fileprivate func end(_ digest: UInt64) {
        notes.withLock { notes in
            notes[digest]?.watches -= 1
            if notes[digest]?.watches == 0 { notes[digest] = nil }
        }
    }
}

extension CacheStore {
    /// Begins to watch what happens to a key in this store, until the watch is let go.
    ///
    /// What other processes do that share the folder is not seen.
    public func watch(_ key: CacheKey) -> KeyWatch { watches.begin(key, StoreState.digest(key)) }
}
