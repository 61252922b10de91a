@testable import CacheStorage
import CacheSemantics
import GRDB
import Locks
import Testing

@Suite("The order of use on disk")
struct UseTests {
    @Test("To write it takes as many pages among 10,000 rows as among 200")
    func cost() throws {
        let few = try pages(rows: 200)
        #expect(few > 0)
        #expect(try pages(rows: 10_000) <= few + 1)
    }

    @Test("Writing waits for the disk no longer once an invalidation has been written")
    func durable() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.invalidate(key("a"))
        let disk = try #require(store.state.withLock { $0.disk })
        // 1 is NORMAL, 2 is FULL.
        #expect(try disk.writer.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
    }

    @Test("A withdrawal of what is stored waits until the disk has it, other changes do not")
    func synchronous() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.put(entry("a"))
        store.flush()
        let disk = try #require(store.state.withLock { $0.disk })
        let probe = """
            CREATE TEMP TABLE seen (level INTEGER);
            CREATE TEMP TRIGGER probe AFTER INSERT ON main.change
            BEGIN INSERT INTO seen SELECT synchronous FROM pragma_synchronous; END
            """
        try disk.writer.writeWithoutTransaction { try $0.execute(sql: probe) }
        // Replaces the first, which is a change for other stores.
        store.put(entry("a"))
        store.flush()
        store.invalidate(key("none"))
        store.invalidate(key("a"))
        store.put(entry("a"))
        store.flush()
        let levels = try disk.writer.unsafeRead { try Int.fetchAll($0, sql: "SELECT level FROM seen") }
        // 1 is NORMAL, 2 is FULL.
        #expect(levels == [1, 1, 2, 1])
    }

    @Test("One row is left of each entry that is still there, and the order with it")
    func trim() throws {
        let folder = try TemporaryFolder()
        let first = try folder.store(memory: 0)
        for name in ["a", "b", "c", "d"] { first.put(entry(name, size: 1000)) }
        first.close()
        let tier = try DiskTier.open(folder.path).tier
        let left = try tier.writer.write { db in
            try db.execute(sql: "DELETE FROM entry WHERE id = 3; DELETE FROM content WHERE id = 3")
            // Row 1 is used after row 4, and row 2 no longer.
            for (number, row) in [3, 1, 4, 1, 3, 4, 4, 1].enumerated() {
                try tier.write([Self.use(of: Int64(row), Int64(100 + number))], maximumRows: 7, db)
            }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM use")
        }
        tier.close()
        #expect(left == 2)
        let second = try folder.store(memory: 0)
        for _ in 1...2 { second.setCapacities(disk: .bytes(second.diskUsage.bytes - 1)) }
        #expect(["a", "b", "d"].map { second.tiers($0) } == [[.disk], [], []])
    }

    private static func use(of row: Int64, _ used: Int64) -> DiskIndex.Record {
        var record = DiskIndex.Record(
            digest: 0,
            variant: 0,
            size: 0,
            storedAt: 0,
            file: 0,
            isInvalidated: false
        )
        record.row = row
        record.used = used
        return record
    }

    /// Returns the number of pages that are written when a hundred entries have been used that are spread over all rows.
    private func pages(rows: Int) throws -> Int32 {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0, disk: 256 << 20)
        for number in 0..<rows { store.put(entry("\(number)", size: 10)) }
        store.flush()
        let writer = try #require(store.state.withLock { $0.disk }).writer
        let before = writer.unsafeRead { db in db.pagesWritten }
        for number in 0..<100 { _ = store.entries(for: key("\(number * rows / 100)")) }
        store.flush()
        return writer.unsafeRead { db in db.pagesWritten } - before
    }
}
