import CacheSemantics
import CacheStorage
import Testing

@Suite("Short-lived stores")
struct ScratchTests {
    @Test(
        "A deferred write is found, survives closing, and is not on disk before",
        arguments: [100, 40_000]
    )
    func deferred(size: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        #expect(store.put(entry("a", size: size, byte: 3)) == .stored([.disk]))
        #expect(try store.bodies("a") == [[UInt8](repeating: 3, count: size)])
        // Another store on the folder sees only what has been written.
        #expect(try folder.store().entries(for: key("a")).entries.isEmpty)
        store.close()
        #expect(try folder.store().bodies("a") == [[UInt8](repeating: 3, count: size)])
    }

    @Test("An entry that was never written is forgotten with its files", arguments: [100, 300_000])
    func forgotten(size: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.deferWrites(true)
        store.put(entry("a", size: size))
        #expect(store.forgetUnwritten())
        #expect(store.entryCount == 0)
        #expect(store.memoryUsage.bytes == 0)
        #expect(store.diskUsage.bytes == 0)
        #expect(folder.names("bodies").isEmpty)
        store.close()
        #expect(try folder.store().entries(for: key("a")).entries.isEmpty)
    }

    @Test("Entries in the database are not forgotten that way, until all of them are removed")
    func written() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.deferWrites(true)
        store.put(entry("a"))
        store.flush()
        #expect(!store.forgetUnwritten())
        #expect(store.tiers("a") == [.memory])
        store.removeAll()
        #expect(store.forgetUnwritten())

        store.put(entry("b"))
        store.close()
        let second = try folder.store()
        #expect(!second.forgetUnwritten())
        #expect(second.tiers("b") == [.disk])
    }
}
