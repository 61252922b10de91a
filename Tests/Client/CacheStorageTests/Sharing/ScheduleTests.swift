import CacheStorage
import StoreModel
import Testing
import TestSupport

@Suite("Stores that share a folder, with schedules drawn from seeds", .blocking)
struct ScheduleTests {
    /// A number of stores, and whether they defer writes, so that another is called first.
    struct Case: CustomTestStringConvertible {
        var stores: Int
        var isDeferred: Bool
        var count: Int
        var seed: UInt64

        var testDescription: String {
            "\(count) schedules of \(stores) stores, \(isDeferred ? "written late" : "written at once")"
        }
    }

    @Test(
        "No store returns an entry that another has invalidated or removed",
        arguments: [
            Case(stores: 1, isDeferred: true, count: 200, seed: 1_000_000),
            Case(stores: 2, isDeferred: true, count: 800, seed: 2_000_000),
            Case(stores: 3, isDeferred: true, count: 600, seed: 3_000_000),
            Case(stores: 2, isDeferred: false, count: 400, seed: 4_000_000),
        ]
    )
    func schedules(row: Case) throws {
        let folder = try TestFolder(inMemory: true)
        let failure = try ScheduleRunner.run(
            row.count,
            from: row.seed,
            stores: row.stores,
            isDeferred: row.isDeferred,
            in: folder.path
        )
        #expect(failure == nil)
    }

    @Test(
        "Of the variants of one key, those that were used last stay, whichever store used them",
        arguments: [
            // The variant that waits in store 0 is newer than both that store 1 has written.
            ["put 1 2 7", "put 1 1 8", "put 0 0 11", "flush 1 1 12"],
            // The one that store 1 has written is newer than both that wait in store 2.
            ["put 2 2 9", "put 2 1 11", "put 1 3 13", "flush 1 1 15"],
            // The one that waits in store 2 was used after store 1 had written two.
            ["put 2 2 9", "put 1 3 10", "put 1 0 11", "flush 1 1 12", "select 2 2 13"],
        ]
    )
    func newestVariants(lines: [String]) throws {
        let folder = try TestFolder(inMemory: true)
        let runner = try ScheduleRunner(folder.path, stores: 3, isDeferred: true)
        defer { runner.close() }
        let steps = lines.compactMap { ScheduleStep($0) }
        try #require(steps.count == lines.count)
        #expect(try runner.run(steps) == nil)
    }
}
