import CacheSemantics
import Clocks
import GRDB
import Locks
import Testing

@testable import CacheStorage

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

    @Test("What waited is written once writes are no longer deferred")
    func noLonger() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let disk = try #require(store.state.withLock { $0.disk })
        store.deferWrites(true)
        store.put(entry("a"))
        store.deferWrites(false)
        // Work that is sent to the writer later runs later.
        disk.writer.writeWithoutTransaction { _ in }
        #expect(try folder.store().tiers("a") == [.disk])
    }

    @Test("Nothing is forgotten without a disk tier, or while damage has not been reported")
    func notForgotten() throws {
        let memory = try CacheStore(.init(), clock: VirtualClock(wallSeconds: 0))
        memory.put(entry("a"))
        #expect(!memory.forgetUnwritten())
        #expect(memory.tiers("a") == [.memory])
        let folder = try TemporaryFolder()
        let store = try folder.store()
        store.reportLater([StorageDamage(subject: "a", reason: "torn")])
        #expect(!store.forgetUnwritten())
        #expect(store.entries(for: key("b")).damage.count == 1)
        #expect(store.forgetUnwritten())
        store.close()
    }
}
