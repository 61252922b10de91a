import CacheClient
import CacheStorage

/// Hits from both tiers, and stores, through the public interface.
enum StoreBench {
    static func run(_ options: Options) async throws -> [Figure] {
        // First, before the process has freed any memory.
        var figures = try await MemoryBench.run(options)
        if options.wants("memory-hit") { figures.append(try await memoryHit()) }
        if options.wants("memory-hit-16") { figures.append(try await memoryHits(threads: 16)) }
        figures += try await VariantBench.run(options)
        return try await figures + DiskBench.run(options)
    }

    private static func memoryHit() async throws -> Figure {
        let client = try memoryClient()
        let request = SharedSubjects.request(1)
        let samples = try await Samples(count: 200_000) { _ in
            let response = try await client.fetch(request)
            precondition(response.source == .memory, "not a memory hit")
        }
        return Figure(.memoryHit, samples)
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
        return Figure(.memoryHit16, rates.median / 1e6, ratio: ratios.median)
    }

    /// Returns the hits per second of one task on each of the threads; each task hits its own entry.
    private static func rate(of client: CachingClient, on loops: [ClientLoop]) async throws -> Double {
        let each = 480_000 / loops.count
        let started = Samples.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, loop) in loops.enumerated() {
                group.addTask(executorPreference: loop) {
                    let request = SharedSubjects.request(number)
                    for _ in 0..<each { _ = try await client.fetch(request) }
                }
            }
            try await group.waitForAll()
        }
        return Double(each * loops.count) / (Double(Samples.now() - started) / 1e9)
    }

    private static func memoryClient() throws -> CachingClient {
        let store = try CacheStore(
            .init(memoryCapacity: .mebibytes(64), diskCapacity: .zero),
            clock: SharedSubjects.clock
        )
        for number in 0..<16 { _ = store.put(SharedSubjects.entry(number, size: 1_024)) }
        return SharedSubjects.client(over: store, loop: try ClientLoop())
    }
}
