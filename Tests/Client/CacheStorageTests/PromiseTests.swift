import CacheSemantics
import Clocks
import GRDB
import Locks
import Testing

@testable import CacheStorage

@Suite("Deferred entries", .timeLimit(.minutes(20)))
struct PromiseTests {
    private func memoryStore(_ capacity: Int = 1 << 20) throws -> CacheStore {
        try CacheStore(
            .init(memoryCapacity: .bytes(capacity), diskCapacity: .zero, largestShare: 1),
            clock: VirtualClock(wallSeconds: 1_000_000)
        )
    }

    @Test("A lookup finds a deferred entry, which is created once")
    func lookup() throws {
        let store = try memoryStore()
        let promised = Promised(entry("a", number: 5))
        #expect(store.promise(promised, for: key("a")))
        #expect(promised.isStored == nil)
        #expect(store.numbers("a") == ["5"])
        #expect(store.numbers("a") == ["5"])
        #expect(promised.made == 1)
        #expect(promised.isStored == true)
    }

    @Test("A miss of another key creates nothing")
    func otherKey() throws {
        let store = try memoryStore()
        let promised = Promised(entry("a"))
        #expect(store.promise(promised, for: key("a")))
        #expect(store.numbers("b") == [])
        #expect(promised.made == 0)
        #expect(store.entryCount == 1)
        #expect(promised.made == 1)
    }

    @Test("A deferred entry is gone after everything is removed, and one that is not created is not stored")
    func gone() throws {
        let store = try memoryStore()
        #expect(store.promise(Promised(entry("a")), for: key("a")))
        store.removeAll()
        #expect(store.entryCount == 0)
        let nothing = Promised(nil)
        #expect(store.promise(nothing, for: key("b")))
        #expect(store.memoryUsage.bytes == 0)
        #expect(nothing.isStored == false)
    }

    @Test("Its storing time is that of the deferral: for the order of use and for removal since a time")
    func moment() throws {
        let clock = VirtualClock(wallSeconds: 1_000_000)
        let store = try CacheStore(
            .init(memoryCapacity: .bytes(6_500), diskCapacity: .zero, largestShare: 1),
            clock: clock
        )
        #expect(store.promise(Promised(entry("a")), for: key("a")))
        clock.advance(by: .seconds(10))
        store.remove(storedSince: .seconds(1_000_005))
        #expect(store.tiers("a") == [.memory])
        store.removeAll()
        store.put(entry("used"))
        #expect(store.promise(Promised(entry("promised")), for: key("promised")))
        #expect(store.tiers("used") == [.memory])
        store.put(entry("more"))
        #expect(store.tiers("promised") == [])
        #expect(store.tiers("used") == [.memory])
    }

