import GRDB
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Numbers that no store writes", .blocking)
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
        "The size of a row that is no size distorts the usage of the others at most upwards",
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
}
