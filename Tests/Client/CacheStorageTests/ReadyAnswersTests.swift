import CacheSemantics
import Clocks
import Locks
import Testing

@testable import CacheStorage

@Suite("Hits without the lock of the store", .timeLimit(.minutes(20)))
struct ReadyAnswersTests {
    private func store(_ names: [String], room: Int) throws -> CacheStore {
        let store = try CacheStore(
            .init(memoryCapacity: .bytes(room * 2_800), diskCapacity: .zero, largestShare: 1),
            clock: VirtualClock(wallSeconds: 1_000_000)
        )
        for name in names { store.put(entry(name)) }
        return store
    }

    @Test("They count for the order of use, in whatever order the keys were first looked up")
    func order() throws {
        let store = try store(["a", "b", "c"], room: 3)
        for name in ["a", "b", "c", "c", "b", "a", "c"] { #expect(store.tiers(name) == [.memory]) }
        store.put(entry("d"))
        #expect(store.ready.entries(for: key("b"), digest: key("b").digest, by: nil) == nil)
        #expect(store.entryCount == 3)
        store.put(entry("e"))
        #expect(store.tiers("b") == [])
        #expect(store.tiers("a") == [])
        #expect(store.tiers("c") == [.memory])
    }

    @Test("The first of them counts, too")
    func first() throws {
        let store = try store(["a", "b", "c"], room: 3)
        for name in ["a", "b", "c", "a"] { #expect(store.tiers(name) == [.memory]) }
        store.put(entry("d"))
        #expect(store.tiers("a") == [.memory])
        #expect(store.tiers("b") == [])
    }

    @Test("A replaced, invalidated or removed entry is not returned in its old form")
    func changes() throws {
        let store = try store(["a", "b"], room: 9)
        for name in ["a", "a", "b", "b"] { #expect(store.tiers(name) == [.memory]) }
        store.put(entry("a", number: 8))
        #expect(store.numbers("a") == ["8"])
        store.put(entry("a", variant: "de", number: 9))
        #expect(store.numbers("a") == ["8", "9"])
        store.invalidate(key("b"))
        #expect(store.entries(for: key("b")).entries.map(\.entry.stored.isInvalidated) == [true])
        store.remove(key("b"), VariantKey(text: ""))
        #expect(store.tiers("b") == [])
        #expect(store.numbers("a") == ["8", "9"])
        store.removeAll()
        #expect(store.tiers("a") == [])
    }

    @Test("An entry that a deferred one replaces is not returned")
    func deferred() throws {
        let store = try store(["a"], room: 9)
        for _ in 0..<2 { #expect(store.numbers("a") == ["0"]) }
        #expect(store.promise(Promised(entry("a", number: 8)), for: key("a")))
        #expect(store.numbers("a") == ["8"])
    }

    @Test("Damage that was found meanwhile is reported by the next lookup, even of a ready entry")
    func damage() throws {
        let store = try store(["a"], room: 9)
        for _ in 0..<2 { #expect(store.entries(for: key("a")).damage.isEmpty) }
        store.state.withLock { $0.damage.append(StorageDamage(subject: "a file", reason: "torn")) }
        #expect(store.entries(for: key("a")).damage.map(\.subject) == ["a file"])
        #expect(store.entries(for: key("a")).damage.isEmpty)
    }

    @Test("Uses of entries in both tiers are written with the others")
    func usesOnDisk() throws {
        let folder = try TemporaryFolder()
        var store = try folder.store()
        for name in ["a", "b", "c"] { store.put(entry(name)) }
        store.flush()
        for name in ["b", "c", "b", "a"] { #expect(store.tiers(name) == [.memory]) }
        for name in ["b", "c", "a"] { #expect(store.tiers(name) == [.memory]) }
        store.close()
        store = try folder.store()
        store.setCapacities(disk: .bytes(store.diskUsage.bytes - 1))
        #expect(store.tiers("b") == [])
        #expect(store.tiers("c") == [.disk])
    }

    @Test("They count when a capacity is lowered")
    func lowered() throws {
        let store = try store(["a", "b", "c"], room: 3)
        for name in ["a", "b", "c", "a"] { #expect(store.tiers(name) == [.memory]) }
        store.setCapacities(memory: .bytes(store.memoryUsage.bytes - 1))
        #expect(["a", "b", "c"].map { store.tiers($0) } == [[.memory], [], [.memory]])
    }
}
