import CacheSemantics
import Testing

@Suite("The engine's store in memory")
struct MemoryEngineStoreTests {
    @Test("A store from which everything is removed has no responses and no size")
    func removeAll() {
        let entry = stored("Cache-Control: max-age=60")
        var store = MemoryEngineStore()
        store.put(StoredContent(entry, content: [1], serialNumber: 1))
        #expect(store.count == 1)
        store.removeAll()
        #expect(store.count == 0)
        #expect(store.responses(for: entry.key).isEmpty)
        #expect(store.size == .bytes(0))
    }
}
