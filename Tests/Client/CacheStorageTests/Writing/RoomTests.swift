import CacheSemantics
import Clocks
import Locks
import Testing

@testable import CacheStorage

@Suite("Room for an entry")
struct RoomTests {
    /// An entry of 1,000 bytes as it is stored, whose size on disk and cost in memory are known.
    private static let sample = Candidate(entry("a"), storedAt: 1_000_000, Labelling())

    /// Capacities that are just enough, or not, and the outcome.
    struct Row: CustomTestStringConvertible {
        let name: String
        let memory: Int
        let disk: Int
        var policy = StoragePolicy.allowed
        let expected: PutOutcome

        var testDescription: String { name }
    }
    private static let (size, cost) = (sample.size, sample.memoryCost)

    private func put(_ row: Row, share: Double, isByHand: Bool) throws -> PutOutcome {
        let folder = try TemporaryFolder()
        let store = try folder.store(memory: row.memory, disk: row.disk, share: share)
        var entry = entry("a", policy: row.policy)
        entry.isStoredExplicitly = isByHand
        let isAdmitted = store.admits(entry)
        let outcome = store.put(entry)
        if case .stored = outcome { #expect(isAdmitted) } else { #expect(!isAdmitted) }
        store.close()
        #expect(!store.admits(entry))
        return outcome
    }

    @Test(
        "An entry may take a whole tier, and no byte more",
        arguments: [
            Row(name: "memory", memory: cost, disk: 0, expected: .stored([.memory])),
            Row(
                name: "memory less one",
                memory: cost - 1,
                disk: 0,
                expected: .refused(.tooLarge(size: cost, limit: cost - 1))
            ),
            Row(name: "disk", memory: 0, disk: size, expected: .stored([.disk])),
            Row(
                name: "disk less one",
                memory: 0,
                disk: size - 1,
                expected: .refused(.tooLarge(size: size, limit: size - 1))
            ),
            Row(name: "disk, not memory", memory: cost - 1, disk: size, expected: .stored([.disk])),
            Row(
                name: "memory, not disk",
                memory: cost,
                disk: size - 1,
                expected: .refused(.tooLarge(size: size, limit: size - 1))
            ),
            Row(name: "no tier", memory: 0, disk: 0, expected: .refused(.noTier)),
            Row(
                name: "disk that its policy forbids",
                memory: 0,
                disk: 1 << 20,
                policy: .allowedInMemoryOnly,
                expected: .refused(.noTier)
            ),
            Row(
                name: "policy",
                memory: 1 << 20,
                disk: 1 << 20,
                policy: .notAllowed,
                expected: .refused(.notAllowed)
            ),
        ]
    )
    func capacity(row: Row) throws {
        #expect(try put(row, share: 1, isByHand: false) == row.expected)
    }

    @Test(
        "An entry that is stored by hand may take more than its share, of whichever tier has room",
        arguments: [
            Row(name: "both", memory: cost, disk: size, expected: .stored([.memory, .disk])),
            Row(name: "memory alone", memory: cost, disk: size - 1, expected: .stored([.memory])),
            Row(name: "disk alone", memory: 0, disk: size, expected: .stored([.disk])),
            Row(
                name: "neither",
                memory: size - 1,
                disk: size - 2,
                expected: .refused(.tooLarge(size: size, limit: size - 1))
            ),
            Row(
                name: "memory, as its policy demands",
                memory: size - 1,
                disk: 1 << 20,
                policy: .allowedInMemoryOnly,
                expected: .refused(.tooLarge(size: size, limit: size - 1))
            ),
            Row(
                name: "content and metadata, but not objects",
                memory: size,
                disk: 0,
                expected: .refused(.tooLarge(size: cost, limit: size))
            ),
        ]
    )
    func byHand(row: Row) throws {
        #expect(try put(row, share: 0.01, isByHand: true) == row.expected)
    }

    @Test("A share is from 0 to 1, and a key may have at least one variant")
    func configuration() {
        let shares = [-1, 0, 0.5, 1, 7].map { CacheStore.Configuration(largestShare: $0).largestShare }
        #expect(shares == [0, 0, 0.5, 1, 1])
        let variants = [-1, 0, 1, 2].map { CacheStore.Configuration(maximumVariants: $0).maximumVariants }
        #expect(variants == [1, 1, 1, 2])
    }

    @Test(
        "An entry that was prepared before the folder was lost is stored in memory alone, and nowhere before closing"
    )
    func late() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        let disk = try #require(store.state.withLock { $0.disk })
        let forms = Forms(memory: .bytes([1]), disk: DiskForm(body: .bytes([1]), file: 0))
        let counts = store.state.withLock { state in
            state.lose(disk, isOwed: false)
            state.place(Self.sample, forms, disk: disk)
            let lost = [state.memory.countWithoutDisk, state.index.count]
            state.forgetAll(withBodies: false)
            state.isClosed = true
            state.place(Self.sample, forms, disk: disk)
            return [lost, [state.memory.countWithoutDisk, state.index.count]]
        }
        #expect(counts == [[1, 0], [0, 0]])
    }
}
