import CacheSemantics
import CLibrary
import Clocks
import Locks
import TestSupport
import Testing

@testable import CacheStorage

@Suite("Lost pages of memory that stores share", .blocking)
struct LostPageTests {
    // In a separate process: all stores of a process have one number of lost pages.
    @Test("A store whose page of the generation file was lost sees what others change after its next lookup")
    func lost() throws {
        let folder = try TestFolder()
        #expect(try SecondProcess.run("LostPageTests/secondProcess", folder.path) == 0)
    }

    @Test("The second process's part", .enabled(if: SecondProcess.folder != nil))
    func secondProcess() throws {
        let path = try #require(SecondProcess.folder)
        let stores = try (1...2).map { _ in
            try CacheStore(
                .init(directory: path, largestShare: 0.5),
                clock: VirtualClock(wallSeconds: 1_000_000)
            )
        }
        stores[1].put(entry("a"))
        stores[1].flush()
        #expect(stores[0].tiers("a") == [.disk])
        try loseGeneration(of: stores[0])
        #expect(stores[0].tiers("a") == [.memory])
        stores[1].invalidate(key("a"))
        let found = stores[0].entries(for: key("a")).entries
        #expect(found.map(\.entry.stored.isInvalidated) == [true])
        for store in stores { store.close() }
    }

    /// Puts empty memory in the place of the page, as a program does that handles SIGBUS.
    private func loseGeneration(of store: CacheStore) throws {
        let record = try #require(store.state.withLock { $0.disk }).generation.record
        let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: record) & ~4095)
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED
        #expect(mmap(page, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) == page)
        LostPages.note()
    }
}
