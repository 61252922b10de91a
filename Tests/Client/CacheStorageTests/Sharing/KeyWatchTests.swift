import CacheSemantics
import CacheStorage
import Testing

@Suite("Watching a key")
struct KeyWatchTests {
    @Test("A watch sees an invalidation of its key, not of another")
    func invalidation() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let (mine, other) = (store.watch(key("a")), store.watch(key("b")))
        store.invalidate(key("a"))
        #expect(mine.isInvalidated && mine.isChanged)
        #expect(!other.isInvalidated && !other.isChanged)
    }

    @Test("A watch sees storing and updates, which are not invalidations")
    func changes() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let beforePut = store.watch(key("a"))
        _ = store.put(entry("a"))
        #expect(beforePut.isChanged && !beforePut.isInvalidated)
        let beforeFreshening = store.watch(key("a"))
        #expect(!beforeFreshening.isChanged)
        #expect(store.freshen(response("a", number: 2)))
        #expect(beforeFreshening.isChanged && !beforeFreshening.isInvalidated)
    }

    @Test("A watch does not see events from before it began")
    func before() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        var first: KeyWatch? = store.watch(key("a"))
        store.invalidate(key("a"))
        #expect(first?.isInvalidated == true)
        first = nil
        #expect(!store.watch(key("a")).isInvalidated)
    }

    @Test("An entry that is stored as invalidated is invalidated in memory and on disk")
    func storedInvalidated() throws {
        let folder = try TemporaryFolder()
        var invalidated = entry("a")
        invalidated.stored = invalidated.stored.invalidated()
        let store = try folder.store()
        _ = store.put(invalidated)
        #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
        store.close()
        let again = try folder.store()
        #expect(again.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
    }
}
