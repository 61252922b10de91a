import Baseline
import CacheClient
import CacheStorage
import Synchronization

/// Exchanges with a plain server on loopback, compared with C loops over libcurl.
enum ClientBench {
    private static let rounds = 5
    private static let count = 4_000
    /// The number of turns of each of the two compared programs in a round, so that other load affects both.
    private static let turns = 8
    private static let width = 64
    private static let concurrentCount = 160_000
    /// The number of turns, each of which takes some hundredths of a second.
    private static let concurrentTurns = 32

    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if options.wants("miss-work") { figures.append(try await missWork()) }
        let exchanges = ["miss-overhead", "miss-disk", "exchange", "exchange-any-task", "exchange-64"]
        if exchanges.contains(where: options.wants) { figures += try await overLoopback(options) }
        return figures
    }

    private static func overLoopback(_ options: Options) async throws -> [Figure] {
        let port = Processes.freePort()
        let server = try ProcessorAssignment.servers.run { () throws(Failure) in
            try Processes.start("\(options.programs)/plain-server", ["\(port)"])
        }
        defer { Processes.end(server) }
        try Processes.awaitListener(port: port)
        let base = "http://127.0.0.1:\(port)"
        var figures: [Figure] = []
        if options.wants("miss-overhead") { figures.append(try await missOverhead(base)) }
        if options.wants("miss-disk") {
            figures.append(try await SharedSubjects.withFolder { try await missOverhead(base, folder: $0) })
        }
        if options.wants("exchange") { figures.append(try await exchange(base, onLoop: true, goal: 1.15)) }
        if options.wants("exchange-any-task") {
            figures.append(try await exchange(base, onLoop: false, goal: 1.8))
        }
        if options.wants("exchange-64") { figures.append(try await exchange64(base)) }
        return figures
    }

    /// Measures the time that a cache adds to an exchange that takes no time itself: only its processing, without the
    /// network.
    private static func missWork() async throws -> Figure {
        let store = try CacheStore(
            .init(memoryCapacity: .mebibytes(64), diskCapacity: .zero),
            clock: SharedSubjects.clock
        )
        let transport = InstantTransport()
        let cached = CachingClient(store: store, transport: transport, clock: SharedSubjects.clock)
        let uncached = CachingClient(store: nil, transport: transport, clock: SharedSubjects.clock)
        var differences: [Double] = []
        for round in 0..<rounds {
            let base = "http://example.org/\(round)"
            let plain = try await sequence(uncached, base, loop: nil) { "\(base)/\($0)" }
            let missing = try await sequence(cached, base, loop: nil) { "\(base)/\($0)" }
            differences.append((missing.median - plain.median) / 1_000)
        }
        return Figure(name: "miss-work", value: differences.median, unit: "µs")
    }

    /// Measures the time that a cache adds to an exchange whose response it must store, in memory only or also on disk.
    private static func missOverhead(_ base: String, folder: String? = nil) async throws -> Figure {
        let loop = try ProcessorAssignment.clients.run { () throws(TransportError) in try ClientLoop() }
        let configuration = CacheStore.Configuration(
            memoryCapacity: .mebibytes(64),
            diskCapacity: folder == nil ? .zero : .mebibytes(64),
            directory: folder
        )
        let store = try CacheStore(configuration, clock: SharedSubjects.clock)
        let cached = SharedSubjects.client(over: store, loop: loop)
        let uncached = SharedSubjects.client(over: nil, loop: loop)
        var differences: [Double] = []
        var medians: [Double] = []
        for round in 0..<rounds {
            var (plain, missing) = (Samples(nanoseconds: []), Samples(nanoseconds: []))
            for turn in 0..<turns {
                let path = "\(base)/\(round)/\(turn)"
                plain.nanoseconds += try await sequence(uncached, base, count: count / turns, loop: loop) {
                    "\(path)/\($0)"
                }.nanoseconds
                missing.nanoseconds += try await sequence(cached, base, count: count / turns, loop: loop) {
                    "\(path)/\($0)"
                }.nanoseconds
            }
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
        let loop = try ProcessorAssignment.clients.run { () throws(TransportError) in try ClientLoop() }
        let client = SharedSubjects.client(over: nil, loop: loop)
        var ratios: [Double] = []
        var last = Samples(nanoseconds: [])
        for _ in 0..<rounds {
            var (plain, ours) = (Samples(nanoseconds: []), Samples(nanoseconds: []))
            for _ in 0..<turns {
                plain.nanoseconds += try easyLoop(base, count / turns)
                ours.nanoseconds += try await sequence(
                    client,
                    base,
                    count: count / turns,
                    loop: onLoop ? loop : nil
                ) { _ in "\(base)/none" }.nanoseconds
            }
            last = ours
            ratios.append(ours.median / plain.median)
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
        let loop = try ProcessorAssignment.clients.run { () throws(TransportError) in
            try ClientLoop(connectionsPerHost: width)
        }
        let client = SharedSubjects.client(over: nil, loop: loop)
        let mayReuse = baseline_may_reuse_handles()
        let plain = baseline_multi_open("\(base)/none", width, mayReuse)
        let reusing = mayReuse == 0 ? baseline_multi_open("\(base)/none", width, 1) : nil
        defer { for loop in [plain, reusing] { loop.map { baseline_multi_close($0) } } }
        var rounds: [Round] = []
        for _ in 0...Self.rounds {
            var round = Round()
            for _ in 0..<concurrentTurns {
                let count = concurrentCount / concurrentTurns
                round.plain += try multiLoop(plain, count)
                if let reusing { round.reusing += try multiLoop(reusing, count) }
                let started = Samples.now()
                try await concurrent(client, "\(base)/none", total: count, loop: loop)
                round.own += Samples.now() - started
            }
            rounds.append(round)
        }
        // In the first round all of them open their connections.
        return figure(
            of: rounds.dropFirst(),
            against: reusing == nil ? nil : "a loop that reuses handles nevertheless"
        )
    }

    /// The nanoseconds that each of the compared programs took in a round.
    private struct Round {
        var plain: Int64 = 0
        var reusing: Int64 = 0
        var own: Int64 = 0
    }

    private static func figure(of rounds: ArraySlice<Round>, against unsafe: String?) -> Figure {
        let rates = rounds.map { Double(concurrentCount) / (Double($0.own) / 1e9) }
        let toReusing = rounds.map { Double($0.reusing) / Double($0.own) }.median
        return Figure(
            name: "exchange-64",
            value: rates.median,
            unit: "req/s",
            ratio: rounds.map { Double($0.plain) / Double($0.own) }.median,
            against: "C curl-multi loop",
            goal: .atLeast(0.8),
            note: unsafe.map { "× \(Figure.text(toReusing)) of \($0)" }
        )
    }

    private static func multiLoop(_ loop: OpaquePointer?, _ count: Int) throws(Failure) -> Int64 {
        let nanoseconds = ProcessorAssignment.clients.run { baseline_multi_run(loop, count) }
        if nanoseconds > 0 { return nanoseconds }
        throw Failure(status: 70, text: "the C loop failed: curl error \(-nanoseconds)")
    }

    private static func easyLoop(_ base: String, _ count: Int) throws(Failure) -> [Int64] {
        var samples = [Int64](repeating: 0, count: count)
        let code = ProcessorAssignment.clients.run { baseline_easy_loop("\(base)/none", count, &samples) }
        guard code == 0 else { throw Failure(status: 70, text: "the C loop failed: curl error \(code)") }
        return samples
    }

    private static func sequence(
        _ client: CachingClient,
        _ base: String,
        count: Int = count,
        loop: ClientLoop?,
        url: @escaping @Sendable (Int) -> String
    ) async throws -> Samples {
        try await Task(executorPreference: loop) {
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

    /// Keeps a constant number of requests in flight: a task that has a response sends the next request.
    private static func concurrent(
        _ client: CachingClient,
        _ url: String,
        total: Int,
        loop: ClientLoop
    ) async throws {
        let left = Countdown(from: total)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask(executorPreference: loop) {
                    let request = ClientRequest(url: url)
                    while left.takesOne() { _ = try await client.fetch(request) }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The remaining number of requests of several tasks, as cheap as the counter of the C loop.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(from count: Int) { left = Atomic(count) }

    func takesOne() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
}
