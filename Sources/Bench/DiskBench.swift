import CacheClient
import CacheStorage

/// Stores on disk and hits from there, among few entries and among many, the page cache warm.
enum DiskBench {
    private static let rounds = 5
    private static let flat = Goal.atMost(2)

    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if ["store-1k", "disk-hit-1k", "store-flat", "disk-hit-flat"].contains(where: options.wants) {
            figures += try await amongMore(options.mostEntries)
        }
        if options.wants("disk-hit-16k") { figures.append(try await larger()) }
        return figures
    }

    /// Tiers of a hundred entries, ten thousand and so on, hit in turns, so that whatever else goes on meets all.
    private static func amongMore(_ mostEntries: Int) async throws -> [Figure] {
        try await Stage.withFolder { folder in
            var tiers: [FilledTier] = []
            for entries in sequence(first: 100, next: { $0 * 100 }).prefix(while: { $0 <= mostEntries }) {
                tiers.append(try FilledTier("\(folder)/\(entries)", entries: entries, size: 1_024))
            }
            defer { for tier in tiers { tier.close() } }
            for _ in 0..<rounds {
                for index in tiers.indices { try await tiers[index].hit() }
            }
            return tiers.flatMap(figures) + flatness(of: tiers)
        }
    }

    private static func figures(of tier: FilledTier) -> [Figure] {
        let hits = Samples(nanoseconds: tier.rounds.flatMap(\.nanoseconds))
        return [
            figure("store-1k@\(tier.entries)", tier.stores, goal: 30),
            figure("disk-hit-1k@\(tier.entries)", hits, goal: 10),
        ]
    }

    /// What the slowest of the larger ones takes of the smallest.
    private static func flatness(of tiers: [FilledTier]) -> [Figure] {
        guard let base = tiers.first, tiers.count > 1 else { return [] }
        let stores = tiers.dropFirst().map { $0.stores.median / base.stores.median }
        let hits = tiers.dropFirst().map { tier in
            zip(tier.rounds, base.rounds).map { $0.median / $1.median }.median
        }
        return [flatness("store-flat", stores), flatness("disk-hit-flat", hits)]
    }

    private static func flatness(_ name: String, _ ratios: [Double]) -> Figure {
        Figure(name: name, value: ratios.max() ?? 0, unit: "×", goal: flat, note: "of 100 entries, at most")
    }

    private static func larger() async throws -> Figure {
        try await Stage.withFolder { folder in
            var tier = try FilledTier(folder, entries: 1_000, size: 16 << 10)
            defer { tier.close() }
            for _ in 0..<rounds { try await tier.hit() }
            return figure(
                "disk-hit-16k",
                Samples(nanoseconds: tier.rounds.flatMap(\.nanoseconds)),
                goal: 10
            )
        }
    }

    private static func figure(_ name: String, _ samples: Samples, goal: Double) -> Figure {
        Figure(
            name: name,
            value: samples.median / 1_000,
            unit: "µs",
            p99: samples.p99 / 1_000,
            goal: .atMost(goal)
        )
    }
}

/// A disk tier with so many entries of one size; stores are amortised over batches of 100.
private struct FilledTier {
    private static let batch = 100
    private static let hits = 4_000
    let entries: Int
    let stores: Samples
    private(set) var rounds: [Samples] = []
    private let store: CacheStore
    private let client: CachingClient
    private var number = 0

    init(_ folder: String, entries: Int, size: Int) throws {
        self.entries = entries
        let store = try CacheStore(
            .init(memoryCapacity: 0, diskCapacity: 4 << 30, directory: folder),
            clock: Stage.clock
        )
        var number = 0
        stores = Samples(count: entries / Self.batch, batch: Self.batch) {
            for _ in 0..<Self.batch {
                _ = store.put(Stage.entry(number, size: size))
                number += 1
            }
            store.flush()
        }
        self.store = store
        client = Stage.client(over: store, loop: try ClientLoop())
    }

    func close() { store.close() }

    /// Hits entries from all over it, for one more round.
    mutating func hit() async throws {
        var nanoseconds: [Int64] = []
        // The first fifth warms what the others have cooled.
        for count in -Self.hits / 4..<Self.hits {
            number = (number + 7_919) % entries
            let request = Stage.request(number)
            let started = Samples.now()
            let response = try await client.fetch(request)
            let elapsed = Samples.now() - started
            precondition(response.source == .disk, "not a disk hit")
            if count >= 0 { nanoseconds.append(elapsed) }
        }
        rounds.append(Samples(nanoseconds: nanoseconds))
    }
}
