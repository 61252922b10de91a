import CacheSemantics
import CacheStorage
import Clocks
import Testing
import TestSupport

@Suite("Two processes on one folder", .blocking)
struct SecondProcessTests {
    @Test("A process finds what another one wrote, and not what it removed or invalidated")
    func twoProcesses() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for path in ["removed", "invalidated", "replaced", "kept"] { store.put(entry(path, number: 1)) }
        store.flush()
        for path in ["removed", "invalidated", "replaced", "kept"] { #expect(store.tiers(path) == [.memory]) }
        #expect(try SecondProcess.run("SecondProcessTests/secondProcess", folder.path) == 0)
        #expect(store.tiers("removed") == [])
        #expect(store.entries(for: key("invalidated")).entries.map(\.entry.stored.isInvalidated) == [true])
        #expect(store.numbers("replaced") == ["2"])
        #expect(store.numbers("added") == ["2"])
        #expect(try store.bodies("large") == [[UInt8](repeating: 9, count: 200_000)])
        #expect(store.tiers("kept") == [.memory])
    }

    @Test("The second process's part", .enabled(if: SecondProcess.folder != nil))
    func secondProcess() throws {
        let path = try #require(SecondProcess.folder)
        let store = try CacheStore(
            .init(directory: path, largestShare: 0.5),
            clock: VirtualClock(wallSeconds: 1_000_000)
        )
        #expect(store.numbers("kept") == ["1"])
        store.remove(key("removed"), VariantKey())
        store.invalidate(key("invalidated"))
        store.put(entry("replaced", number: 2))
        store.put(entry("added", number: 2))
        store.put(entry("large", size: 200_000, byte: 9))
        store.flush()
    }
}
