import CacheSemantics
import CacheStorage
import Testing
import TestSupport

@Suite("A file system without space", .enabled(if: SmallFileSystem.isAvailable), .blocking)
struct FullFileSystemTests {
    private let folder: TemporaryFolder
    private let disk: SmallFileSystem

    init() throws {
        folder = try TemporaryFolder()
        disk = try #require(SmallFileSystem(folder.path, kibibytes: 1024))
    }

    @Test(
        "What is for a full disk alone is refused at once, from the first on, and stored again when there is room"
    )
    func full() throws {
        defer { disk.remove() }
        let store = try folder.store(memory: 0)
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        #expect(store.writeFailure == nil)
        #expect(disk.fill())
        #expect(!store.mayStore(contentLength: 60_000))
        for name in ["first", "second"] {
            guard case .refused(.failed(let error)) = store.put(entry(name, size: 60_000)) else {
                Issue.record("stored on a full file system")
                return
            }
            #expect(error.reason == "database or disk is full")
            #expect(try store.bodies(name) == [])
        }
        #expect(try store.bodies("kept") == [[UInt8](repeating: 1, count: 30_000)])
        disk.makeRoom()
        #expect(store.put(entry("third", size: 60_000, byte: 3)) == .stored([.disk]))
        #expect(store.writeFailure == nil)
        #expect(try store.bodies("third") == [[UInt8](repeating: 3, count: 60_000)])
        store.close()
    }

    /// The ways of withdrawing entries.
    enum Withdrawal: CaseIterable {
        case invalidation, removal, purge

        func happen(in store: CacheStore) -> ChangeOutcome {
            switch self {
            case .invalidation: store.invalidate(key("kept"))
            case .removal: store.remove(key("kept"), VariantKey())
            case .purge: store.remove(targetURI: "http://example.test/kept")
            }
        }
    }

    @Test(
        "A withdrawn entry is not returned as valid, neither now, by another store, nor after a restart",
        arguments: Withdrawal.allCases
    )
    func withdrawn(withdrawal: Withdrawal) throws {
        defer { disk.remove() }
        let store = try folder.store()
        let other = try folder.store()
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        #expect(other.tiers("kept") == [.disk])
        #expect(disk.fill())
        #expect(withdrawal.happen(in: store).failure == nil)
        for store in [store, other] {
            #expect(store.entries(for: key("kept")).entries.allSatisfy { $0.entry.stored.isInvalidated })
        }
        disk.makeRoom()
        store.close()
        other.close()
        let again = try folder.store()
        #expect(again.entries(for: key("kept")).entries.allSatisfy { $0.entry.stored.isInvalidated })
        again.close()
    }

    @Test(
        "Stores that have both lost a full folder return nothing that the other has withdrawn",
        arguments: Withdrawal.allCases
    )
    func lostByBoth(withdrawal: Withdrawal) throws {
        defer { disk.remove() }
        let store = try folder.store()
        let other = try folder.store()
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        #expect(other.tiers("kept") == [.disk])
        #expect(disk.fill())
        #expect(withdrawal.happen(in: store).failure == nil)
        for (withdrawing, observing) in [(store, other), (other, store), (store, other)] {
            #expect(withdrawing.tiers("kept") == [])
            #expect(observing.tiers("kept") == [])
            // The system may report late what was removed before; then everything is forgotten once more.
            let isStored = (1...1_000).contains { _ in
                observing.put(entry("kept")) == .stored([.memory]) && observing.tiers("kept") == [.memory]
            }
            #expect(isStored)
            let watch = observing.watch(key("kept"))
            #expect(withdrawal.happen(in: withdrawing).failure == nil)
            #expect(observing.entries(for: key("kept")).entries.isEmpty)
            #expect(watch.isCleared)
        }
        disk.makeRoom()
        #expect(store.remove(key("none"), VariantKey()).failure == nil)
        #expect(other.put(entry("kept")) == .stored([.memory, .disk]))
        #expect(store.tiers("kept") == [.disk])
        other.close()
        store.close()
    }

    @Test(
        "If not even the database can be removed, the withdrawal fails, but this store returns nothing",
        arguments: Withdrawal.allCases
    )
    func held(withdrawal: Withdrawal) throws {
        defer { disk.remove() }
        let store = try folder.store()
        store.put(entry("kept", size: 30_000, byte: 1))
        store.flush()
        #expect(disk.hold("entries.sqlite"))
        #expect(disk.fill())
        let outcome = withdrawal.happen(in: store)
        #expect(outcome.failure?.operation == "remove")
        #expect(store.tiers("kept") == [])
        #expect(store.entries(for: key("kept")).entries.isEmpty)
        // The folder is not used again before it could be removed.
        store.setCapacities(disk: .mebibytes(20))
        #expect(store.tiers("kept") == [])
        disk.release("entries.sqlite")
        disk.makeRoom()
        #expect(withdrawal.happen(in: store).failure == nil)
        store.close()
        #expect(try folder.store().entries(for: key("kept")).entries.isEmpty)
    }

    @Test("The next lookup, of any key, reports what could not be written; in the memory tier it stays")
    func memory() throws {
        defer { disk.remove() }
        let store = try folder.store()
        store.put(entry("kept"))
        store.flush()
        #expect(disk.fill())
        store.deferWrites(true)
        #expect(store.put(entry("a", size: 60_000)) == .stored([.memory, .disk]))
        store.flush()
        store.deferWrites(false)
        #expect(store.writeFailure?.reason == "database or disk is full")
        let told = store.entries(for: key("kept"))
        #expect(told.damage.map(\.subject) == ["http://example.test/a"])
        #expect(told.damage.map(\.reason) == ["could not be written: database or disk is full"])
        #expect(store.tiers("a") == [.memory])
        #expect(store.put(entry("b", size: 60_000)) == .stored([.memory]))
        store.close()
    }

    @Test("Content in a file of its own is refused at once")
    func largeContent() throws {
        defer { disk.remove() }
        let store = try folder.store(memory: 0)
        #expect(disk.fill())
        guard case .refused(.failed(let error)) = store.put(entry("a", size: 100_000)) else {
            Issue.record("stored on a full file system")
            return
        }
        #expect(error.reason == "No space left on device")
        #expect(folder.names("bodies").isEmpty)
        store.close()
    }

    @Test("Content for a file of its own that finds no room is a failure to write, until some is written")
    func spooling() throws {
        defer { disk.remove() }
        let store = try folder.store(memory: 0)
        #expect(disk.fill())
        let bytes = [UInt8](repeating: 1, count: 100_000)
        let spool = store.spool()
        #expect(throws: StorageError.self) { try spool.append(bytes) }
        #expect(folder.names("bodies") == [])
        #expect(store.writeFailure?.reason == "No space left on device")
        disk.makeRoom()
        let next = store.spool()
        try next.append(bytes)
        #expect(
            store.put(CacheEntry(stored: response("a"), body: try next.finish(), storagePolicy: .allowed))
                == .stored([.disk])
        )
        #expect(store.writeFailure == nil)
        store.close()
    }

    @Test("No store can be opened there, which is an error and not a crash")
    func opening() {
        defer { disk.remove() }
        #expect(disk.fill())
        #expect(throws: StorageError.self) { try folder.store() }
    }

    @Test(
        "An entry for a disk with little space left is not deferred, for memory it is",
        arguments: [true, false]
    )
    func deferred(isInMemory: Bool) throws {
        defer { disk.remove() }
        let store = try folder.store(memory: isInMemory ? 4 << 20 : 0)
        #expect(store.promise(Promised(entry("a")), for: key("a")) == isInMemory)
        store.close()
    }
}
