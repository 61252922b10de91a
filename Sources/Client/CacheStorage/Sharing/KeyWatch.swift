public import CacheSemantics
import Locks

/// The changes of a key since the watch started; they are needed before a pending response is stored.
public final class KeyWatch: Sendable {
    private let watches: KeyWatches
    private let digest: UInt64
    private let begun: KeyWatches.Count

    fileprivate init(_ watches: KeyWatches, _ digest: UInt64, begun: KeyWatches.Count) {
        self.watches = watches
        self.digest = digest
        self.begun = begun
    }

    deinit { watches.end(digest) }

    /// Whether the key has been invalidated (RFC 9111 §4.4).
    public var isInvalidated: Bool {
        watches.count(digest, since: begun).invalidations != begun.invalidations
    }

    /// Whether the key, a group that the response is in (RFC 9875), or a target URI that its No-Vary-Search makes it answer for,
    /// has been invalidated.
    public func isInvalidated(for response: StoredResponse) -> Bool {
        let now = watches.count(digest, since: begun)
        if now.invalidations != begun.invalidations { return true }
        let searches = now.searches.dropFirst(begun.searches.count)
        if searches.contains(where: response.isMatched(byNormalizedTargetURI:)) { return true }
        guard now.groups != begun.groups else { return false }
        return watches.labelling.labels(of: response).contains { now.groups[$0] != begun.groups[$0] }
    }

    /// Whether the key, any group of its origin, or another query of its path has been invalidated; the groups and the
    /// No-Vary-Search of a pending response are not known yet.
    public var mayBeInvalidated: Bool {
        let now = watches.count(digest, since: begun)
        return now.invalidations != begun.invalidations || now.groups != begun.groups
            || now.searches.count != begun.searches.count
    }

    /// Whether the key has been removed, for example with everything of its origin (W3C Clear Site Data).
    public var isCleared: Bool { watches.count(digest, since: begun).clearances != begun.clearances }

    /// Whether a response has been stored, updated, invalidated or removed under the key, other than by eviction.
    public var isChanged: Bool { watches.count(digest, since: begun).changes != begun.changes }
}

/// The changes of the watched keys of one store, by digest; each is dropped with the last of its watches.
///
/// Keys that have the same digest by chance are not distinguished: a change of one is reported for the other, which
/// only causes an additional lookup.
final class KeyWatches: Sendable {
    /// The number of changes of each kind since the first watch of a key started.
    struct Count: Sendable {
        fileprivate(set) var changes = 0
        fileprivate(set) var invalidations = 0
        fileprivate(set) var clearances = 0
        /// The number of invalidations of each group, by its label.
        fileprivate(set) var groups: [UInt64: Int] = [:]
        /// The normalized target URIs with the path of the key and another query that have been invalidated or removed.
        fileprivate(set) var searches: [String] = []
        /// The number of changes recorded for any key when this was read.
        fileprivate var moment = 0
        /// The number of target URIs that are held for one key; more count as invalidations of the key itself.
        private static let maximumSearches = 64

        fileprivate mutating func note(search uri: String) {
            changes += 1
            if searches.count < Self.maximumSearches { searches.append(uri) } else { invalidations += 1 }
        }
    }
    private struct Notes {
        var count = Count()
        /// The key that the first watch was for.
        let key: CacheKey
        private var watches = 0

        init(key: CacheKey) { self.key = key }

        mutating func begin() -> Count {
            watches += 1
            return count
        }

        /// Ends a watch; true if it was the last.
        mutating func end() -> Bool {
            watches -= 1
            return watches == 0
        }
    }
    private struct State {
        var notes: [UInt64: Notes] = [:]
        var moment = 0

        func count(_ digest: UInt64) -> Count {
            var count = notes[digest]?.count ?? Count()
            count.moment = moment
            return count
        }
    }
    private let state = Lock(State())
    let labelling: Labelling

    init(_ labelling: Labelling) { self.labelling = labelling }

    /// Whether no key is watched.
    var isEmpty: Bool { state.withLock { $0.notes.isEmpty } }

    func begin(_ key: CacheKey, _ digest: UInt64) -> KeyWatch {
        let begun = state.withLock { state in
            var begun = state.notes[digest, default: Notes(key: key)].begin()
            begun.moment = state.moment
            return begun
        }
        return KeyWatch(self, digest, begun: begun)
    }

    func note(_ digest: UInt64) {
        state.withLock { state in
            guard let index = state.notes.index(forKey: digest) else { return }
            state.moment += 1
            state.notes.values[index].count.changes += 1
        }
    }

    /// Records an invalidation or removal of all keys that satisfy `isMeant`.
    func note(isCleared: Bool = false, where isMeant: (CacheKey) -> Bool) {
        state.withLock { state in
            for (digest, known) in state.notes where isMeant(known.key) {
                state.moment += 1
                state.notes[digest]?.count.changes += 1
                if isCleared {
                    state.notes[digest]?.count.clearances += 1
                } else {
                    state.notes[digest]?.count.invalidations += 1
                }
            }
        }
    }

    /// Records an invalidation or removal of a target URI for the keys of equivalent ones, and for those of other queries, which
    /// their responses may turn out to ignore.
    func note(isCleared: Bool, target key: CacheKey) {
        note(isCleared: isCleared) { $0.isEquivalent(to: key) }
        note(search: key.normalizedTargetURI)
    }

    /// Records an invalidation or removal of a normalized target URI for the keys of other queries.
    func note(search uri: String) {
        guard !isEmpty else { return }
        let base = NoVarySearch.parts(of: uri).base
        state.withLock { state in
            for (digest, known) in state.notes {
                let own = known.key.normalizedTargetURI
                guard own != uri, NoVarySearch.parts(of: own).base == base else { continue }
                state.moment += 1
                state.notes[digest]?.count.note(search: uri)
            }
        }
    }

    /// Records an invalidation of groups, by their labels, for the keys that satisfy `isMeant`, which may be in them.
    func note(groups labels: [UInt64], where isMeant: (CacheKey) -> Bool) {
        state.withLock { state in
            for (digest, known) in state.notes where isMeant(known.key) {
                state.moment += 1
                state.notes[digest]?.count.changes += 1
                for label in labels { state.notes[digest]?.count.groups[label, default: 0] += 1 }
            }
        }
    }

    /// Returns the changes of a watched key; most often none have been recorded for any key meanwhile.
    fileprivate func count(_ digest: UInt64, since begun: Count) -> Count {
        state.withLock { $0.moment == begun.moment ? begun : $0.count(digest) }
    }

    fileprivate func end(_ digest: UInt64) {
        state.withLock { state in
            guard let index = state.notes.index(forKey: digest) else { return }
            if state.notes.values[index].end() { state.notes.remove(at: index) }
        }
    }
}

extension CacheStore {
    /// Starts to watch the changes of a key in this store, until the watch is released.
    ///
    /// Changes by other stores on the folder are included as soon as this store has read them, at the latest before an
    /// entry that was put without knowing of them is found or written.
    public func watch(_ key: CacheKey) -> KeyWatch { watches.begin(key, StoreState.digest(key)) }
}
