import CacheSemantics
import Dispatch
import GRDB
import Locks
import TestSupport
import Testing

@testable import CacheStorage

@Suite("What waits to be written", .blocking)
struct PendingWriteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("New metadata that waits for a row is found with the row's content", arguments: [100, 100_000])
    func newMetadata(size: Int) throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a", number: 1, size: size))
        store.flush()
        store.deferWrites(true)
        #expect(store.freshen(response("a", number: 2)))
        #expect(store.numbers("a") == ["2"])
        #expect(try store.bodies("a") == [[UInt8](repeating: 7, count: size)])
    }

    @Test(
        "512 entries wait, or 8 MiB of them; with one more all are written although writes are deferred",
        arguments: [true, false]
    )
    func backlog(isLarge: Bool) throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        let metadata = Candidate(entry("100"), storedAt: 1_000_000, Labelling()).metadataSize
        let (count, size) = isLarge ? (128, 65_536 - metadata) : (512, 10)
        for number in 0..<count { store.put(entry("\(100 + number)", size: size)) }
        #expect(store.state.withLock { $0.pending.count } == count)
        store.put(entry("one more", size: 10))
        #expect(store.state.withLock { $0.pending.count } == 0)
        #expect(try folder.store(memory: 0).tiers("100") == [.disk])
    }

    @Test("What was changed while it waited has one row")
    func oneRow() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        store.put(entry("a"))
        #expect(store.freshen(response("a", number: 2)))
        store.flush()
        let disk = try #require(store.state.withLock { $0.disk })
        let rows = try disk.writer.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") }
        #expect(rows == 1)
    }

    @Test("What is removed while it is written is removed from the database afterwards, once")
    func removedMeanwhile() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        store.put(entry("a"))
        let digest = key("a").digest
        store.state.withLock { state in
            let batch = state.takeBatch(withUses: false)
            state.remove(digest: digest, variant: VariantKey())
            state.finish(batch, rows: [7], generationBefore: 0)
            #expect(state.takeChores().changes.map(\.row) == [7])
        }
        store.put(entry("b"))
        store.flush()
        #expect(store.freshen(response("b", number: 2)))
        store.state.withLock { state in
            let batch = state.takeBatch(withUses: false)
            let row = batch.items.first?.record.row ?? 0
            state.remove(digest: key("b").digest, variant: VariantKey())
            state.finish(batch, rows: [row], generationBefore: 0)
            #expect(row > 0 && state.takeChores().changes.map(\.row) == [row])
        }
    }

    @Test("What could not be written is tried again, before what came later")
    func abandoned() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        let record = DiskIndex.Record(
            digest: 0,
            variant: 0,
            size: 0,
            storedAt: 0,
            file: 0,
            isInvalidated: true
        )
        let batch = WriteBatch(
            changes: [StorageChange(kind: .removed, row: 1)],
            invalidated: [record],
            files: [7]
        )
        let error = StorageError(operation: "write", path: "a", reason: "full")
        store.state.withLock { state in
            state.note(StorageChange(kind: .removed, row: 2))
            state.chores.files = [8]
            state.isDrainScheduled = true
            state.abandon(batch, error)
            #expect(state.chores.changes.map(\.row) == [1, 2])
            #expect(state.chores.invalidated.count == 1)
            #expect(Set(state.chores.files) == [7, 8])
            #expect(state.trouble == error && state.damage.isEmpty)
            #expect(!state.isDrainScheduled)
            state.chores = WriteBatch()
        }
    }

    @Test("New metadata that could not be written is no finding, and the old is not found afterwards")
    func failedUpdate() throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a", number: 1))
        store.flush()
        let writer = try #require(store.state.withLock { $0.disk }).writer
        let trigger = "CREATE TRIGGER t BEFORE UPDATE ON content BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try writer.writeWithoutTransaction { try $0.execute(sql: trigger) }
        #expect(store.freshen(response("a", number: 2)))
        store.flush()
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty && found.damage.isEmpty)
        try writer.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER t") }
        store.close()
        #expect(try folder.store().numbers("a") == [])
    }

    @Test("Pages that were written are copied into the database while the store is open")
    func checkpoint() throws {
        let store = try folder.store(memory: 0)
        for number in 0..<200 { store.put(entry("\(number)", size: 60_000)) }
        store.flush()
        // Waits for it. At least the pages after which a checkpoint starts are copied; how many more, depends on the moment.
        try #require(store.state.withLock { $0.disk }).checkpointer.close()
        #expect(contents(folder.path + "/entries.sqlite").count > 2 << 20)
    }

    @Test("Once all is written, nothing counts as waiting")
    func accounting() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        for path in ["replaced", "removed", "freshened", "kept"] { store.put(entry(path)) }
        store.put(entry("replaced", size: 5000))
        store.remove(key("removed"))
        #expect(store.freshen(response("freshened", number: 1_000_000)))
        let waiting = store.state.withLock { ($0.pendingCost, $0.pending.values.reduce(0) { $0 + $1.cost }) }
        #expect(waiting.0 > 7000)
        #expect(waiting.0 == waiting.1)
        store.flush()
        #expect(store.freshen(response("kept", number: 1_000_000)))
        #expect(
            store.state.withLock { $0.pendingCost }
                == store.state.withLock { $0.pending.values.map(\.cost) }.first
        )
        store.flush()
        #expect(store.state.withLock { $0.pendingCost } == 0)
    }

    @Test("What gets new metadata while it is written waits again without its content, and for other stores")
    func changedMeanwhile() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        store.put(entry("a"))
        store.state.withLock { state in
            let batch = state.takeBatch(withUses: false)
            let storedAt = batch.items.first?.record.storedAt ?? 0
            let newer = Candidate(entry("a", number: 2), storedAt: storedAt, Labelling())
            let isFreshened = state.freshen(newer, storedAt: storedAt)
            #expect(isFreshened)
            state.finish(batch, rows: [1], generationBefore: 0)
            #expect(state.pendingCost == newer.metadataSize)
            #expect(state.pending.values.map(\.cost) == [newer.metadataSize])
            #expect(state.chores.changes.map(\.kind) == [.freshened])
        }
    }

    @Test("What is invalidated while it is written is written as invalidated afterwards")
    func invalidatedMeanwhile() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        store.put(entry("a"))
        let rows = store.state.withLock { state in
            let batch = state.takeBatch(withUses: false)
            state.markInvalidated(digest: key("a").digest)
            state.finish(batch, rows: [1], generationBefore: 0)
            return state.takeChores().invalidated.map(\.row)
        }
        #expect(rows == [1])
    }

    @Test("After 4,096 uses of what is on disk, their order is written with the next entry")
    func manyUses() throws {
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        for path in ["a", "b"] { store.put(entry(path)) }
        store.flush()
        for number in 1...4_095 { #expect(store.tiers(number % 2 == 0 ? "b" : "a") == [.disk]) }
        #expect(try uses(store) == 0)
        #expect(store.tiers("b") == [.disk])
        #expect(try uses(store) == 2)
    }

    /// Writes an entry; returns how many uses have been written.
    private func uses(_ store: CacheStore) throws -> Int? {
        let disk = try #require(store.state.withLock { $0.disk })
        store.put(entry("next"))
        store.drainNow(disk)
        return try disk.writer.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM use") }
    }

    @Test("Flushing again takes no step of SQLite, even after uses have been written")
    func nothing() throws {
        let store = try folder.store(memory: 0)
        for path in ["a", "b"] { store.put(entry(path)) }
        store.flush()
        for path in ["a", "b"] { #expect(store.tiers(path) == [.disk]) }
        store.flush()
        let before = store.databaseSteps
        store.flush()
        #expect(store.databaseSteps == before)
    }

    @Test(
        "An entry whose replacement could not be written does not return with the next store, and leaves no file",
        arguments: [1000, 100_000]
    )
    func replacement(size: Int) throws {
        let store = try folder.store(memory: 0)
        store.put(entry("a", number: 1, size: size))
        store.flush()
        let writer = try #require(store.state.withLock { $0.disk }).writer
        let trigger = "CREATE TRIGGER t BEFORE INSERT ON content BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try writer.writeWithoutTransaction { try $0.execute(sql: trigger) }
        store.put(entry("a", number: 2, size: size))
        store.flush()
        #expect(store.numbers("a") == [])
        try writer.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER t") }
        store.flush()
        #expect(folder.names("bodies") == [])
        store.close()
        #expect(try folder.store().numbers("a") == [])
    }

    @Test("Large content of a response that was refused because of a removal leaves no file")
    func refused() throws {
        let store = try folder.store()
        let watch = store.watch(key("a"))
        store.remove(key("a"))
        #expect(store.put(entry("a", size: 200_000), watchedBy: watch) == .refused(.removed))
        store.flush()
        #expect(folder.names("bodies") == [])
    }

    @Test("No time of storing is given twice, although the clock stands still and several threads ask")
    func times() throws {
        let store = try folder.store(disk: 0)
        let times = Lock([Double]())
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let own = (0..<50_000).map { _ in store.nextStoredAt() }
            times.withLock { $0 += own }
        }
        #expect(Set(times.withLock { $0 }).count == 200_000)
    }
}
