import CacheSemantics
import CacheStorage
import HTTPTypes
import Testing
import TestSupport

@Suite("The cost of a removal does not grow with the number of entries", .blocking)
struct RemovalCostTests {
    enum Kind: CaseIterable {
        case uri, prefix, tag
    }

    @Test("A removal takes as many steps of SQLite among 5,000 rows as among 50", arguments: Kind.allCases)
    func steps(kind: Kind) throws {
        let few = try steps(kind, rows: 50)
        #expect(few > 0)
        #expect(try steps(kind, rows: 5000) == few)
    }

    private func steps(_ kind: Kind, rows: Int) throws -> Int {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0, disk: 256 << 20, tagFields: [.surrogateKey])
        for number in 0..<rows {
            let fields: HTTPFields = [.surrogateKey: "tag\(number)"]
            let stored = StoredResponse(
                key: key("\(number)/a"),
                variant: VariantKey(),
                method: .get,
                selectingFields: [:],
                response: HTTPResponse(status: .ok, headerFields: fields),
                requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
                responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
            )
            store.put(CacheEntry(stored: stored, body: .bytes([1])))
        }
        store.flush()
        // The statements are prepared from now on.
        remove(kind, "7", store)
        let before = store.databaseSteps
        remove(kind, "8", store)
        return store.databaseSteps - before
    }

    private func remove(_ kind: Kind, _ number: String, _ store: CacheStore) {
        let outcome =
            switch kind {
            case .uri: store.remove(targetURI: "http://example.test/\(number)/a")
            case .prefix: store.remove(prefix: "http://example.test/\(number)/")
            case .tag: store.remove(tag: "tag\(number)", of: "http://example.test")
            }
        #expect(outcome == .done(keys: 1))
        store.flush()
    }
}
