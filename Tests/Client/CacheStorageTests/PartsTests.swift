import CacheSemantics
import HTTPTypes
import Locks
import Testing

@testable import CacheStorage

@Suite("Order of use")
struct RecencyListTests {
    @Test("The oldest slot is the least recently used")
    func order() {
        var list = RecencyList()
        let slots = (0..<4).map { _ in list.add() }
        #expect(slots == [0, 1, 2, 3])
        list.touch(0)
        #expect(list.oldest == 1)
        list.remove(1)
        #expect(list.oldest == 2)
        list.touch(3)
        #expect(list.newest == 3)
        #expect(list.older(than: 3) == 0)
        #expect(list.add() == 1)
        #expect(list.newest == 1)
    }

    @Test("It is empty after its last slot is removed, and works again")
    func emptying() {
        var list = RecencyList()
        list.remove(list.add())
        #expect(list.oldest == nil)
        #expect(list.newest == nil)
        #expect(list.add() == 0)
        #expect(list.oldest == 0)
    }
}

@Suite("Freshening in a state")
struct FresheningTests {
    @Test("An entry that was stored at another time is not freshened, in neither tier (RFC 9111 §4.3.4)")
    func replaced() throws {
        let folder = try TemporaryFolder()
        for (memory, disk) in [(4 << 20, 0), (0, 20 << 20)] {
            let store = try folder.store(memory: memory, disk: disk)
            store.put(entry("a", number: 1))
            let candidate = Candidate(entry("a", number: 2), Labelling())
            #expect(!store.state.withLock { $0.freshen(candidate, storedAt: 5) })
            #expect(store.numbers("a") == ["1"])
            store.close()
        }
    }
}

@Suite("Changes that wait for the disk")
struct DurabilityTests {
    @Test("An invalidation does if it may concern a stored response, by its key or by a label")
    func mayConcern() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let (a, b) = (StorageChange.labelled(.invalidated, key: key("a").digest), key("b").digest)
        let changes = [
            a, .labelled(.invalidated, key: b), .labelled(.invalidated, key: b, label: 7),
            StorageChange(kind: .cleared), StorageChange(kind: .removedPrefix),
        ]
        let waiting = { store.state.withLock { state in changes.map { state.mayConcern($0) } } }
        #expect(waiting() == [false, false, false, true, true])
        store.put(entry("a"))
        #expect(waiting() == [true, false, false, true, true])
        store.put(entry("c"))
        store.state.withLock { $0.hasLabels = true }
        #expect(waiting() == [true, false, true, true, true])
    }
}

@Suite("Changes by other stores")
struct ExternalChangeTests {
    @Test("The removal of a variant concerns that one alone")
    func removed() {
        let stored = response("a", variant: "de")
        let variant = stored.variant.digest
        let rows = [
            (key("a").digest, variant, true), (key("a").digest, variant &+ 1, false),
            (key("b").digest, variant, false),
        ]
        for (digest, variant, expected) in rows {
            let change = StorageChange(kind: .removed, digest: digest, variant: variant)
            #expect(change.concerns(stored, labels: []) == expected)
        }
    }

    @Test(
        "A store that has lost its folder is not behind changes from before, because it has forgotten everything"
    )
    func lost() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try folder.store(), try folder.store())
        second.put(entry("a"))
        second.flush()
        let disk = try #require(first.state.withLock { $0.disk })
        let isBehind = first.state.withLock { state in
            let before = state.isBehind
            state.lose(disk, isOwed: false)
            return [before, state.isBehind]
        }
        #expect(isBehind == [true, false])
    }

    @Test(
        "What was requested before a store lost its folder is not stored: others may have withdrawn it unread"
    )
    func lostUnread() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try folder.store(), try folder.store())
        let watch = first.watch(key("a"))
        #expect(second.invalidate(key("a")).failure == nil)
        #expect(!watch.isChanged)
        let disk = try #require(first.state.withLock { $0.disk })
        first.state.withLock { first.lose(disk, isOwed: false, &$0) }
        #expect(watch.isCleared)
    }
}

@Suite("Content in files")
struct StoredFileTests {
    @Test("Its digest, which the database has, is that of blocks of 64 KiB, each seeded with the one before")
    func digest() {
        // Other blocks make content unreadable that an earlier version has stored.
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let blocks = [bytes[..<65_536], bytes[65_536..<131_072], bytes[131_072..<196_608], bytes[196_608...]]
        let expected = blocks.reduce(UInt64(0)) { seed, block in
            block.withUnsafeBytes { ByteHash.sum($0, seed: seed) }
        }
        #expect(StoredFile.digest(of: bytes) == expected)
    }
}

/// Returns a stored response with a Vary field.
private func stored(_ vary: String) -> StoredResponse {
    StoredResponse(
        key: key("a"),
        variant: Vary([vary]).variant(of: [:]),
        method: .get,
        selectingFields: [:],
        response: HTTPResponse(status: .ok, headerFields: [.vary: vary]),
        requestTime: HTTPDate(secondsSinceEpoch: 0),
        responseTime: HTTPDate(secondsSinceEpoch: 0)
    )
}

@Suite("Numbers of Vary values")
struct VaryTableTests {
    @Test("Equal values have one number, which is used again when all have given it back")
    func numbers() {
        var table = VaryTable()
        #expect(["A", "B", "A"].map { table.take(stored($0)) } == [1, 2, 1])
        table.release(1)
        #expect(table[1] == Vary(["A"]))
        #expect(table.take(stored("a")) == 1)
        for number in [1, 1, VaryTable.unread, VaryTable.unknown] { table.release(number) }
        #expect(["C", "D", "B", "A"].map { table.take(stored($0)) } == [1, 3, 2, 4])
        #expect((1...4).map { table[$0] } == ["C", "B", "D", "A"].map { Vary([$0]) })
    }
}

