import GRDB
import Locks
import Testing
import TestSupport

@testable import CacheStorage

@Suite("A database that cannot grow", .blocking)
struct FullDatabaseTests {
    @Test(
        "An entry without space is refused with a reason, or by the next lookup; nothing of it stays, the rest does"
    )
    func full() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        #expect(store.put(entry("kept", size: 30_000, byte: 1)) == .stored([.disk]))
        store.flush()
        try limit(store, pages: 1)
        // The failure of the first is detected while it is written, after the answer; the second is tried at once.
        store.put(entry("first", size: 60_000))
        store.flush()
        let told = store.entries(for: key("first"))
        #expect(told.entries.isEmpty)
        #expect(told.damage.map(\.subject) == ["http://example.test/first"])
        #expect(told.damage.map(\.reason) == ["could not be written: database or disk is full"])
        guard case .refused(.failed(let error)) = store.put(entry("second", size: 60_000)) else {
            Issue.record("stored in a full database")
            return
        }
        #expect(error.reason == "database or disk is full")
        #expect(!store.mayStore(contentLength: 10))
        // The caller of a refused put already knows.
        #expect(store.entries(for: key("second")).damage.isEmpty)
        #expect(try store.bodies("first") == [])
        #expect(try store.bodies("second") == [])
        #expect(try store.bodies("kept") == [[UInt8](repeating: 1, count: 30_000)])
        #expect(store.entryCount == 1)
        store.close()
        try expectOnlyKept(folder)
    }

    @Test("Once there is space again, the store accepts entries")
    func roomAgain() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        try limit(store, pages: 1)
        store.put(entry("refused", size: 60_000))
        store.flush()
        try limit(store, pages: 1_000_000)
        #expect(store.put(entry("again", size: 60_000, byte: 2)) == .stored([.disk]))
        #expect(try store.bodies("again") == [[UInt8](repeating: 2, count: 60_000)])
    }

    @Test("If a withdrawal cannot be written, the database is removed for this reason, not as damaged")
    func refused() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.put(entry("a"))
        store.put(entry("large", size: 100_000))
        store.flush()
        let disk = try #require(store.state.withLock { $0.disk })
        let trigger = "CREATE TRIGGER t BEFORE INSERT ON change BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try disk.writer.writeWithoutTransaction { try $0.execute(sql: trigger) }
        #expect(store.invalidate(key("a")).failure == nil)
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        let reason = "removed, because invalidations or removals could not be written: refused"
        #expect(found.damage.map(\.reason) == [reason])
        #expect(!folder.names().contains("entries.sqlite.damaged"))
        #expect(folder.names("bodies") == [])
    }

    /// Keeps the database at its current size, as a full disk does: SQLite treats a smaller limit as that size.
    private func limit(_ store: CacheStore, pages: Int) throws {
        let disk = try #require(store.state.withLock { $0.disk })
        try disk.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }

    /// Checks what another process finds afterwards.
    private func expectOnlyKept(_ folder: TemporaryFolder) throws {
        let store = try folder.store(memory: 0)
        let found = store.entries(for: key("kept"))
        #expect(found.damage.isEmpty)
        #expect(
            try found.entries.map { try $0.entry.body.readAll() } == [[UInt8](repeating: 1, count: 30_000)]
        )
        #expect(store.entryCount == 1)
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        let check = try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        let rows = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM content") }
        #expect(check == "ok")
        #expect(rows == 1)
    }

    @Test("If a withdrawal finds the database damaged, that is set aside, and the withdrawal holds")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for path in ["a", "b"] { store.put(entry(path)) }
        store.flush()
        try removeTable("change", of: folder)
        #expect(store.invalidate(key("a")).failure == nil)
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == ["set aside: no such table: change"])
        #expect(store.put(entry("b")) == .stored([.memory, .disk]))
        #expect(folder.names().contains("entries.sqlite.damaged"))
    }
}
