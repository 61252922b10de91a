import CacheSemantics
import CacheStorage
import Testing

@Suite("Freshening what was seen, RFC 9111 §4.3.4 and §4.4")
struct SeenTests {
    @Test(
        "Nothing is freshened that has been replaced, or invalidated, since it was seen",
        arguments: [0, 20 << 20]
    )
    func seen(disk: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: disk == 0 ? 4 << 20 : 0, disk: disk)
        func current() -> CacheEntry? { store.entries(for: key("a")).entries.first?.entry }
        store.put(entry("a", number: 1))
        let replaced = try #require(current())
        store.put(entry("a", number: 2))
        #expect(!store.freshen(response("a", number: 3), seen: replaced))
        let valid = try #require(current())
        store.invalidate(key("a"))
        #expect(!store.freshen(response("a", number: 3), seen: valid))
        #expect(store.numbers("a") == ["2"])
        let invalidated = try #require(current())
        for number in 4...5 { #expect(store.freshen(response("a", number: number), seen: invalidated)) }
        #expect(store.numbers("a") == ["5"])
    }
}
