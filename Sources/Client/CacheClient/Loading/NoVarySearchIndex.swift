import CacheSemantics
import CacheStorage
import Locks

/// The keys whose stored responses may answer queries other than their own by their No-Vary-Search.
///
/// It is filled from the store at its first use, and with the responses that this client stores. It may forget a key,
/// which only causes an unnecessary miss. A key that it finds is checked against the stored response before it is
/// used.
final class NoVarySearchIndex: Sendable {
    /// The stored queries of one path with one partition or content digest.
    private struct Group {
        let search: NoVarySearch
        /// The keys of equivalent queries, by their canonical text; the newest is the last.
        var keys: [[UInt8]: [CacheKey]] = [:]
    }
    private struct Place: Hashable {
        let base: String
        let content: String
    }
    private struct State {
        var groups: [Place: Group] = [:]
        var count = 0
        /// Whether earlier contents of the store have been read.
        var isFilled = false

        /// Adds a key as the newest of its equivalents, of which the oldest may be forgotten.
        mutating func note(_ key: CacheKey, _ canonical: [UInt8], at place: Place) {
            remove(key, canonical, at: place)
            groups[place]?.keys[canonical, default: []].append(key)
            count += 1
            guard let keys = groups[place]?.keys[canonical], keys.count > NoVarySearchIndex.maximumEquivalents
            else {
                return
            }
            remove(keys[0], canonical, at: place)
        }

        /// Removes a key, if it is there.
        mutating func remove(_ key: CacheKey, _ canonical: [UInt8], at place: Place) {
            guard let index = groups[place]?.keys[canonical]?.firstIndex(of: key) else { return }
            groups[place]?.keys[canonical]?.remove(at: index)
            count -= 1
            if groups[place]?.keys[canonical]?.isEmpty == true { groups[place]?.keys[canonical] = nil }
        }

        /// Removes the keys of an arbitrary query, so that there is room for another.
        mutating func makeRoom() {
            guard let place = groups.keys.first, let (canonical, keys) = groups[place]?.keys.first else {
                return
            }
            count -= keys.count
            groups[place]?.keys[canonical] = nil
            if groups[place]?.keys.isEmpty == true { groups[place] = nil }
        }
    }
    private static let maximumKeys = 4096
    /// The number of equivalent queries that are remembered, because each is looked up in the store.
    private static let maximumEquivalents = 16
    private let state = Lock(State())

    private let engine: CacheEngine

    /// Creates an index for the rules of an engine.
    init(_ engine: CacheEngine) { self.engine = engine }

    /// Whether nothing can be found, including the contents of `store`.
    private func isEmpty(_ store: any ResponseStore) -> Bool {
        let (isFilled, isEmpty) = state.withLock { state in
            defer { state.isFilled = true }
            return (state.isFilled, state.groups.isEmpty)
        }
        guard !isFilled else { return isEmpty }
        for stored in store.searchable { note(stored) }
        return state.withLock { $0.groups.isEmpty }
    }

    /// Adds a stored response; of several rules for one path the newest applies.
    func note(_ stored: StoredResponse) {
        guard let search = stored.noVarySearch(by: engine) else { return }
        let (base, query) = NoVarySearch.parts(of: stored.key.targetURI)
        let place = Place(base: base, content: stored.key.content)
        let canonical = search.canonical(query)
        state.withLock { state in
            if state.count >= Self.maximumKeys { state.makeRoom() }
            if let group = state.groups[place], group.search != search {
                state.count -= group.keys.values.reduce(0) { $0 + $1.count }
                state.groups[place] = nil
            }
            if state.groups[place] == nil { state.groups[place] = Group(search: search) }
            state.note(stored.key, canonical, at: place)
        }
    }

    /// Returns the keys of stored responses that may answer for `key`, without itself; the newest is the first.
    func equivalents(of key: CacheKey, in store: any ResponseStore) -> [CacheKey] {
        guard !isEmpty(store) else { return [] }
        let (base, query) = NoVarySearch.parts(of: key.targetURI)
        let group = state.withLock { $0.groups[Place(base: base, content: key.content)] }
        guard let group, let found = group.keys[group.search.canonical(query)] else { return [] }
        return found.reversed().filter { $0 != key }
    }

    /// Removes a key under which nothing is stored.
    func forget(_ key: CacheKey) {
        let (base, query) = NoVarySearch.parts(of: key.targetURI)
        state.withLock { state in
            let place = Place(base: base, content: key.content)
            guard let search = state.groups[place]?.search else { return }
            state.remove(key, search.canonical(query), at: place)
            if state.groups[place]?.keys.isEmpty == true { state.groups[place] = nil }
        }
    }
}
