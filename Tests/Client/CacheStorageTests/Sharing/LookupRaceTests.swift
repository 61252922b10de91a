import CacheSemantics
import Locks
import Testing
import TestSupport

@testable import CacheStorage

@Suite("Lookups that read from disk while the store changes", .timeLimit(.minutes(20)), .blocking)
struct LookupRaceTests {
    /// Changes of the store between the decision to read an entry and the end of reading it.
    enum Change: CaseIterable {
        case removal, removalOfAll, removalOfAllAndMore, close

        func apply(to store: CacheStore) {
            switch self {
            case .removal: store.remove(key("b"))
            case .removalOfAll: store.removeAll()
            case .removalOfAllAndMore:
                store.removeAll()
                for path in ["c", "d", "e"] { store.put(entry(path)) }
            case .close: store.close()
            }
        }
    }

    @Test(
        "An entry that was removed while it was being read is not returned as current",
        arguments: Change.allCases
    )
    func change(_ change: Change) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        for path in ["a", "b"] { store.put(entry(path)) }
        store.flush()
        let lookup = store.state.withLock {
            $0.lookup(key("b"), digest: StoreState.digest(key("b")), by: nil)
        }
        guard case .incomplete(_, let reads, _) = lookup, let read = reads.first else {
            Issue.record("nothing is to be read from disk")
            return
        }
        change.apply(to: store)
        #expect(!store.state.withLock { $0.isCurrent(read) })
        store.state.withLock { $0.settle(read, entry("b"), verified: 0, isUse: false) }
        #expect(store.numbers("b") == [])
    }
}
