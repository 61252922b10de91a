import CacheSemantics
import Locks
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Entries that are read from disk into memory", .blocking)
struct PromotionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("One that does not fit evicts nothing from memory", arguments: [4_500, 20_000, 200_000])
    func tooLarge(size: Int) throws {
        let first = try folder.store()
        first.put(entry("large", size: size))
        first.close()
        let store = try folder.store(memory: 5_000)
        store.put(entry("a", policy: .allowedInMemoryOnly))
        #expect(try store.bodies("large") == [[UInt8](repeating: 7, count: size)])
        #expect(store.tiers("large") == [.disk])
        #expect(store.tiers("a") == [.memory])
    }

    @Test(
        "Content in a file that does not fit into memory is not read into it",
        arguments: [(150_000, false), (300_000, true)]
    )
    func file(memory: Int, isRead: Bool) throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a", size: 200_000))
        store.close()
        let body = try folder.store(memory: memory).entries(for: key("a")).entries.first?.entry.body
        #expect(try #require(body).residentCount == (isRead ? 200_000 : 0))
    }

    @Test("One that two threads have read at once is in memory once")
    func twice() throws {
        let store = try written()
        let read = try begin(store)
        for _ in 1...2 {
            store.state.withLock { $0.settle(read, entry("a"), verified: 0, isUse: true) }
        }
        #expect(store.tiers("a") == [.memory])
        let usage = store.memoryUsage
        store.put(entry("a"))
        #expect(store.memoryUsage == usage)
    }

    @Test("One that was invalidated while it was read is not returned as valid")
    func invalidated() throws {
        let store = try written()
        let read = try begin(store)
        store.invalidate(key("a"))
        store.state.withLock { $0.settle(read, entry("a"), verified: 0, isUse: true) }
        #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
    }

    /// Returns a store with an entry that is on disk alone.
    private func written() throws -> CacheStore {
        let store = try folder.store()
        store.put(entry("a"))
        store.close()
        return try folder.store()
    }

    /// Decides to read the entry.
    private func begin(_ store: CacheStore) throws -> StoreState.DiskRead {
        let lookup = store.state.withLock { $0.lookup(key("a"), digest: key("a").digest, by: nil) }
        guard case .incomplete(_, let reads, _) = lookup else {
            throw StorageError(operation: "read", path: "a", reason: "it is in memory")
        }
        return try #require(reads.first)
    }
}