@Suite("Memory tier")
struct MemoryTierTests {
    @Test("A second key with the same digest takes the first one's place")
    func collision() {
        var tier = MemoryTier()
        let first = MemoryTier.Node(digest: 1, variant: VariantKey(), size: 10)
        tier.insert(entry("a"), as: first, labelled: [])
        let second = MemoryTier.Node(digest: 1, variant: VariantKey(), size: 20)
        tier.insert(entry("b"), as: second, labelled: [])
        #expect(tier.group(key("a"), digest: 1) == nil)
        #expect(tier.group(key("b"), digest: 1) != nil)
        #expect(tier.usage == 20)
        #expect(tier.countWithoutDisk == 1)
        tier.removeGroup(digest: 1)
        #expect(tier.usage == 0)
        #expect(tier.oldest == nil)
    }
}

@Suite("Disk index")
struct DiskIndexTests {
    private func record(_ digest: UInt64, _ variant: UInt64, size: Int = 1) -> DiskIndex.Record {
        DiskIndex.Record(
            digest: digest,
            variant: variant,
            size: size,
            storedAt: 0,
            file: 0,
            isInvalidated: false
        )
    }

    @Test("Variants of one key are found until they are removed, in any order")
    func chains() {
        for gone in 0..<3 {
            var index = DiskIndex()
            let slots = (0..<3).map { index.insert(record(9, UInt64($0))) }
            index.remove(slots[gone])
            #expect(index.slots(9).count == 2)
            #expect(index.slot(9, variant: UInt64(gone)) == nil)
            for slot in slots where slot != slots[gone] { index.remove(slot) }
            #expect(index.slots(9).isEmpty)
            #expect(index.count == 0)
            #expect(index.usage == 0)
        }
    }

    @Test("A key has several variants from its second on")
    func several() {
        var index = DiskIndex()
        index.insert(record(9, 0))
        #expect(!index.hasSeveral(8))
        #expect(!index.hasSeveral(9))
        index.insert(record(9, 1))
        #expect(index.hasSeveral(9))
        #expect(index.count(of: 9) == 2)
    }

    @Test("The uses of rows are to be written once each, those of records without a row never")
    func uses() {
        var index = DiskIndex()
        var written = record(1, 0)
        written.row = 1
        let slot = index.insert(written)
        index.insert(record(2, 0))
        #expect(index.takeUnwrittenUses().map(\.digest) == [1])
        #expect(index.takeUnwrittenUses().isEmpty)
        index.touch(slot, serial: index[slot].serial)
        #expect(index.takeUnwrittenUses().map(\.row) == [1])
    }

    @Test("A reused slot does not match its old serial number")
    func reuse() {
        var index = DiskIndex()
        let first = index.insert(record(1, 0))
        let serial = index[first].serial
        index.remove(first)
        let second = index.insert(record(2, 0))
        #expect(second == first)
        #expect(index[second].serial != serial)
        #expect(index.slot(1, serial: serial) == nil)
    }

    @Test("The number of a Vary value is used again once no record has it")
    func varies() {
        var index = DiskIndex()
        let slot = index.insert(record(9, 0))
        let numbers = ["A", "B"].map { name in
            index.setVary(of: stored(name), in: slot)
            return index[slot].vary
        }
        #expect(numbers == [1, 1])
        index.setVary(of: nil, in: slot)
        #expect(index[slot].vary == VaryTable.unread)
        for name in ["C", "D"] { index.setVaryIfUnread(of: stored(name), in: slot) }
        #expect(index[slot].vary == 1 && index.vary(1) == Vary(["C"]))
        index.remove(slot)
        let next = index.insert(record(8, 0))
        index.setVary(of: stored("E"), in: next)
        #expect(index[next].vary == 1)
    }

    @Test("A use that its row has is not to be written")
    func written() {
        var index = DiskIndex()
        let slot = index.insert(record(1, 0))
        index.setRow(5, of: slot, writtenUse: index[slot].used)
        #expect(index.takeUnwrittenUses().isEmpty)
        #expect(index.unwrittenUses == 0)
        let other = index.insert(record(2, 0))
        index.touch(slot, serial: index[slot].serial)
        #expect(index.unwrittenUses == 1)
        #expect(index.takeUnwrittenUses().map(\.row) == [5])
        index.touch(other, serial: 0)
        #expect(index.unwrittenUses == 0)
    }

    @Test(
        "A removed record is not among those that satisfy a condition, and files count until they are removed"
    )
    func conditions() {
        var index = DiskIndex()
        var file = record(1, 0)
        file.file = 7
        let slot = index.insert(file)
        index.insert(record(2, 0))
        #expect(index.fileCount == 1)
        index.remove(slot)
        #expect(index.fileCount == 0)
        #expect(index.slots { _ in true }.map { index[$0].digest } == [2])
    }

    @Test("New metadata changes the usage by the difference of sizes, and the revision")
    func revised() {
        var index = DiskIndex()
        let slots = [index.insert(record(1, 0, size: 10)), index.insert(record(2, 0, size: 20))]
        for size in [15, 5] { index.revise(slots[0], size: size, isInvalidated: true) }
        #expect(index.usage == 25)
        #expect(index[slots[0]].isInvalidated && index[slots[0]].revision == 2)
        index.remove(slots[0])
        #expect(index.usage == 20)
    }
}
