import CacheSemantics
import CacheStorage
import Testing

@Suite("Freshening what was seen, RFC 9111 §4.3.4 and §4.4")
struct SeenTests {
    @Test(
        "Metadata that has grown beyond the capacity evicts the least recently used entry",
        arguments: [true, false]
    )
    func growing(isOnDisk: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: isOnDisk ? 0 : 4 << 20, disk: isOnDisk ? 20 << 20 : 0)
        for path in ["a", "b"] { store.put(entry(path)) }
        let full = ByteCount.bytes((isOnDisk ? store.diskUsage : store.memoryUsage).bytes + 10)
        if isOnDisk { store.setCapacities(disk: full) } else { store.setCapacities(memory: full) }
        #expect(store.entryCount == 2)
        #expect(store.freshen(response("b", number: 1_000_000_000_000)))
        #expect(store.entryCount == 1)
        #expect(store.numbers("b") == ["1000000000000"])
    }

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
