import CLibrary
import GRDB
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Numbers that no store writes, and files that it no longer finds", .blocking)
struct DamagedRowsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Stores entries and closes the folder; then changes its database.
    private func fill(_ paths: [String], then sql: String = "", _ arguments: StatementArguments = []) throws {
        let store = try folder.store()
        for path in paths { store.put(entry(path)) }
        store.close()
        guard !sql.isEmpty else { return }
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
        try database.close()
    }

    @Test(
        "A row with an impossible size never lowers the usage that is counted",
        arguments: [Int64.min, -1_000_000, .max]
    )
    func size(number: Int64) throws {
        try fill(["a", "b", "c"], then: "UPDATE entry SET size = ? WHERE id <> 2", [number])
        let store = try folder.store(disk: .max)
        #expect(store.diskUsage.bytes > 1000)
        let paths = ["a", "b", "c"]
        #expect(paths.map { store.tiers($0) } == [[.disk], [.disk], [.disk]])
        // Each of those that were kept in memory counts with its content and its objects.
        let kept = paths.count { store.tiers($0) == [.memory] }
        #expect(store.memoryUsage.bytes > kept * (1000 + 1400))
        store.close()
    }

    @Test("Any number is accepted as a time of use", arguments: ["entry", "use"], [Int64.min, -1, .max])
    func use(table: String, number: Int64) throws {
        let sql =
            table == "entry" ? "UPDATE entry SET used = ?" : "INSERT INTO use (entry, used) VALUES (1, ?)"
        try fill(["a", "b"], then: sql, [number])
        let store = try folder.store()
        #expect(["a", "b"].map { store.tiers($0) } == [[.disk], [.disk]])
        #expect(["a", "b"].map { store.tiers($0) } == [[.memory], [.memory]])
        store.close()
    }

    @Test("A folder whose database was removed is an empty one, even after an invalidation")
    func noDatabase() throws {
        try fill(["a"])
        let first = try folder.store()
        first.invalidate(key("a"))
        first.close()
        #expect(unlink(folder.path + "/entries.sqlite") == 0)
        let store = try folder.store()
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.isEmpty)
        #expect(store.put(entry("a", number: 2)) == .stored([.memory, .disk]))
        store.close()
        #expect(try folder.store().numbers("a") == ["2"])
    }

    @Test(
        "A store whose first opening was cut short is opened, whatever it had created",
        arguments: [0, 4096]
    )
    func firstOpening(size: Int) throws {
        mkdir(folder.path + "/bodies", 0o700)
        write(folder.path + "/bodies/1.part", [1])
        write(folder.path + "/generation", [UInt8](repeating: 0, count: size))
        let store = try folder.store()
        #expect(store.put(entry("a")) == .stored([.memory, .disk]))
        #expect(folder.names("bodies") == [])
    }

    @Test("A body that gets its row while leftovers are looked for is not removed")
    func lateRow() throws {
        try fill([])
        for name in ["1.body", "2.body", "3.body"] { write(folder.path + "/bodies/" + name, [1]) }
        // The rows before the files are locked, and after that.
        var rows: [Set<UInt64>] = [[1], [1, 2]]
        StoragePaths(directory: folder.path).removeLeftovers { rows.removeFirst() }
        #expect(folder.names("bodies") == ["1.body", "2.body"])
    }

    /// A change of the row of `a`, and what a lookup reports.
    enum Damage: CaseIterable {
        case metadata, form, content, contentOfPart, key, variant

        var reason: String? {
            switch self {
            case .metadata: "its metadata is damaged"
            case .form: "its metadata cannot be read"
            case .content, .contentOfPart: "its content is damaged"
            case .variant: "it contains another variant"
            // Keys that have the same digest by chance are not damage.
            case .key: nil
            }
        }

        /// Returns the metadata that the row gets, with its sum.
        func metadata() throws -> [UInt8]? {
            switch self {
            case .metadata, .content: nil
            case .form: [0]
            case .key: EntryMetadata(entry("b")).encoded()
            case .variant: EntryMetadata(entry("a", variant: "de")).encoded()
            case .contentOfPart: EntryMetadata(try part(of: 5)).encoded()
            }
        }

        private func part(of count: Int64) throws -> CacheEntry {
            let range = try #require(ByteRange(first: 0, last: count - 1))
            let whole = response("a")
            let stored = StoredResponse(
                key: whole.key,
                variant: whole.variant,
                method: .get,
                selectingFields: [:],
                response: whole.response,
                requestTime: whole.requestTime,
                responseTime: whole.responseTime,
                parts: StoredParts([range], completeLength: 10_000)
            )
            return CacheEntry(stored: stored, body: .bytes([]))
        }
    }

    @Test(
        "A row whose parts do not belong together is a miss with the reason, except that of another key",
        arguments: Damage.allCases,
        [1000, 100_000]
    )
    func parts(damage: Damage, size: Int) throws {
        let first = try folder.store()
        first.put(entry("a", size: size))
        first.close()
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try database.write { db in
            if let metadata = try damage.metadata() {
                let hexadecimal = metadata.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                try db.execute(
                    sql: "UPDATE content SET metadata = x'\(hexadecimal.joined())', metadata_sum = ?",
                    arguments: [Int64(bitPattern: ByteHash.sum(metadata))]
                )
            } else {
                let column = damage == .metadata ? "metadata_sum" : "body_sum"
                try db.execute(sql: "UPDATE content SET \(column) = \(column) + 1")
            }
        }
        try database.close()
        let store = try folder.store()
        let found = store.entries(for: key("a"))
        #expect(found.entries.isEmpty)
        #expect(found.damage.map(\.reason) == (damage.reason.map { [$0] } ?? []))
        #expect(store.entryCount == (damage == .key ? 1 : 0))
    }
}
