import CacheSemantics
import CacheStorage
import Locks

/// Which keys have stored responses that may answer for other queries than their own.
///
/// It is filled by what is in the store when it is asked first and by what this client stores, and may forget: then a
/// request is a miss that need not be one. What it finds is compared with the stored response before it is used.
final class SearchIndex: Sendable {
    /// What one path has stored with one partition or content digest.
    private struct Group {
        let search: NoVarySearch
        /// What its path has in common with those that are equivalent to it (RFC 3986 §6.2.2).
        let normalizedBase: String
        var keys: [[UInt8]: CacheKey] = [:]
    }
    private struct Place: Hashable {
        let base: String
        let content: String
    }
    private struct State {
        var groups: [Place: Group] = [:]
        var count = 0
        /// Whether what was stored before has been looked at.
        var isFilled = false
    }
    private static let mostKeys = 4096
    private let state = Lock(State())

    /// Whether nothing can be found, what a `store` has included.
    private func isEmpty(_ store: any ResponseStore) -> Bool {
        let (isFilled, isEmpty) = state.withLock { state in
            defer { state.isFilled = true }
            return (state.isFilled, state.groups.isEmpty)
        }
        guard !isFilled else { return isEmpty }
        for stored in store.searchable { note(stored) }
        return state.withLock { $0.groups.isEmpty }
    }

    /// Takes note of a stored response; of several rules for one path the newest counts.
    func note(_ stored: StoredResponse) {
        guard let search = stored.noVarySearch else { return }
        let (base, query) = NoVarySearch.parts(of: stored.key.targetURI)
        let place = Place(base: base, content: stored.key.content)
        let canonical = search.canonical(query)
        let normalizedBase = NoVarySearch.parts(of: stored.key.normalizedTargetURI).base
        state.withLock { state in
            if state.count >= Self.mostKeys { state = State(isFilled: true) }
            if state.groups[place]?.search != search {
                state.groups[place] = Group(search: search, normalizedBase: normalizedBase)
            }
            if state.groups[place]?.keys.updateValue(stored.key, forKey: canonical) == nil {
                state.count += 1
            }
        }
    }

    /// The key of a stored response that may answer for `key`.
    func equivalent(to key: CacheKey, in store: any ResponseStore) -> CacheKey? {
        guard !isEmpty(store) else { return nil }
        let (base, query) = NoVarySearch.parts(of: key.targetURI)
        let group = state.withLock { $0.groups[Place(base: base, content: key.content)] }
        guard let group, let found = group.keys[group.search.canonical(query)], found != key else {
            return nil
        }
        return found
    }

    /// The keys of all stored responses that may answer for a target URI or an equivalent one, in all partitions.
    func all(equivalentTo key: CacheKey, in store: any ResponseStore) -> [CacheKey] {
        guard !isEmpty(store) else { return [] }
        let (base, query) = NoVarySearch.parts(of: key.normalizedTargetURI)
        let groups = state.withLock { $0.groups.values.filter { $0.normalizedBase == base } }
        return groups.compactMap { $0.keys[$0.search.canonical(query)] }
    }

    /// Forgets a key under which nothing is stored any more.
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
