import CacheClient
import CacheSemantics
import CacheStorage

/// The memory of a store for 100,000 responses of 20 bytes, which is more than it may keep in memory.
enum MemoryBench {
    private static let entries = 100_000

    static func run(_ options: Options) async throws -> [Figure] {
        try await SharedSubjects.withFolder { folder in
            var figures: [Figure] = []
            // Kept until the end: memory that one store has freed would be reused by the next.
            var stores: [CacheStore] = []
            defer { for store in stores { store.close() } }
            for (name, memory, disk) in [
                ("small-entries", ByteCount.mebibytes(32), ByteCount.zero),
                ("disk-index", .zero, .gibibytes(1)),
            ]
            where options.wants(name) {
                let peak = PeakMemory()
                let store = try CacheStore(
                    .init(memoryCapacity: memory, diskCapacity: disk, directory: folder, largestShare: 0.25),
                    clock: SharedSubjects.clock
                )
                stores.append(store)
                fill(store)
                figures.append(figure(name, peak.growthMiB, store))
            }
            return figures
        }
    }

    /// Stores all responses and looks each up, like a client that requests it again.
    private static func fill(_ store: CacheStore) {
        for number in 0..<entries {
            let entry = SharedSubjects.entry(number, size: 20)
            _ = store.put(entry)
            if store.memoryCapacity > .zero { _ = store.entries(for: entry.stored.key) }
        }
        store.flush()
    }

    private static func figure(_ name: String, _ growth: Double, _ store: CacheStore) -> Figure {
        let counted =
            store.memoryUsage.bytes > 0 ? ", \(store.memoryUsage.bytes >> 10) KiB by its own count" : ""
        let note = "\(store.entryCount) of \(entries) responses of 20 bytes\(counted)"
        return Figure(Measure(name, "MiB", .atMost(40)), growth, note: note)
    }
}
