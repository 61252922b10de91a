import CacheClient
import CacheSemantics
import CacheStorage

/// Stores on disk and hits from disk, with few entries and with many; the page cache is warm.
enum DiskBench {
    private static let rounds = 5
    private static let flat = Goal.atMost(2)

    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if ["store-1k", "disk-hit-1k", "store-flat", "disk-hit-flat"].contains(where: options.wants) {
            figures += try await amongMore(options.maximumEntries)
        }
        if options.wants("disk-hit-16k") { figures.append(try await larger()) }
        return figures
    }

    /// Measures tiers of a hundred entries, ten thousand and so on in turns, so that other load affects all of them.
    private static func amongMore(_ maximumEntries: Int) async throws -> [Figure] {
        try await SharedSubjects.withFolder { folder in
            var tiers: [FilledTier] = []
            for entries in sequence(first: 100, next: { $0 * 100 }).prefix(while: { $0 <= maximumEntries }) {
                tiers.append(try FilledTier("\(folder)/\(entries)", entries: entries, size: 1_024))
            }
            defer { for tier in tiers { tier.close() } }
            for _ in 0..<rounds {
                for index in tiers.indices { try await tiers[index].hit() }
                for index in tiers.indices { tiers[index].storeMore() }
            }
            return tiers.flatMap(figures) + flatness(of: tiers)
        }
    }

    private static func figures(of tier: FilledTier) -> [Figure] {
        [
            figure("store-1k@\(tier.entries)", tier.stores, goal: 30),
            Figure(Measure("store-1k-p99@\(tier.entries)", "µs", .atMost(300)), tier.stores.p99 / 1_000),
            figure("disk-hit-1k@\(tier.entries)", tier.hits, goal: 10),
        ]
    }

    /// Returns the slowest of the larger tiers in relation to the smallest.
    private static func flatness(of tiers: [FilledTier]) -> [Figure] {
        guard let base = tiers.first, tiers.count > 1 else { return [] }
        return [("store-flat", \FilledTier.storeRounds), ("disk-hit-flat", \.hitRounds)].map { name, rounds in
            let ratios = tiers.dropFirst().map { tier in
                zip(tier[keyPath: rounds], base[keyPath: rounds]).map { $0.median / $1.median }.median
            }
            return Figure(Measure(name, "×", flat), ratios.max() ?? 0, note: "of 100 entries, at most")
        }
    }

    private static func larger() async throws -> Figure {
        try await SharedSubjects.withFolder { folder in
            var tier = try FilledTier(folder, entries: 1_000, size: 16 << 10)
            defer { tier.close() }
            for _ in 0..<rounds { try await tier.hit() }
            return figure("disk-hit-16k", tier.hits, goal: 10)
        }
    }

    private static func figure(_ name: String, _ samples: Samples, goal: Double) -> Figure {
        Figure(Measure(name, "µs", .atMost(goal)), samples)
    }
}

/// A disk tier with entries of one size; the times of stores are averages over batches of 100.
private struct FilledTier {
    private static let batch = 100
    private static let batches = 20
    private static let hitCount = 4_000
    let entries: Int
    private let size: Int
    private(set) var storeRounds: [Samples] = []
    private(set) var hitRounds: [Samples] = []
    private let store: CacheStore
    private let client: CachingClient
    private var number = 0

    init(_ folder: String, entries: Int, size: Int) throws {
        (self.entries, self.size) = (entries, size)
        store = try CacheStore(
            .init(memoryCapacity: .zero, diskCapacity: .gibibytes(4), directory: folder),
            clock: SharedSubjects.clock
        )
        client = SharedSubjects.client(over: store, loop: try ClientLoop())
        for number in stride(from: 0, to: entries, by: Self.batch) { put(from: number) }
    }

    var stores: Samples { Samples(nanoseconds: storeRounds.flatMap(\.nanoseconds)) }
    var hits: Samples { Samples(nanoseconds: hitRounds.flatMap(\.nanoseconds)) }

    private func put(from first: Int) {
        for number in first..<first + Self.batch { _ = store.put(SharedSubjects.entry(number, size: size)) }
        store.flush()
    }

    /// Stores other entries for one more round and removes them again, so that the number of entries stays the same.
    mutating func storeMore() {
        var nanoseconds: [Int64] = []
        for _ in 0..<Self.batches {
            nanoseconds += Samples(count: 1, batch: Self.batch) { put(from: entries) }.nanoseconds
            for number in entries..<entries + Self.batch {
                let stored = SharedSubjects.entry(number, size: 0).stored
                store.remove(stored.key, stored.variant)
            }
            store.flush()
        }
        storeRounds.append(Samples(nanoseconds: nanoseconds))
    }

    func close() { store.close() }

    /// Hits entries spread over the tier, for one more round.
    mutating func hit() async throws {
        var nanoseconds: [Int64] = []
        // The first fifth warms caches that the other tiers have displaced.
        for count in -Self.hitCount / 4..<Self.hitCount {
            number = (number + 7_919) % entries
            let request = SharedSubjects.request(number)
            let started = Samples.now()
            let response = try await client.fetch(request)
            let elapsed = Samples.now() - started
            precondition(response.source == .disk, "not a disk hit")
            if count >= 0 { nanoseconds.append(elapsed) }
        }
        hitRounds.append(Samples(nanoseconds: nanoseconds))
    }
}
