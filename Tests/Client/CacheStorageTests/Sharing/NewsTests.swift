import CacheSemantics
import GRDB
import Locks
import TestSupport
import Testing

@testable import CacheStorage

@Suite("What a store learns of the changes by others", .blocking)
struct NewsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "An entry that is put after another store's withdrawal stays valid",
        arguments: SharingTests.Withdrawal.allCases.filter { $0 != .since }
    )
    func putAfterwards(withdrawal: SharingTests.Withdrawal) throws {
        let (first, second) = (try folder.store(), try folder.store())
        first.put(entry("a", number: 1))
        first.flush()
        #expect(withdrawal.happen(in: second).failure == nil)
        first.put(entry("a", number: 2))
        first.flush()
        for store in [first, second, try folder.store()] {
            #expect(store.numbers("a") == ["2"])
            #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [false])
        }
    }

    @Test("A transaction that its process could not announce is read when the next store opens the folder")
    func unannounced() throws {
        let store = try folder.store()
        store.put(entry("a"))
        store.flush()
        let killed = try DiskTier.open(folder.path).tier
        #expect(store.tiers("a") == [.memory])
        let variant = VariantKey().digest
        let removal = StorageChange(kind: .removed, row: 1, digest: key("a").digest, variant: variant)
        let batch = WriteBatch(changes: [removal])
        _ = try killed.writer.write { try killed.write(batch, $0) }
        killed.close()
        _ = try folder.store()
        #expect(store.tiers("a") == [])
    }

    @Test("What another store has written counts for the capacity, from the next lookup on")
    func capacity() throws {
        let (small, large) = (try folder.store(memory: 0, disk: 3_000), try folder.store(memory: 0))
        for number in 1...5 { large.put(entry("\(number)")) }
        large.flush()
        #expect(large.diskUsage.bytes > 5_000)
        #expect(["1", "5"].map { small.tiers($0) } == [[], [.disk]])
        #expect(small.diskUsage.bytes <= 3_000)
    }

    @Test("A change that another store announces while this one writes is read")
    func announcedMeanwhile() throws {
        let store = try folder.store()
        let generation = try #require(store.state.withLock { $0.disk }).generation
        let isBehind = store.state.withLock { state in
            // The other store's, then this one's.
            _ = generation.advance()
            let before = generation.advance()
            state.finish(WriteBatch(), rows: [], generationBefore: before)
            return state.isBehind
        }
        #expect(isBehind)
    }

    @Test("Of two stores that have written large content of one key, one file is left")
    func files() throws {
        let (first, second) = (try folder.store(memory: 0), try folder.store(memory: 0))
        first.deferWrites(true)
        first.put(entry("a", size: 100_000, byte: 1))
        second.put(entry("a", size: 100_000, byte: 2))
        second.flush()
        #expect(folder.names("bodies").count == 2)
        first.flush()
        for store in [first, second] {
            #expect(try store.bodies("a") == [[UInt8](repeating: 1, count: 100_000)])
        }
        #expect(folder.names("bodies").count == 1)
    }

    @Test("The end of one watch of a key leaves the other, and that of the last leaves nothing")
    func watches() throws {
        let store = try folder.store(disk: 0)
        let kept = store.watch(key("a"))
        do {
            let released = store.watch(key("a"))
            #expect(!released.isChanged)
        }
        store.invalidate(key("a"))
        #expect(kept.isInvalidated)
        withExtendedLifetime(kept) { #expect(!store.watches.isEmpty) }
    }

    @Test("Nothing is kept of a key without watches")
    func unwatched() throws {
        let store = try folder.store(disk: 0)
        for _ in 1...2 { store.invalidate(store.watch(key("a")).isChanged ? key("b") : key("a")) }
        #expect(store.watches.isEmpty)
    }
}
