@testable import CacheStorage
import Clocks
import GRDB
import Testing
import TestSupport

@Suite("The readers of rows hold on to no old state of the database", .blocking)
struct RowReadersTests {
    /// Returns readers of a store's folder, with a clock of their own by default.
    private static func readers(
        of folder: TemporaryFolder,
        _ clock: VirtualClock = VirtualClock(wallSeconds: 0)
    ) throws -> RowReaders {
        let paths = StoragePaths(directory: folder.path)
        return RowReaders(paths.database, try GenerationFile(path: paths.generation), clock: clock)
    }

    @Test("A reader that was reading when all had to release their snapshots does so when it has read")
    func busy() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0, disk: 1 << 20)
        store.put(entry("one", size: 10))
        store.flush()
        let readers = try Self.readers(of: folder)
        defer { readers.close() }
        try readers.read { reader, generation in
            let row = try reader.content(row: 1, of: key("one"), isInvalidated: false, generation)
            #expect(row != nil)
            readers.rest()
        }
        // Written through a connection that no reader knows of, and copied up to the oldest snapshot that is held.
        let writer = try DatabaseQueue(path: StoragePaths(directory: folder.path).database)
        try writer.write { db in try db.execute(sql: "UPDATE entry SET used = used + 1") }
        let row = try writer.writeWithoutTransaction { db in
            try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        }
        let pages: Int? = row?["log"]
        let copied: Int? = row?["checkpointed"]
        #expect(pages != nil && copied == pages)
    }

    @Test(
        "Once all of the log has been copied it is written from its start, although entries have been read since"
    )
    func restart() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.put(entry("a", size: 50_000))
        store.flush()
        #expect(store.tiers("a") == [.disk])
        let path = StoragePaths(directory: folder.path).database
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        let size = contents(path + "-wal").count
        store.put(entry("b", size: 10))
        store.flush()
        #expect(contents(path + "-wal").count == size)
        try other.close()
    }

    @Test("Reads of one second start one timer; the first read after it has fired starts the next")
    func timer() throws {
        let folder = try TemporaryFolder()
        try folder.store().close()
        let clock = VirtualClock(wallSeconds: 0)
        let readers = try Self.readers(of: folder, clock)
        try readers.read { _, _ in }
        clock.advance(by: .milliseconds(400))
        try readers.read { _, _ in }
        #expect(clock.nextDeadline == .seconds(1))
        clock.advance(by: .milliseconds(600))
        #expect(clock.nextDeadline == nil)
        try readers.read { _, _ in }
        #expect(clock.nextDeadline == .seconds(2))
        clock.advance(by: .seconds(1))
        try readers.read { _, _ in readers.close() }
        #expect(clock.nextDeadline == nil, "a closed reader has nothing to release")
    }

    @Test("The steps of closed readers count")
    func steps() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.put(entry("one", size: 10))
        store.flush()
        let readers = try Self.readers(of: folder)
        func read(_ count: Int) throws {
            guard count > 0 else { return }
            try readers.read { reader, generation in
                _ = try reader.content(row: 1, of: key("one"), isInvalidated: false, generation)
                try read(count - 1)
            }
        }
        try read(1)
        let one = readers.steps
        #expect(one > 0)
        // Two more than stay open.
        try read(6)
        #expect(readers.steps == 7 * one)
        readers.close()
    }
}