    @Test("It is written to disk without a lookup")
    func onDisk() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let promised = Promised(entry("a", number: 3))
        #expect(store.promise(promised, for: key("a")))
        // Work that is sent to the writer later runs later.
        let disk = try #require(store.lock.withLock { $0.disk })
        disk.writer.writeWithoutTransaction { _ in }
        #expect(promised.isStored == true)
        let other = try folder.store(memory: 0)
        #expect(other.numbers("a") == ["3"])
    }

    @Test("It is found while another process changes the folder")
    func besideAnotherProcess() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let other = try folder.store()
        store.deferWrites(true)
        #expect(store.promise(Promised(entry("a", number: 3)), for: key("a")))
        other.put(entry("b"))
        other.flush()
        #expect(store.numbers("a") == ["3"])
    }

    @Test("A closed store accepts no deferred entry, and one with many creates them")
    func limits() throws {
        let store = try memoryStore()
        var taken = 0
        while taken < 1_000, store.promise(Promised(entry("\(taken)", size: 10)), for: key("\(taken)")) {
            taken += 1
        }
        #expect(taken == 64)
        #expect(store.entryCount == taken)
        #expect(store.promise(Promised(entry("more")), for: key("more")))
        store.close()
        #expect(!store.promise(Promised(entry("late")), for: key("late")))
        #expect(store.numbers("late") == [])
    }

    @Test("Concurrent lookups all find it")
    func threads() async throws {
        for round in 0..<200 {
            let store = try memoryStore()
            #expect(store.promise(Promised(entry("a", number: round)), for: key("a")))
            let found = await withTaskGroup(of: [String].self) { group in
                for _ in 0..<4 { group.addTask { store.numbers("a") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found == Array(repeating: ["\(round)"], count: 4))
        }
    }

    /// Creates an entry after it has done something else.
    private final class Interrupted: PromisedEntry {
        private let path: String
        private let state: Lock<(made: Int, interrupt: (@Sendable () -> Void)?)>

        init(_ path: String, _ interrupt: @escaping @Sendable () -> Void) {
            self.path = path
            state = Lock((0, interrupt))
        }

        var made: Int { state.withLock { $0.made } }

        func make() -> CacheEntry? {
            let interrupt = state.withLock { state in
                defer { state.interrupt = nil }
                state.made += 1
                return state.interrupt
            }
            interrupt?()
            return entry(path)
        }

        func keep(isStored: Bool) {}
    }

    @Test("One that is deferred while another is created for the disk is written without a lookup, too")
    func meanwhile() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let second = Promised(entry("second"))
        let first = Interrupted("first") { [weak store] in
            #expect(store?.promise(second, for: key("second")) == true)
        }
        #expect(store.promise(first, for: key("first")))
        let disk = try #require(store.lock.withLock { $0.disk })
        // Work that is sent to the writer later runs later.
        for _ in 1...2 { disk.writer.writeWithoutTransaction { _ in } }
        #expect(second.isStored == true)
        #expect(try folder.store(memory: 0).tiers("second") == [.disk])
    }

    @Test("One that is deferred while the database refuses another is written without a lookup, too")
    func afterFailure() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let disk = try refuse("first", in: store)
        let second = Promised(entry("second"))
        let first = Interrupted("first") { [weak store] in
            #expect(store?.promise(second, for: key("second")) == true)
        }
        #expect(store.promise(first, for: key("first")))
        for _ in 1...2 { disk.writer.writeWithoutTransaction { _ in } }
        #expect(store.writeFailure == nil)
        let other = try folder.store(memory: 0)
        #expect(["first", "second"].map { other.tiers($0) } == [[], [.disk]])
    }

    @Test("None is deferred after a failure, so that each is written before it is answered for")
    func untilItSucceeds() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        _ = try refuse("first", in: store)
        store.put(entry("first"))
        store.flush()
        #expect(!store.promise(Promised(entry("second")), for: key("second")))
        store.put(entry("second"))
        #expect(store.promise(Promised(entry("third")), for: key("third")))
    }

    /// Lets the database accept no entry of a path.
    private func refuse(_ path: String, in store: CacheStore) throws -> DiskTier {
        let disk = try #require(store.lock.withLock { $0.disk })
        let digest = Int64(bitPattern: key(path).digest)
        let trigger = """
            CREATE TRIGGER t BEFORE INSERT ON entry WHEN NEW.digest = \(digest)
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        try disk.writer.writeWithoutTransaction { try $0.execute(sql: trigger) }
        return disk
    }

    @Test("One that was created while another store's changes were read is created again")
    func news() throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try folder.store(), try folder.store())
        store.deferWrites(true)
        let disk = try #require(store.lock.withLock { $0.disk })
        let promised = Interrupted("a") { [weak store] in
            other.invalidate(key("a"))
            _ = Result { try disk.writer.writeWithoutTransaction { try store?.followOthers(disk, $0) } }
        }
        #expect(store.promise(promised, for: key("a")))
        #expect(store.tiers("a") == [.memory])
        #expect(promised.made == 2)
    }

    @Test("One that is too large to be stored replaces an older entry all the same")
    func tooLarge() throws {
        let store = try memoryStore(10_000)
        store.put(entry("a", number: 1))
        let promised = Promised(entry("a", number: 2, size: 20_000))
        #expect(store.promise(promised, for: key("a")))
        #expect(store.numbers("a") == [])
        #expect(promised.isStored == false)
    }

    @Test("A watch sees that an entry was deferred")
    func watched() throws {
        let store = try memoryStore()
        let (own, other) = (store.watch(key("a")), store.watch(key("b")))
        #expect(store.promise(Promised(entry("a")), for: key("a")))
        #expect(own.isChanged && !other.isChanged)
    }

    @Test("After one that is not created, entries are written without a flush")
    func afterNothing() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        let disk = try #require(store.lock.withLock { $0.disk })
        #expect(store.promise(Promised(nil), for: key("a")))
        disk.writer.writeWithoutTransaction { _ in }
        store.put(entry("b"))
        disk.writer.writeWithoutTransaction { _ in }
        #expect(try folder.store(memory: 0).tiers("b") == [.disk])
    }

    @Test("None is deferred while too much waits to be written")
    func backlogged() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for (cost, expected) in [(8 << 20, true), (8 << 20 + 1, false)] {
            store.state.withLock { $0.pendingCost = cost }
            #expect(store.lock.withLock { $0.takesPromises } == expected)
            store.state.withLock { $0.pendingCost = 0 }
        }
    }

    @Test("A use of an entry on disk is later than the storing of one that was deferred before it")
    func useAfterwards() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        store.deferWrites(true)
        store.put(entry("a"))
        #expect(store.promise(Promised(entry("b")), for: key("b")))
        #expect(store.tiers("a") == [.disk])
        store.setCapacities(disk: .bytes(store.diskUsage.bytes - 1))
        #expect(["a", "b"].map { store.tiers($0) } == [[.disk], []])
    }
}
