import CacheSemantics
import CacheStorage
import Locks

/// The keys whose stored responses may answer queries other than their own.
///
/// It is filled from the store at its first use, and with the responses that this client stores. It may forget a key,
/// which only causes an unnecessary miss. A key that it finds is checked against the stored response before it is
/// used.
final class SearchIndex: Sendable {
    /// The stored queries of one path with one partition or content digest.
    private struct Group {
        let search: NoVarySearch
        var keys: [[UInt8]: CacheKey] = [:]
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
    }
    private static let mostKeys = 4096
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
            if state.count >= Self.mostKeys { state = State(isFilled: true) }
            if state.groups[place]?.search != search {
                state.groups[place] = Group(search: search)
            }
            if state.groups[place]?.keys.updateValue(stored.key, forKey: canonical) == nil {
                state.count += 1
            }
        }
    }

    /// Returns the key of a stored response that may answer for `key`.
    func equivalent(to key: CacheKey, in store: any ResponseStore) -> CacheKey? {
        guard !isEmpty(store) else { return nil }
        let (base, query) = NoVarySearch.parts(of: key.targetURI)
        let group = state.withLock { $0.groups[Place(base: base, content: key.content)] }
        guard let group, let found = group.keys[group.search.canonical(query)], found != key else {
            return nil
        }
        return found
    }

    /// Removes a key under which nothing is stored any more.
    func forget(_ key: CacheKey) {
        let (base, query) = NoVarySearch.parts(of: key.targetURI)
        state.withLock { state in
            let place = Place(base: base, content: key.content)
            guard let search = state.groups[place]?.search else { return }
            if state.groups[place]?.keys.removeValue(forKey: search.canonical(query)) != nil {
                state.count -= 1
            }
            if state.groups[place]?.keys.isEmpty == true { state.groups[place] = nil }
        }
    }
}
