import Baseline
import CacheClient
import CacheStorage

/// Exchanges with a plain server on loopback, beside C loops over libcurl.
enum ClientBench {
    private static let rounds = 5
    private static let count = 4_000

    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if options.wants("miss-work") { figures.append(try await missWork()) }
        let exchanges = ["miss-overhead", "miss-disk", "exchange", "exchange-any-task", "exchange-64"]
        if exchanges.contains(where: options.wants) { figures += try await overLoopback(options) }
        return figures
    }

    private static func overLoopback(_ options: Options) async throws -> [Figure] {
        let port = Processes.freePort()
        let server = try Processes.start("\(options.programs)/plain-server", ["\(port)"])
        defer { Processes.end(server) }
        try Processes.awaitListener(port: port)
        let base = "http://127.0.0.1:\(port)"
        var figures: [Figure] = []
        if options.wants("miss-overhead") { figures.append(try await missOverhead(base)) }
        if options.wants("miss-disk") {
            figures.append(try await Stage.withFolder { try await missOverhead(base, folder: $0) })
        }
        if options.wants("exchange") { figures.append(try await exchange(base, onLoop: true, goal: 1.15)) }
        if options.wants("exchange-any-task") {
            figures.append(try await exchange(base, onLoop: false, goal: 1.8))
        }
        if options.wants("exchange-64") { figures.append(try await exchange64(base)) }
        return figures
    }

    /// What a cache adds to an exchange that takes no time itself: its work, without what the network makes of it.
    private static func missWork() async throws -> Figure {
        let store = try CacheStore(.init(memoryCapacity: 64 << 20, diskCapacity: 0), clock: Stage.clock)
        let transport = InstantTransport()
        let cached = CachingClient(store: store, transport: transport, clock: Stage.clock)
        let uncached = CachingClient(store: nil, transport: transport, clock: Stage.clock)
        var differences: [Double] = []
        for round in 0..<rounds {
            let base = "http://example.org/\(round)"
            let plain = try await sequence(uncached, base, loop: nil) { "\(base)/\($0)" }
            let missing = try await sequence(cached, base, loop: nil) { "\(base)/\($0)" }
            differences.append((missing.median - plain.median) / 1_000)
        }
        return Figure(name: "miss-work", value: differences.median, unit: "µs")
    }

    /// What a cache in between adds to an exchange whose response is new to it, in memory alone or on disk, too.
    private static func missOverhead(_ base: String, folder: String? = nil) async throws -> Figure {
        let loop = try ClientLoop()
        let configuration = CacheStore.Configuration(
            memoryCapacity: 64 << 20,
            diskCapacity: folder == nil ? 0 : 64 << 20,
            directory: folder
        )
        let store = try CacheStore(configuration, clock: Stage.clock)
        let cached = Stage.client(over: store, loop: loop)
        let uncached = Stage.client(over: nil, loop: loop)
        var differences: [Double] = []
        var medians: [Double] = []
        for round in 0..<rounds {
            let plain = try await sequence(uncached, base, loop: loop) { "\(base)/\(round)/\($0)" }
            let missing = try await sequence(cached, base, loop: loop) { "\(base)/\(round)/\($0)" }
            differences.append((missing.median - plain.median) / 1_000)
            medians.append(missing.median / 1_000)
        }
        return Figure(
            name: folder == nil ? "miss-overhead" : "miss-disk",
            value: differences.median,
            unit: "µs",
            goal: folder == nil ? .atMost(3) : nil,
            note: "an exchange that misses: \(Figure.text(medians.median)) µs"
        )
    }

    private static func exchange(_ base: String, onLoop: Bool, goal: Double) async throws -> Figure {
        let loop = try ClientLoop()
        let client = Stage.client(over: nil, loop: loop)
        var ratios: [Double] = []
        var last = Samples(nanoseconds: [])
        for _ in 0..<rounds {
            let plain = try easyLoop(base)
            last = try await sequence(client, base, loop: onLoop ? loop : nil) { _ in "\(base)/none" }
            ratios.append(last.median / plain.median)
        }
        return Figure(
            name: onLoop ? "exchange" : "exchange-any-task",
            value: last.median / 1_000,
            unit: "µs",
            p99: last.p99 / 1_000,
            ratio: ratios.median,
            against: "C curl-easy loop",
            goal: .atMost(goal)
        )
    }

    private static func exchange64(_ base: String) async throws -> Figure {
        let loop = try ClientLoop(connectionsPerHost: 64)
        let client = Stage.client(over: nil, loop: loop)
        let total = 20_000
        var ratios: [Double] = []
        var rates: [Double] = []
        for _ in 0..<rounds {
            let plain = baseline_multi_loop("\(base)/none", total, 64)
            guard plain > 0 else {
                throw Failure(status: 70, text: "the C loop failed: curl error \(-plain)")
            }
            let started = Samples.now()
            try await concurrent(client, "\(base)/none", total: total, width: 64, loop: loop)
            let ours = Samples.now() - started
            ratios.append(Double(plain) / Double(ours))
            rates.append(Double(total) / (Double(ours) / 1e9))
        }
        return Figure(
            name: "exchange-64",
            value: rates.median,
            unit: "req/s",
            ratio: ratios.median,
            against: "C curl-multi loop",
            goal: .atLeast(0.8)
        )
    }

    private static func easyLoop(_ base: String) throws(Failure) -> Samples {
        var samples = [Int64](repeating: 0, count: count)
        let code = baseline_easy_loop("\(base)/none", count, &samples)
        guard code == 0 else { throw Failure(status: 70, text: "the C loop failed: curl error \(code)") }
        return Samples(nanoseconds: samples)
    }

    private static func sequence(
        _ client: CachingClient,
        _ base: String,
        loop: ClientLoop?,
        url: @escaping @Sendable (Int) -> String
    ) async throws -> Samples {
        let count = count
        return try await Task(executorPreference: loop) {
            var nanoseconds: [Int64] = []
            nanoseconds.reserveCapacity(count)
            for number in 0..<count {
                let request = ClientRequest(url: url(number))
                let started = Samples.now()
                _ = try await client.fetch(request)
                nanoseconds.append(Samples.now() - started)
            }
            return Samples(nanoseconds: nanoseconds)
        }.value
    }

    private static func concurrent(
        _ client: CachingClient,
        _ url: String,
        total: Int,
        width: Int,
        loop: ClientLoop
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask(executorPreference: loop) {
                    let request = ClientRequest(url: url)
                    for _ in 0..<(total / width) { _ = try await client.fetch(request) }
                }
            }
            try await group.waitForAll()
        }
    }
}
