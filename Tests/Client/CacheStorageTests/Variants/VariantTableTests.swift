import CacheSemantics
import HTTPTypes
import Testing

@testable import CacheStorage

@Suite("The variants that a request may select, by their tables, RFC 9111 §4.1")
struct VariantTableTests {
    /// Returns a variant that the request field `name` selects with the value 1.
    private func located(_ name: String) throws -> LocatedEntry {
        let fields: HTTPFields = [.known(name): "1"]
        let stored = StoredResponse(
            key: key("v"),
            variant: Vary([name]).variant(of: fields),
            method: .get,
            selectingFields: fields,
            response: HTTPResponse(status: .ok, headerFields: [.vary: name]),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        return LocatedEntry(entry: CacheEntry(stored: stored, body: .bytes([])), tier: .memory)
    }

    /// Returns the places that a request with one of these fields selects.
    private func places(_ name: String, _ table: VariantTable) -> [Int] {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "example.test",
            path: "/v",
            headerFields: [.known(name): "1"]
        )
        return table.choice(by: CacheEngine().selector(for: request)).places
    }

    @Test("Those with another Vary are selected by their own fields after one was removed or replaced")
    func lists() throws {
        let names = ["X-A", "X-B", "X-C"]
        var table = VariantTable(try names.map { try located($0) })
        #expect(names.map { places($0, table) } == [[0], [1], [2]])
        table.remove(at: 0)
        #expect(names.map { places($0, table) } == [[], [0], [1]])
        table.replace(0, by: try located("X-A").entry.stored)
        #expect(names.map { places($0, table) } == [[0], [], [1]])
        table.append(try located("X-B").entry.stored)
        #expect(names.map { places($0, table) } == [[0], [2], [1]])
    }

    @Test("They are uniform only if all have one Vary, which may match, and their own content")
    func uniform() throws {
        let one = try located("X-A")
        let never = LocatedEntry(
            entry: CacheEntry(
                stored: StoredResponse(
                    key: key("v"),
                    variant: Vary(["*"]).variant(of: [:]),
                    method: .get,
                    selectingFields: [:],
                    response: HTTPResponse(status: .ok, headerFields: [.vary: "*"]),
                    requestTime: HTTPDate(secondsSinceEpoch: 0),
                    responseTime: HTTPDate(secondsSinceEpoch: 0)
                ),
                body: .bytes([])
            ),
            tier: .memory
        )
        let (a, b) = (variant("0"), LocatedEntry(entry: variant("1"), tier: .memory))
        let sets = [
            [one], [LocatedEntry(entry: a, tier: .memory), b], [one, b], [never],
            [b, LocatedEntry(entry: alias("2", of: "1"), tier: .memory)],
        ]
        #expect(sets.map { VariantTable($0).uniform != nil } == [true, true, false, false, false])
    }

    @Test(
        "A variant in memory that was freshened with another Vary is found by every request, until it has the first again"
    )
    func freshened() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        for value in ["0", "1"] { store.put(variant(value)) }
        #expect(store.selected("9") == [])
        let old = variant("0").stored
        let other = variant("0", freshenedWith: "X-W")
        #expect(store.freshen(other))
        #expect(store.selected("9") == ["0"])
        #expect(store.freshen(old))
        #expect(store.selected("9") == [])
        #expect(store.selected("0") == ["0"])
    }
}
