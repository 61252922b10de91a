import CacheClient
import CacheStorage

/// Hits from both tiers and stores, through the public interface.
enum StoreBench {
    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if options.wants("memory-hit") { figures.append(try await memoryHit()) }
        if options.wants("memory-hit-16") { figures.append(try await memoryHits(threads: 16)) }
        if options.wants("store-1k") || options.wants("disk-hit-1k") { figures += try await disk(options) }
        if options.wants("disk-hit-16k") { figures.append(try await largerDiskHit()) }
        return figures
    }

    private static func memoryHit() async throws -> Figure {
        let client = try memoryClient()
        let request = Stage.request(1)
        var nanoseconds: [Int64] = []
        for _ in 0..<200_000 {
            let started = Samples.now()
            let response = try await client.fetch(request)
            nanoseconds.append(Samples.now() - started)
            precondition(response.source == .memory, "not a memory hit")
        }
        let samples = Samples(nanoseconds: nanoseconds)
        return Figure(
            name: "memory-hit",
            value: samples.median / 1_000,
            unit: "µs",
            p99: samples.p99 / 1_000,
            goal: .atMost(1.5)
        )
    }

    private static func memoryHits(threads: Int) async throws -> Figure {
        let client = try memoryClient()
        let loops = try (0..<threads).map { _ in try ClientLoop() }
        var ratios: [Double] = []
        var rates: [Double] = []
        for _ in 0..<5 {
            let one = try await rate(of: client, on: [loops[0]])
            let all = try await rate(of: client, on: loops)
            rates.append(all)
            ratios.append(all / one)
        }
        return Figure(
            name: "memory-hit-16",
            value: rates.median / 1e6,
            unit: "M/s",
            ratio: ratios.median,
            against: "one thread",
            goal: .atLeast(1.5)
        )
    }

    /// Hits a second, by one task on each of the threads; each hits an entry of its own.
    private static func rate(of client: CachingClient, on loops: [ClientLoop]) async throws -> Double {
        let each = 480_000 / loops.count
        let started = Samples.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, loop) in loops.enumerated() {
                group.addTask(executorPreference: loop) {
                    let request = Stage.request(number)
                    for _ in 0..<each { _ = try await client.fetch(request) }
                }
            }
            try await group.waitForAll()
        }
        return Double(each * loops.count) / (Double(Samples.now() - started) / 1e9)
    }

    private static func memoryClient() throws -> CachingClient {
        let store = try CacheStore(.init(memoryCapacity: 64 << 20, diskCapacity: 0), clock: Stage.clock)
        for number in 0..<16 { _ = store.put(Stage.entry(number, size: 1_024)) }
        return Stage.client(over: store, loop: try ClientLoop())
    }

    private static func disk(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        var first: (store: Double, hit: Double)?
        var entries = 100
        while entries <= options.mostEntries {
            let (store, hit) = try await disk(entries: entries, size: 1_024)
            let base = first ?? (store.median, hit.median)
            if first == nil { first = base }
            figures.append(figure("store-1k", entries, store, base.store, goal: 30))
            figures.append(figure("disk-hit-1k", entries, hit, base.hit, goal: 10))
            entries *= 100
        }
        return figures
    }

    private static func largerDiskHit() async throws -> Figure {
        let (_, hit) = try await disk(entries: 1_000, size: 16 << 10)
        return Figure(
            name: "disk-hit-16k",
            value: hit.median / 1_000,
            unit: "µs",
            p99: hit.p99 / 1_000,
            goal: .atMost(10)
        )
    }

    private static func figure(
        _ name: String,
        _ entries: Int,
        _ samples: Samples,
        _ base: Double,
        goal: Double
    )
        -> Figure
    {
        let flat = samples.median / base
        return Figure(
            name: "\(name)@\(entries)",
            value: samples.median / 1_000,
            unit: "µs",
            p99: samples.p99 / 1_000,
            goal: .atMost(goal),
            note: "× \(Figure.text(flat)) of 100 entries"
        )
    }

    /// Fills a disk tier and reads from it, the page cache warm; stores are amortised over batches of 100.
    private static func disk(entries: Int, size: Int) async throws -> (store: Samples, hit: Samples) {
        try await Stage.withFolder { folder in
            let store = try CacheStore(
                .init(memoryCapacity: 0, diskCapacity: 4 << 30, directory: folder),
                clock: Stage.clock
            )
            let batch = 100
            var number = 0
            let stores = Samples(count: entries / batch, batch: batch) {
                for _ in 0..<batch {
                    _ = store.put(Stage.entry(number, size: size))
                    number += 1
                }
                store.flush()
            }
            let client = Stage.client(over: store, loop: try ClientLoop())
            let hits = try await self.hits(client, entries: entries)
            store.close()
            return (stores, hits)
        }
    }

    private static func hits(_ client: CachingClient, entries: Int) async throws -> Samples {
        var nanoseconds: [Int64] = []
        var number = 0
        for round in 0..<25_000 {
            number = (number + 7_919) % entries
            let request = Stage.request(number)
            let started = Samples.now()
            let response = try await client.fetch(request)
            let elapsed = Samples.now() - started
            precondition(response.source == .disk, "not a disk hit")
            // The first fifth warms the page cache.
            if round >= 5_000 { nanoseconds.append(elapsed) }
        }
        return Samples(nanoseconds: nanoseconds)
    }
}
