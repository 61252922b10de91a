import CacheSemantics
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Listings of what is stored", .blocking)
struct ListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns a store with `a`, `b` and `c` on disk, written in this order, and then `x` and `y` in memory.
    private func filled() throws -> CacheStore {
        let store = try folder.store()
        for path in ["a", "b", "c"] { store.put(entry(path, size: 500)) }
        store.close()
        let reopened = try folder.store()
        for path in ["x", "y"] { reopened.put(entry(path, policy: .allowedInMemoryOnly)) }
        return reopened
    }

    private func paths(_ listed: [ListedResponse]) -> [String] {
        listed.compactMap { $0.stored.key.targetURI.split(separator: "/").last.map(String.init) }
    }

    @Test("The most recently used in memory come first, then the most recently written on disk")
    func order() throws {
        let store = try filled()
        #expect(paths(try store.listing(most: .max)) == ["y", "x", "c", "b", "a"])
        #expect(store.tiers("x") == [.memory])
        #expect(store.tiers("a") == [.disk])
        // Now in memory, too, and listed once.
        #expect(paths(try store.listing(most: .max)) == ["a", "x", "y", "c", "b"])
    }

    @Test(
        "No more are listed than requested",
        arguments: [
            (0, []), (1, ["y"]), (2, ["y", "x"]), (3, ["y", "x", "c"]), (5, ["y", "x", "c", "b", "a"]),
        ]
    )
    func count(most: Int, expected: [String]) throws {
        #expect(paths(try filled().listing(most: most)) == expected)
    }

    @Test("Listing a response is not a use of it")
    func noUse() throws {
        let store = try filled()
        _ = try store.listing(most: 5)
        #expect(store.tiers("a") == [.disk])
    }

    @Test(
        "All variants of a key are listed, with the size of content and metadata, and whether they are invalidated"
    )
    func variants() throws {
        let store = try folder.store(memory: 0)
        for variant in ["de", "en"] { store.put(entry("a", variant: variant, size: 500)) }
        store.put(entry("b", size: 2000))
        store.invalidate(key("a"))
        let listed = try store.listing(most: 9)
        #expect(listed.map(\.stored.variant.text) == ["", "en", "de"])
        #expect(listed.map(\.stored.isInvalidated) == [false, true, true])
        #expect(listed.reduce(0) { $0 + $1.size } == store.diskUsage.bytes)
    }

    @Test("The target URIs are those of both tiers")
    func targetURIs() throws {
        let store = try filled()
        let expected = ["a", "b", "c", "x", "y"].map { "http://example.test/\($0)" }
        #expect(try store.targetURIs() == Set(expected))
    }

    @Test("A store without a disk tier lists what memory has")
    func memoryOnly() throws {
        let store = try folder.store(disk: 0)
        store.put(entry("a"))
        #expect(paths(try store.listing(most: 9)) == ["a"])
        #expect(try store.targetURIs() == ["http://example.test/a"])
    }

    @Test("A database that cannot be read is an error, and the next lookup reports it")
    func damaged() throws {
        let store = try filled()
        try removeTable("content", of: folder)
        #expect(throws: StorageError.self) { try store.targetURIs() }
        #expect(store.entries(for: key("x")).damage.map(\.subject) == [folder.path + "/entries.sqlite"])
    }

    @Test("A row whose metadata cannot be read is left out")
    func unreadable() throws {
        let store = try filled()
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        try database.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE content SET metadata = x'00' WHERE id = 2")
        }
        try database.close()
        #expect(paths(try store.listing(most: 9)) == ["y", "x", "c", "a"])
        let expected = ["a", "c", "x", "y"].map { "http://example.test/\($0)" }
        #expect(try store.targetURIs() == Set(expected))
    }
}

/// Removes a table of the database in a folder, which a store may have open.
func removeTable(_ name: String, of folder: TemporaryFolder) throws {
    let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
    try database.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE \(name)") }
    try database.close()
}
