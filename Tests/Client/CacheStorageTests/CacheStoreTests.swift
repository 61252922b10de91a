import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Testing

@Suite("Two tiers, their capacities and their entries")
struct CacheStoreTests {
    @Test("An entry is found in memory, and on disk by the next store on the folder")
    func survivesRestart() throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        var stored = entry("a")
        stored.userInfo = [
            "when": .number(1.5), "who": .text("Zoë"), "n": .integer(-3), "yes": .boolean(true),
        ]
        #expect(first.put(stored) == .stored([.memory, .disk]))
        #expect(first.tiers("a") == [.memory])
        first.close()
        #expect(first.entries(for: key("a")).entries.isEmpty)

        let second = try folder.store()
        let found = second.entries(for: key("a"))
        #expect(found.damage.isEmpty)
        #expect(found.entries.map(\.tier) == [.disk])
        let entry = try #require(found.entries.first?.entry)
        #expect(
            entry.userInfo == [
                "when": .number(1.5), "who": .text("Zoë"), "n": .integer(-3), "yes": .boolean(true),
            ]
        )
        #expect(entry.stored.response.headerFields == stored.stored.response.headerFields)
        #expect(entry.stored.responseTime.secondsSinceEpoch == 1_000_000)
        #expect(entry.storedAt == .seconds(1_000_000))
        #expect(try entry.body.readAll() == [UInt8](repeating: 7, count: 1000))
        #expect(second.tiers("a") == [.memory])
    }

    @Test("An entry that has not been written yet is found", arguments: [10, 100_000])
    func readsPending(size: Int) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        for number in 0..<50 {
            #expect(store.put(entry("\(number)", size: size / 10, byte: UInt8(number))) == .stored([.disk]))
            #expect(try store.bodies("\(number)") == [[UInt8](repeating: UInt8(number), count: size / 10)])
        }
    }

    @Test("The body of a large entry is a file, which can be read after the entry is removed")
    func largeBody() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0)
        #expect(store.put(entry("big", size: 300_000)) == .stored([.disk]))
        store.flush()
        #expect(store.diskFileCount == 1)
        #expect(folder.names("bodies").count == 1)
        let body = try #require(store.entries(for: key("big")).entries.first?.entry.body)
        store.remove(key("big"), VariantKey())
        #expect(store.diskFileCount == 0)
        #expect(folder.names("bodies").isEmpty)
        #expect(try body.readAll() == [UInt8](repeating: 7, count: 300_000))
        #expect(try body.read(from: 299_999, count: 10) == [7])
        #expect(try body.read(from: 300_000, count: 10) == [])
        #expect(try body.read(from: -5, count: 2) == [7, 7])
    }

    @Test("Both usages are the sums over the entries, even after replacing, freshening and removing")
    func usage() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(store.put(entry("a", size: 1000)) == .stored([.memory, .disk]))
        let (one, oneOnDisk) = (store.memoryUsage.bytes, store.diskUsage.bytes)
        #expect(oneOnDisk > 1000)
        // Objects and tables, which use no space on disk.
        #expect(one > oneOnDisk + 1000)
        #expect(store.put(entry("a", size: 1500)) == .stored([.memory, .disk]))
        #expect(store.memoryUsage.bytes == one + 500)
        #expect(store.put(entry("b", size: 1000)) == .stored([.memory, .disk]))
        #expect(store.diskUsage.bytes == 2 * oneOnDisk + 500)
        #expect(store.freshen(response("b", number: 12345)))
        #expect(store.diskUsage.bytes == 2 * oneOnDisk + 504)
        #expect(store.memoryUsage.bytes == 2 * one + 504)
        store.remove(key("b"), VariantKey())
        #expect(store.diskUsage.bytes == oneOnDisk + 500)
        #expect(store.memoryUsage.bytes == one + 500)
        #expect(store.entryCount == 1)
        store.removeAll()
        #expect(store.diskUsage.bytes == 0)
        #expect(store.memoryUsage.bytes == 0)
        #expect(store.entryCount == 0)
    }

    @Test("The least recently used entry is evicted first from both tiers")
    func leastRecentlyUsed() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 8400, disk: 3600)
        for path in ["a", "b", "c"] { #expect(store.put(entry(path)) == .stored([.memory, .disk])) }
        #expect(store.tiers("a") == [.memory])
        #expect(store.put(entry("d")) == .stored([.memory, .disk]))
        #expect(store.tiers("b") == [])
        store.setCapacities(memory: .zero)
        #expect(["a", "c", "d"].map { store.tiers($0) } == [[.disk], [.disk], [.disk]])
    }

    @Test("The order of use survives a restart")
    func orderSurvives() throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        for path in ["a", "b", "c"] { #expect(first.put(entry(path)) == .stored([.memory, .disk])) }
        first.flush()
        #expect(first.tiers("a") == [.memory])
        first.close()
        let second = try folder.store()
        second.setCapacities(disk: .bytes(second.diskUsage.bytes - 1))
        #expect(["a", "b", "c"].map { second.tiers($0) } == [[.disk], [], [.disk]])
    }

    @Test("Storing one key a thousand times while others are evicted keeps one entry of it")
    func storeAgain() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 5000, disk: 5000)
        for number in 0..<1000 {
            _ = store.put(entry("same", number: number))
            _ = store.put(entry("other\(number)"))
            #expect(store.numbers("same") == ["\(number)"])
        }
        store.flush()
        #expect(store.numbers("same") == ["999"])
        #expect(store.diskUsage.bytes <= 5000)
        #expect(store.memoryUsage.bytes <= 5000)
    }

    @Test("The limits hold under ten thousand keys")
    func limitsHold() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 100_000, disk: 500_000)
        for number in 0..<10_000 {
            _ = store.put(entry("\(number)", size: 500))
            if store.memoryUsage.bytes > 100_000 || store.diskUsage.bytes > 500_000 {
                Issue.record("over the limit")
            }
        }
        #expect(store.tiers("9999") == [.memory])
        #expect(store.tiers("0") == [])
    }

    @Test("Lowering a capacity evicts at once, and zero disables the tier")
    func lowering() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        for number in 0..<20 { _ = store.put(entry("\(number)", size: 100_000)) }
        store.setCapacities(memory: .mebibytes(1))
        #expect(store.memoryUsage.bytes <= 1 << 20)
        #expect(store.memoryUsage.bytes > 900_000)
        #expect(store.entryCount == 20)
        store.setCapacities(disk: .zero)
        #expect(store.diskUsage.bytes == 0)
        #expect(folder.names("bodies") == [])
        store.setCapacities(memory: .zero)
        #expect(store.entryCount == 0)
        #expect(store.put(entry("a")) == .refused(.noTier))
    }

    @Test("With both capacities zero nothing is stored and the folder stays empty")
    func switchedOff() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 0, disk: 0)
        #expect(store.put(entry("a")) == .refused(.noTier))
        #expect(store.tiers("a") == [])
        #expect(folder.names() == [])
    }

    @Test("A disabled disk tier is opened when it gets a capacity")
    func switchedOn() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 0)
        #expect(store.put(entry("a")) == .stored([.memory]))
        let watch = store.watch(key("c"))
        store.setCapacities(disk: .mebibytes(1))
        #expect(store.put(entry("b")) == .stored([.memory, .disk]))
        // What the folder had before is no reason to forget what is in memory, or to drop a pending response.
        #expect(store.tiers("a") == [.memory])
        #expect(!watch.isChanged && !watch.isCleared)
    }

    @Test("One response may use a twentieth of the disk capacity, or of memory without a disk tier")
    func largest() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(disk: 100 << 10, share: 0.05)
        #expect(store.put(entry("small", size: 4 << 10)) == .stored([.memory, .disk]))
        let large = store.put(entry("large", size: 6 << 10))
        guard case .refused(.tooLarge(_, limit: 5120)) = large else {
            Issue.record("\(large)")
            return
        }
        let memoryOnly = try CacheStore(
            .init(memoryCapacity: .kibibytes(100)),
            clock: VirtualClock(wallSeconds: 0)
        )
        #expect(memoryOnly.put(entry("small", size: 4 << 10)) == .stored([.memory]))
        #expect(memoryOnly.largestEntry == 5120)
        #expect(memoryOnly.put(entry("small", size: 6 << 10)) != .stored([.memory]))
        #expect(memoryOnly.tiers("small") == [])
    }

    @Test("The storage policy decides the tiers")
    func policies() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(store.put(entry("a", policy: .notAllowed)) == .refused(.notAllowed))
        #expect(store.put(entry("a", number: 1)) == .stored([.memory, .disk]))
        #expect(store.put(entry("a", number: 2, policy: .allowedInMemoryOnly)) == .stored([.memory]))
        #expect(store.diskUsage.bytes == 0)
        #expect(store.entryCount == 1)
        store.close()
        #expect(try folder.store().tiers("a") == [])
    }

    @Test("Several variants of one key are kept side by side, in memory and on disk")
    func variants() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: 8400)
        for (number, variant) in ["de", "en", "fr", "it"].enumerated() {
            #expect(store.put(entry("a", variant: variant, number: number)) == .stored([.memory, .disk]))
        }
        #expect(store.numbers("a") == ["0", "1", "2", "3"])
        store.remove(key("a"), VariantKey(text: "en"))
        #expect(store.numbers("a") == ["0", "2", "3"])
        #expect(store.put(entry("a", variant: "fr", number: 9)) == .stored([.memory, .disk]))
        store.flush()
        #expect(store.numbers("a") == ["0", "3", "9"])
        #expect(store.entryCount == 3)
    }

    @Test(
        "Keys of any length and any characters are kept on disk",
        arguments: ["ü/💡?x=/", String(repeating: "long/", count: 1700), "a%2Fb", "?x=1", "?x=2", ""]
    )
    func keys(path: String) throws {
        let folder = try TemporaryFolder()
        let first = try folder.store()
        #expect(first.put(entry(path)) == .stored([.memory, .disk]))
        first.close()
        let second = try folder.store()
        #expect(second.tiers(path) == [.disk])
        #expect(second.tiers(path + "x") == [])
    }

    @Test("Freshening changes metadata in both tiers, keeps the content, and survives a restart")
    func freshening() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        #expect(!store.freshen(response("a", number: 2)))
        #expect(store.put(entry("a", number: 1)) == .stored([.memory, .disk]))
        store.flush()
        #expect(store.freshen(response("a", number: 2)))
        #expect(store.numbers("a") == ["2"])
        store.setCapacities(memory: .zero)
        #expect(store.freshen(response("a", number: 3)))
        #expect(store.numbers("a") == ["3"])
        store.close()
        let second = try folder.store()
        #expect(second.numbers("a") == ["3"])
        #expect(try second.bodies("a") == [[UInt8](repeating: 7, count: 1000)])
    }

    @Test("An invalidated entry is marked in both tiers until it is freshened", arguments: [true, false])
    func invalidation(isWritten: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        _ = store.put(entry("a"))
        if isWritten { store.flush() }
        store.invalidate(key("a"))
        #expect(store.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
        store.close()
        let second = try folder.store()
        #expect(second.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [true])
        #expect(second.freshen(response("a")))
        #expect(second.entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [false])
        second.close()
        #expect(
            try folder.store().entries(for: key("a")).entries.map(\.entry.stored.isInvalidated) == [false]
        )
    }

    @Test("Removing since a time removes later entries from both tiers")
    func removingSince() throws {
        let folder = try TemporaryFolder()
        let clock = VirtualClock(wallSeconds: 100)
        let store = try folder.store(clock: clock)
        _ = store.put(entry("old"))
        clock.advance(by: .seconds(10))
        _ = store.put(entry("new"))
        _ = store.put(entry("memory", policy: .allowedInMemoryOnly))
        store.remove(storedSince: .seconds(105))
        #expect(store.tiers("new") == [])
        #expect(store.tiers("memory") == [])
        store.close()
        #expect(try folder.store().tiers("old") == [.disk])
    }
}
