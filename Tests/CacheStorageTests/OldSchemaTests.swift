import CacheSemantics
import CacheStorage
import GRDB
import HTTPTypes
import Testing

@Suite("A database of an older version is taken over")
struct OldSchemaTests {
    /// The tables as the first version had them.
    private static let firstVersion = """
        CREATE TABLE old.entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT, digest INTEGER NOT NULL, variant INTEGER NOT NULL,
            size INTEGER NOT NULL, used INTEGER NOT NULL, stored_at REAL NOT NULL, file INTEGER NOT NULL,
            is_invalidated INTEGER NOT NULL);
        CREATE TABLE old.content (
            id INTEGER PRIMARY KEY, metadata_sum INTEGER NOT NULL, body_sum INTEGER NOT NULL,
            metadata BLOB NOT NULL, body BLOB);
        CREATE TABLE old.change (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, entry INTEGER NOT NULL,
            digest INTEGER NOT NULL, variant INTEGER NOT NULL, moment REAL NOT NULL);
        INSERT INTO old.entry SELECT id, digest, variant, size, used, stored_at, file, is_invalidated
            FROM main.entry;
        INSERT INTO old.content SELECT * FROM main.content;
        PRAGMA old.application_id = 0x43434853;
        PRAGMA old.user_version = 1;
        """

    @Test("Version 1, which has no labels, keeps its entries and gets the labels")
    func versionOne() throws {
        let folder = try TemporaryFolder()
        try makeVersionOne(folder, paths: ["a", "b"])
        let store = try folder.store()
        let found = store.entries(for: key("a"))
        #expect(found.damage.isEmpty)
        #expect(found.entries.map(\.tier) == [.disk])
        #expect(try store.bodies("b") == [[UInt8](repeating: 7, count: 1000)])
        #expect(store.put(entry("c")) == .stored([.memory, .disk]))
        store.remove(key("a"), VariantKey())
        store.close()
        let path = folder.path + "/entries.sqlite"
        #expect(try number("PRAGMA user_version", in: path) == 3)
        #expect(try number("SELECT count(*) FROM sqlite_schema WHERE name = 'label'", in: path) == 1)
        let again = try folder.store()
        #expect(again.tiers("a") == [])
        #expect(again.tiers("b") == [.disk])
        #expect(again.tiers("c") == [.disk])
        #expect(!folder.names().contains("entries.sqlite.damaged"))
    }

    @Test("What an earlier version has stored of an origin is cleared with the rest, and nothing else is")
    func clearing() throws {
        let folder = try TemporaryFolder()
        try makeVersionOne(folder, paths: ["a", "b"])
        let store = try folder.store()
        store.put(entry("new"))
        let other = CacheKey(targetURI: "http://other.test/")
        store.put(CacheEntry(stored: response(key: other), body: .bytes([1])))
        store.removeAll(of: "http://example.test")
        store.close()
        let again = try folder.store()
        #expect(again.entryCount == 1)
        #expect(again.entries(for: other).entries.map(\.tier) == [.disk])
    }

    @Test("Version 1 of somebody else's database is set aside")
    func foreign() throws {
        let folder = try TemporaryFolder()
        try makeVersionOne(folder, paths: ["a"])
        let queue = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = 1") }
        try queue.close()
        let found = try folder.store().entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == ["set aside: version 1, expected 3"])
    }

    /// Puts a database of version 1 with these entries into the folder.
    private func makeVersionOne(_ folder: TemporaryFolder, paths: [String]) throws {
        let store = try folder.store()
        for path in paths { store.put(entry(path)) }
        store.close()
        let path = folder.path + "/entries.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS old", arguments: [path + ".old"])
            try db.execute(sql: Self.firstVersion)
            let sum = Int64(bitPattern: ByteHash.sum([UInt8](repeating: 7, count: 1000)))
            try db.execute(sql: "UPDATE old.content SET body_sum = ?", arguments: [sum])
            try db.execute(sql: "DETACH old")
        }
        try queue.close()
        write(path, contents(path + ".old"))
        for suffix in [".old", "-wal", "-shm"] { unlinkIfThere(path + suffix) }
    }

    private func response(key: CacheKey) -> StoredResponse {
        StoredResponse(
            key: key,
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
    }

    private func number(_ statement: String, in path: String) throws -> Int? {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { try Int.fetchOne($0, sql: statement) }
    }
}
