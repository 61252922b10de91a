import CacheSemantics
@testable import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing

@Suite("The limit of variants of one URL")
struct VariantTests {
    /// The tiers of a store.
    enum Tiers: String, CaseIterable, CustomTestStringConvertible {
        case memory, disk, both
        var testDescription: String { rawValue }

        func store(in folder: TemporaryFolder, most: Int) throws -> CacheStore {
            try folder.store(
                memory: self == .disk ? 0 : 64 << 20,
                disk: self == .memory ? 0 : 64 << 20,
                most: most
            )
        }
    }

    @Test("Of 6,000 variants the 64 most recently used are kept", arguments: Tiers.allCases)
    func bound(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 64)
        for number in 0..<6_000 { _ = store.put(variant("\(number)", size: 20)) }
        #expect(store.entryCount == 64)
        #expect(store.values() == (5_936..<6_000).map { "\($0)" })
        store.flush()
        #expect(store.values() == (5_936..<6_000).map { "\($0)" })
    }

    @Test(
        "A variant that requests select stays while others are added and evicted",
        arguments: Tiers.allCases
    )
    func recency(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 4)
        for number in 0..<100 {
            _ = store.put(variant("\(number)"))
            // A request that selects none inspects all of them, which does not count as a use.
            #expect(store.entries(for: key("v")).entries.count == min(number + 1, 4))
            #expect(store.selected("0").contains("0"))
            if number % 10 == 0 { store.flush() }
        }
        #expect(store.values() == ["0", "97", "98", "99"])
    }

    @Test("Other URLs keep their variants", arguments: Tiers.allCases)
    func otherKeys(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 2)
        for number in 0..<10 {
            _ = store.put(variant("\(number)"))
            _ = store.put(entry("other\(number)"))
        }
        #expect(store.entryCount == 12)
        #expect(store.values() == ["8", "9"])
    }

    @Test("Two stores on one folder together have no more variants than one may have")
    func shared() throws {
        let folder = try TemporaryFolder()
        let first = try Tiers.both.store(in: folder, most: 8)
        let second = try Tiers.both.store(in: folder, most: 8)
        for number in 0..<40 {
            _ = (number % 2 == 0 ? first : second).put(variant("\(number)"))
            if number % 5 == 0 { first.flush() }
            if number % 7 == 0 { second.flush() }
        }
        for store in [first, second, first] {
            store.flush()
            #expect(store.entries(for: key("v")).entries.count <= 8)
        }
        #expect(first.values().contains("39"))
        #expect(second.values().contains("39"))
        let third = try Tiers.both.store(in: folder, most: 100)
        #expect(third.entryCount <= 8)
    }

    @Test("A store that is opened with a lower limit keeps the most recently used")
    func reopened() throws {
        let folder = try TemporaryFolder()
        let first = try Tiers.both.store(in: folder, most: 64)
        for number in 0..<10 { _ = first.put(variant("\(number)")) }
        first.flush()
        #expect(first.selected("4") == ["4"])
        first.close()
        let second = try Tiers.both.store(in: folder, most: 3)
        #expect(second.values() == ["4", "8", "9"])
        #expect(second.entryCount == 3)
        second.close()
        #expect(try Tiers.both.store(in: folder, most: 64).entryCount == 3)
    }

    @Test(
        "An alias counts, and the entry with its content is not evicted before it",
        arguments: Tiers.allCases
    )
    func aliases(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 3)
        _ = store.put(variant("0"))
        for number in 1..<20 {
            _ = store.put(alias("\(number)", of: "0"))
            #expect(store.entryCount == min(number + 1, 3))
            #expect(store.selected("\(number)") == ["0", "\(number)"])
            if number % 3 == 0 { store.flush() }
        }
        #expect(store.values() == ["0", "18", "19"])
    }

    @Test("An alias that another store of the folder has put is found with its content, wherever that is")
    func split() throws {
        let folder = try TemporaryFolder()
        let stores = [try Tiers.both.store(in: folder, most: 64), try Tiers.disk.store(in: folder, most: 64)]
        for value in ["0", "2", "3"] { _ = stores[0].put(variant(value)) }
        stores[0].flush()
        let other = try Tiers.both.store(in: folder, most: 64)
        _ = other.put(alias("1", of: "0"))
        other.flush()
        for store in stores {
            let found = store.selected("1")
            #expect(found.contains("0") && found.contains("1"))
        }
    }

    @Test("Content in memory that a request gets by an alias on disk has been used")
    func splitUse() throws {
        let folder = try TemporaryFolder()
        let store = try Tiers.both.store(in: folder, most: 64)
        for value in ["0", "2", "3"] { _ = store.put(variant(value)) }
        store.flush()
        let other = try Tiers.disk.store(in: folder, most: 64)
        _ = other.put(alias("1", of: "0"))
        other.flush()
        #expect(store.selected("1").contains("0"))
        #expect(store.state.withLock { $0.memory.oldest?.variant } == variant("2").stored.variant)
    }

    @Test("With room for one variant, that one has its own content", arguments: Tiers.allCases)
    func single(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 1)
        _ = store.put(variant("0"))
        _ = store.put(alias("1", of: "0"))
        #expect(store.values() == ["0"])
    }

    @Test("A request gets the one of 64 variants that it selects", arguments: Tiers.allCases)
    func narrow(tiers: Tiers) throws {
        let folder = try TemporaryFolder()
        let store = try tiers.store(in: folder, most: 64)
        for number in 0..<64 { _ = store.put(variant("\(number)")) }
        store.flush()
        for number in 0..<64 { #expect(store.selected("\(number)") == ["\(number)"]) }
        #expect(store.selected(" 7\t") == ["7"])
        #expect(store.selected("64") == [])
    }

    @Test("A hit on disk takes as many steps of SQLite with 64 variants as with one")
    func steps() throws {
        func steps(variants: Int) throws -> Int {
            let folder = try TemporaryFolder()
            let store = try Tiers.disk.store(in: folder, most: 64)
            for number in 0..<variants { _ = store.put(variant("\(number)")) }
            store.flush()
            let before = store.databaseSteps
            for _ in 0..<100 { #expect(store.selected("0") == ["0"]) }
            return store.databaseSteps - before
        }
        #expect(try steps(variants: 64) == steps(variants: 1))
    }
}
