import CacheSemantics
import Clocks
import Locks
import Testing

@testable import CacheStorage

@Suite("Order of variants and of use, in the state of a store")
struct StateTests {
    @Test("The content of aliases is read once, and not at all if it has been found")
    func contents() throws {
        let folder = try TemporaryFolder()
        for isInMemory in [true, false] {
            let store = try folder.store(memory: isInMemory ? 4 << 20 : 0, disk: isInMemory ? 0 : 20 << 20)
            store.put(variant("0"))
            let aliases = ["1", "2"].map { LocatedEntry(entry: alias($0, of: "0"), tier: .disk) }
            let content = LocatedEntry(entry: variant("0"), tier: .disk)
            let counts = store.state.withLock { state in
                [aliases, aliases + [content], [content]].map { entries in
                    let contents = state.contents(of: entries, digest: key("v").digest)
                    return [contents.found.count, contents.reads.count]
                }
            }
            #expect(counts == [isInMemory ? [1, 0] : [0, 1], [0, 0], [0, 0]])
            store.close()
        }
    }

    @Test("A use in memory alone counts between two uses of the variant that was used last on disk")
    func between() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(most: 2)
        var first = variant("1")
        first.storagePolicy = .allowedInMemoryOnly
        store.put(first)
        store.put(variant("0"))
        for value in ["1", "0"] { #expect(store.selected(value) == [value]) }
        store.put(variant("2"))
        #expect(store.values() == ["0", "2"])
    }

    @Test("A store without a folder records no changes for others")
    func noChanges() throws {
        let store = try CacheStore(.init(), clock: VirtualClock(wallSeconds: 0))
        store.put(entry("a"))
        store.invalidate(key("a"))
        store.remove(key("a"))
        #expect(store.state.withLock { $0.chores.changes.isEmpty && !$0.isDrainScheduled })
    }

    @Test("Once everything was removed nothing waits to be written")
    func nothingWaits() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.deferWrites(true)
        store.put(entry("a"))
        store.removeAll()
        let state = store.state.withLock { ($0.pending.count, $0.pendingCost, $0.hasWork) }
        #expect(state == (0, 0, false))
    }

    @Test(
        "Uses may take 65,536 rows, or two for each entry if those are more",
        arguments: [(1, 65_536), (32_768, 65_536), (32_769, 65_538)]
    )
    func useRows(entries: Int, expected: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        let rows = store.state.withLock { state in
            for number in 0..<entries {
                state.index.insert(
                    DiskIndex.Record(
                        digest: UInt64(number),
                        variant: 0,
                        size: 0,
                        storedAt: 0,
                        file: 0,
                        isInvalidated: false
                    )
                )
            }
            defer { state.index = DiskIndex() }
            return state.takeBatch(withUses: false).maximumUseRows
        }
        #expect(rows == expected)
    }

    @Test("A key is answered without the store's lock once its other variant has been evicted from the disk")
    func complete() throws {
        let folder = try TemporaryFolder()
        // Of the two only the small one fits into memory.
        let store = try folder.store(memory: 3_000)
        store.put(variant("0", size: 3_000))
        store.put(variant("1"))
        #expect(store.selected("1") == ["1"])
        #expect(!isReady(store))
        store.setCapacities(disk: .bytes(store.diskUsage.bytes - 1))
        #expect(store.entryCount == 1)
        #expect(isReady(store))
    }

    /// Looks up all variants, and returns whether the answer is ready afterwards.
    private func isReady(_ store: CacheStore) -> Bool {
        _ = store.selected("1")
        return store.ready.entries(for: key("v"), digest: key("v").digest, by: nil) != nil
    }
}
