import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@testable import CacheStorage

@Suite("Variants that two stores of a folder use and replace", .blocking)
struct VariantUseTests {
    @Test("The use of a variant counts although another store has since replaced another variant")
    func usedBeforeNews() throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(most: 3), try folder.store(most: 3))
        for value in ["0", "1", "2"] { mine.put(variant(value)) }
        mine.flush()
        // This makes the answer ready, from which the request is answered without the store's lock.
        #expect(mine.values() == ["0", "1", "2"])
        #expect(mine.selected("0") == ["0"])
        theirs.put(variant("1"))
        theirs.flush()
        mine.put(variant("3"))
        #expect(mine.values() == ["0", "1", "3"])
    }

    @Test("A variant that another store has freshened with another Vary is returned for every request")
    func freshenedVary() throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(memory: 0), try folder.store(memory: 0))
        for value in ["0", "1"] { mine.put(variant(value)) }
        mine.flush()
        #expect(mine.selected("9") == [])
        #expect(theirs.freshen(variant("0", freshenedWith: "X-W")))
        theirs.flush()
        for store in [mine, theirs] { #expect(store.selected("9") == ["0"]) }
    }

    @Test(
        "An invalidation by group includes variants outside of it that only another store has",
        arguments: [true, false]
    )
    func groupOfAnotherVariant(isWritten: Bool) throws {
        let folder = try TemporaryFolder()
        let (mine, theirs) = (try folder.store(), try folder.store())
        mine.put(variant("0", fields: [.cacheGroups: "\"g\""]))
        mine.flush()
        theirs.deferWrites(!isWritten)
        theirs.put(variant("1"))
        mine.invalidate(groups: ["g"], of: "http://example.test")
        #expect(theirs.entries(for: key("v")).entries.map(\.entry.stored.isInvalidated) == [true, true])
    }
}
