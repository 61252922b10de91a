import CacheSemantics
import CacheStorage
import CLibrary
import Clocks
import GRDB
import HTTPTypes
import Testing
import TestSupport

@Suite("Two stores on one folder", .blocking)
struct SharingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("An entry that one has written is found by the other")
    func newEntries() throws {
        let first = try folder.store()
        let second = try folder.store()
        #expect(second.tiers("a") == [])
        first.put(entry("a", number: 1))
        first.flush()
        #expect(second.numbers("a") == ["1"])
        #expect(second.tiers("a") == [.memory])
        #expect(second.diskUsage.bytes == first.diskUsage.bytes)
    }

    @Test("An entry that one has replaced is no longer returned by the other", arguments: [100, 100_000])
    func replaced(size: Int) throws {
        let first = try folder.store()
        let second = try folder.store()
        first.put(entry("a", number: 1, size: size))
        first.flush()
        #expect(second.numbers("a") == ["1"])
        first.put(entry("a", number: 2, size: size))
        first.flush()
        #expect(second.numbers("a") == ["2"])
        #expect(second.entryCount == 1)
    }

    @Test("An entry that one has removed is no longer returned by the other, not even from memory")
    func removed() throws {
        let first = try folder.store()
        let second = try folder.store()
        for path in ["a", "b", "c"] { first.put(entry(path)) }
        first.flush()
        for path in ["a", "b", "c"] { #expect(second.tiers(path) == [.disk]) }
        first.remove(key("a"), VariantKey())
        #expect(second.tiers("a") == [])
        #expect(second.tiers("b") == [.memory])
        second.removeAll()
        #expect(first.tiers("b") == [])
        #expect(first.entryCount == 0)
        #expect(first.diskUsage.bytes == 0)
    }

    @Test("An entry that one has invalidated or freshened is so for the other")
    func invalidated() throws {
        let first = try folder.store()
        let second = try folder.store()
        first.put(entry("a", number: 1))
        first.flush()
        #expect(second.numbers("a") == ["1"])
        first.invalidate(key("a"))
        #expect(second.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
        #expect(second.freshen(response("a", number: 2)))
        second.flush()
        #expect(first.numbers("a") == ["2"])
        #expect(first.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [false])
        #expect(first.diskUsage.bytes == second.diskUsage.bytes)
    }

    @Test(
        "An entry that only the other's memory has is removed by an invalidation or a removal of everything"
    )
    func memoryOnly() throws {
        let first = try folder.store()
        let second = try folder.store()
        second.put(entry("a", policy: .allowedInMemoryOnly))
        #expect(second.tiers("a") == [.memory])
        first.removeAll()
        #expect(second.tiers("a") == [])
    }

    /// The ways in which a store may withdraw entries that it has not seen.
    enum Withdrawal: CaseIterable {
        case invalidation, groupInvalidation, variant, wholeKey, targetURI, prefix, origin, all, since

        func happen(in store: CacheStore) -> ChangeOutcome {
            let origin = "http://example.test"
            return switch self {
            case .invalidation: store.invalidate(key("a"))
            case .groupInvalidation: store.invalidate(groups: ["g"], of: origin)
            case .variant: store.remove(key("a"), VariantKey())
            case .wholeKey: store.remove(key("a"))
            case .targetURI: store.remove(targetURI: origin + "/a")
            case .prefix: store.remove(prefix: origin + "/")
            case .origin: store.removeAll(of: origin)
            case .all: store.removeAll()
            case .since: store.remove(storedSince: .seconds(999_999))
            }
        }
    }

    @Test(
        "An entry that one has yet to write is returned as valid by neither after the other has withdrawn it",
        arguments: Withdrawal.allCases
    )
    func unknown(withdrawal: Withdrawal) throws {
        let first = try folder.store()
        let second = try folder.store()
        first.deferWrites(true)
        var waiting = entry("a")
        waiting.stored = StoredResponse(
            key: key("a"),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: [.cacheGroups: "\"g\""]),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        first.put(waiting)
        #expect(withdrawal.happen(in: second).failure == nil)
        #expect(first.entries(for: key("a")).entries.allSatisfy { $0.entry.stored.isInvalidated })
        first.close()
        for store in [second, try folder.store()] {
            #expect(store.entries(for: key("a")).entries.allSatisfy { $0.entry.stored.isInvalidated })
        }
    }

    @Test(
        "A response requested before another store withdrew it is stored as invalidated, or not at all"
    )
    func watched() throws {
        let first = try folder.store()
        let second = try folder.store()
        let (late, gone) = (first.watch(key("late")), first.watch(key("gone")))
        second.invalidate(key("late"))
        second.remove(targetURI: "http://example.test/gone")
        // The next lookup of any key updates the store.
        #expect(first.tiers("other") == [])
        #expect(late.isInvalidated)
        #expect(!late.isCleared)
        #expect(gone.isCleared)
    }

    @Test(
        "A watch of a key that has no entry sees a withdrawal by another store",
        arguments: Withdrawal.allCases
    )
    func watchedWithdrawal(withdrawal: Withdrawal) throws {
        let (first, second) = (try folder.store(), try folder.store())
        let (watch, other) = (first.watch(key("a")), first.watch(CacheKey(targetURI: "http://other.test/a")))
        _ = withdrawal.happen(in: second)
        #expect(first.tiers("b") == [])
        switch withdrawal {
        case .invalidation: #expect(watch.isInvalidated && !watch.isCleared)
        case .groupInvalidation: #expect(watch.mayBeInvalidated && !watch.isInvalidated && !watch.isCleared)
        // One variant says nothing about a response with another.
        case .variant: #expect(watch.isChanged && !watch.isCleared)
        case .wholeKey, .targetURI, .prefix, .origin, .all, .since:
            #expect(watch.isCleared && !watch.isInvalidated)
        }
        #expect(other.isCleared == [.all, .since].contains(withdrawal))
    }

    @Test(
        "A watch of a key sees a removal by its own store, of a variant or of what was stored since a time",
        arguments: [(Withdrawal.variant, false), (.since, true)]
    )
    func watchedRemoval(withdrawal: Withdrawal, isCleared: Bool) throws {
        let store = try folder.store()
        let watch = store.watch(key("a"))
        _ = withdrawal.happen(in: store)
        #expect(watch.isChanged && watch.isCleared == isCleared)
    }

    @Test("An entry that another store has withdrawn since its request is never stored as valid")
    func watchedPut() throws {
        let first = try folder.store()
        let second = try folder.store()
        let (late, gone) = (first.watch(key("late")), first.watch(key("gone")))
        second.invalidate(key("late"))
        second.remove(targetURI: "http://example.test/gone")
        first.put(entry("late"), watchedBy: late)
        #expect(first.put(entry("gone"), watchedBy: gone) == .refused(.removed))
        first.flush()
        for store in [first, second] {
            #expect(store.entries(for: key("late")).entries.map(\.entry.stored.isInvalidated) == [true])
            #expect(store.entries(for: key("gone")).entries.isEmpty)
        }
    }

    @Test("A response that was requested before a removal does not replace one that was requested after it")
    func latePut() throws {
        let store = try folder.store()
        let late = store.watch(key("a"))
        store.remove(key("a"))
        store.put(entry("a", number: 2))
        #expect(store.put(entry("a", number: 1), watchedBy: late) == .refused(.removed))
        #expect(store.numbers("a") == ["2"])
    }

    @Test("Removing since a time includes the other's entries")
    func removedSince() throws {
        let clock = VirtualClock(wallSeconds: 100)
        let first = try folder.store(clock: clock)
        let second = try folder.store(clock: clock)
        first.put(entry("old"))
        clock.advance(by: .seconds(10))
        first.put(entry("new"))
        first.flush()
        #expect(second.tiers("new") == [.disk])
        #expect(second.tiers("old") == [.disk])
        first.remove(storedSince: .seconds(105))
        #expect(second.tiers("new") == [])
        #expect(second.tiers("old") == [.memory])
    }

    @Test(
        "A store that is behind by more changes than are recorded reads everything, and forgets what is gone"
    )
    func farBehind() throws {
        let (first, second) = (try folder.store(), try folder.store())
        for path in ["kept", "removed"] { first.put(entry(path, number: 1)) }
        first.put(entry("large", number: 1, size: 200_000))
        first.flush()
        for path in ["kept", "removed", "large"] { #expect(second.numbers(path) == ["1"]) }
        first.remove(key("removed"), VariantKey())
        first.put(entry("kept", number: 2))
        for number in 0..<8_192 { first.put(entry("short/\(number)", size: 1)) }
        first.flush()
        let watch = second.watch(key("underway"))
        // Each of these rows gets its own change.
        #expect(first.remove(prefix: key("short/").targetURI) == .done(keys: 8_192))
        #expect(try recordedChanges() == 8_192)
        #expect(second.numbers("kept") == ["2"])
        #expect(second.numbers("removed") == [])
        #expect(second.entryCount == 2)
        #expect(watch.isCleared)
        // The file of the large content stays when the second store next removes files.
        second.put(entry("next"))
        second.flush()
        second.setCapacities(memory: .zero)
        #expect(try second.bodies("large") == [[UInt8](repeating: 7, count: 200_000)])
    }

    private func recordedChanges() throws -> Int? {
        let database = try DatabaseQueue(path: folder.path + "/entries.sqlite")
        return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM change") }
    }

    @Test("If both write the same keys, one entry per key remains, the same in both")
    func bothWriting() throws {
        let first = try folder.store(memory: 0)
        let second = try folder.store(memory: 0)
        for number in 0..<300 {
            first.put(entry("\(number % 7)", number: number))
            second.put(entry("\(number % 7)", number: number + 1000))
        }
        first.flush()
        second.flush()
        for path in 0..<7 {
            #expect(first.numbers("\(path)").count == 1)
            #expect(first.numbers("\(path)") == second.numbers("\(path)"))
        }
        #expect(first.entryCount == 7)
        #expect(first.diskUsage.bytes == second.diskUsage.bytes)
        first.close()
        second.close()
        #expect(try folder.store().entryCount == 7)
    }

    @Test("A database that one set aside is no longer used by the other")
    func setAside() throws {
        let first = try folder.store()
        first.put(entry("a"))
        first.flush()
        for suffix in ["", "-wal", "-shm"] {
            let path = folder.path + "/entries.sqlite"
            #expect(rename(path + suffix, path + ".damaged" + suffix) == 0)
        }
        let second = try folder.store()
        second.put(entry("b"))
        second.flush()
        #expect(first.tiers("b") == [.disk])
        #expect(first.tiers("a") == [])
    }

    @Test("Many threads on two stores see only whole entries of the requested key")
    func manyThreads() async throws {
        let stores = [
            try folder.store(memory: 50_000, disk: 400_000), try folder.store(memory: 0, disk: 400_000),
        ]
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { work(stores[worker % 2], worker: worker) }
            }
        }
        for store in stores { store.flush() }
        // An entry that one evicted from disk may stay in the other's memory.
        stores[0].setCapacities(memory: .zero)
        for number in 0..<20 { #expect(stores[0].numbers("\(number)") == stores[1].numbers("\(number)")) }
        #expect(stores[0].diskUsage.bytes == stores[1].diskUsage.bytes)
    }
}

private func work(_ store: CacheStore, worker: Int) {
    var generator = Steps(state: UInt64(worker))
    for number in 0..<400 {
        let path = Int.random(in: 0..<20, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: store.remove(key("\(path)"), VariantKey())
        case 1: store.invalidate(key("\(path)"))
        case 2: _ = store.freshen(response("\(path)", number: number))
        case 3...5:
            let size = [500, 5000, 80_000].randomElement(using: &generator) ?? 500
            store.put(entry("\(path)", number: number, size: size, byte: UInt8(path)))
        default:
            for located in store.entries(for: key("\(path)")).entries {
                #expect(located.entry.stored.key == key("\(path)"))
                guard case .success(let body) = Result(catching: { try located.entry.body.readAll() }) else {
                    Issue.record("unreadable")
                    continue
                }
                #expect(body == [UInt8](repeating: UInt8(path), count: body.count))
            }
        }
    }
}
