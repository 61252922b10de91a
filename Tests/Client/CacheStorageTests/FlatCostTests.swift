@testable import CacheStorage
import Testing

@Suite("The cost of a lookup does not grow with the number of entries")
struct FlatCostTests {
    @Test("A lookup takes as many steps of SQLite among 10,000 rows as among 50")
    func read() throws {
        let few = try steps(rows: 50)
        #expect(few > 0)
        #expect(try steps(rows: 10_000) == few)
    }

    /// Returns the steps of a hundred lookups spread over all rows.
    private func steps(rows: Int) throws -> Int {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0, disk: 256 << 20)
        for number in 0..<rows { store.put(entry("\(number)", size: 10)) }
        store.flush()
        let reader = try RowReader(StoragePaths(directory: folder.path).database)
        for number in 0..<100 {
            let place = number * 7919 % rows
            let row = try reader.content(row: Int64(place) + 1, of: key("\(place)"), isInvalidated: false, 1)
            #expect(row != nil)
        }
        return reader.steps
    }
}
