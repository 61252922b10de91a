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

    @Test("A variant that another store has freshened is found beside the others")
    func freshenedVariant() throws {
        let (first, second) = (try folder.store(), try folder.store())
        for variant in ["de", "en"] { first.put(entry("a", variant: variant, number: 1)) }
        first.flush()
        #expect(first.numbers("a") == ["1", "1"])
        #expect(second.freshen(response("a", variant: "de", number: 2)))
        second.flush()
        #expect(first.numbers("a") == ["1", "2"])
    }

    /// Changes the database as another process does, and announces it.
    private func change(_ sql: String, _ arguments: StatementArguments = []) throws {
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
        _ = try GenerationFile(path: folder.path + "/generation").advance()
    }

    @Test("After a change of an unknown kind everything is read again")
    func unknownKind() throws {
        let store = try folder.store()
        for path in ["a", "b"] { store.put(entry(path)) }
        store.flush()
        try change(
            """
            INSERT INTO change (kind, entry, digest, variant, moment) VALUES (99, 0, 0, 0, 0);
            DELETE FROM entry WHERE id = 1;
            """
        )
        #expect(["a", "b"].map { store.tiers($0) } == [[], [.disk]])
    }

    @Test("A row that another process has left damaged is removed, and its key is found without it")
    func damagedRow() throws {
        let store = try folder.store(memory: 0)
        for variant in ["de", "en"] {
            store.put(entry("a", variant: variant, number: variant == "de" ? 1 : 2))
        }
        store.flush()
        try change(
            """
            UPDATE entry SET is_invalidated = 1 WHERE id = 1;
            INSERT INTO change (kind, entry, digest, variant, moment)
                SELECT ?, id, digest, variant, 0 FROM entry WHERE id = 1;
            """,
            [StorageChange.Kind.freshened.rawValue]
        )
        let found = store.entries(for: key("a"))
        #expect(found.entries.map(\.entry.stored.variant.text) == ["en"])
        #expect(found.damage.map(\.reason) == ["1 of its rows are damaged"])
        #expect(store.entryCount == 1)
        store.close()
        #expect(try folder.store().numbers("a") == ["2"])
    }

    @Test(
        "Of two entries of one time the valid one stays, and of two that are both valid or not the one written last",
        arguments: [
            (false, false, "1"), (true, false, "2"), (false, true, "1"), (true, true, "1"),
        ]
    )
    func sameTime(isWaitingInvalidated: Bool, isWrittenInvalidated: Bool, expected: String) throws {
        let (first, second) = (try folder.store(), try folder.store())
        first.deferWrites(true)
        var (waiting, written) = (entry("a", number: 1), entry("a", number: 2))
        if isWaitingInvalidated { waiting.stored = waiting.stored.invalidated() }
        if isWrittenInvalidated { written.stored = written.stored.invalidated() }
        first.put(waiting)
        second.put(written)
        second.flush()
        first.flush()
        for store in [first, second] { #expect(store.numbers("a") == [expected]) }
    }

    @Test(
        "An entry that is too large removes an older one, from other stores only if there is one",
        arguments: [true, false]
    )
    func tooLarge(hasOlder: Bool) throws {
        let (first, second) = (try folder.store(), try folder.store())
        for store in [first, second] { store.deferWrites(true) }
        if hasOlder { first.put(entry("a")) }
        second.put(entry("a"))
        guard case .refused(.tooLarge) = first.put(entry("a", size: 30 << 20)) else {
            Issue.record("stored")
            return
        }
        first.flush()
        #expect(second.tiers("a") == (hasOlder ? [] : [.memory]))
    }

    @Test("What other stores have written is not forgotten as unwritten")
    func notUnwritten() throws {
        let (first, second) = (try folder.store(), try folder.store())
        #expect(first.forgetUnwritten())
        second.put(entry("a"))
        second.flush()
        #expect(first.tiers("a") == [.disk])
        #expect(!first.forgetUnwritten())
        #expect(first.tiers("a") == [.memory])
    }

    @Test("Lower capacities hold at once for what another store has written")
    func lowered() throws {
        let (small, large) = (try folder.store(memory: 0), try folder.store(memory: 0))
        for number in 1...5 { large.put(entry("\(number)")) }
        large.flush()
        small.setCapacities(disk: .bytes(3_000))
        #expect(["1", "5"].map { large.tiers($0) } == [[], [.disk]])
    }
}
