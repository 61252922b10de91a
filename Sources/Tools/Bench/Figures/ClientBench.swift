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
    /// The number of turns in which two clients are compared whose difference is smaller than the effect of other load:
    /// neighbouring turns, each of some milliseconds, are compared.
    private static let missTurns = 200
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
        return try await figures(options, "http://127.0.0.1:\(port)")
    }

    private static func figures(_ options: Options, _ base: String) async throws -> [Figure] {
        var figures: [Figure] = []
        if options.wants("miss-overhead") { figures.append(try await missOverhead(base)) }
        if options.wants("miss-disk") {
            figures.append(try await SharedSubjects.withFolder { try await missOverhead(base, folder: $0) })
        }
        if options.wants("exchange") { figures.append(try await exchange(base, onLoop: true)) }
        if options.wants("exchange-any-task") { figures.append(try await exchange(base, onLoop: false)) }
        if options.wants("exchange-64") { figures.append(try await exchange64(base)) }
        return figures
    }

    /// Measures the time that a cache adds to an exchange that takes no time itself: only its processing, without the
    /// network.
    private static func missWork() async throws -> Figure {
        let transport = InstantTransport()
        let cached = CachingClient(store: try store(nil), transport: transport, clock: SharedSubjects.clock)
        let uncached = CachingClient(store: nil, transport: transport, clock: SharedSubjects.clock)
        var differences: [Double] = []
        for round in 0..<rounds {
            let base = "http://example.org/\(round)"
            let plain = try await sequence(uncached, loop: nil) { "\(base)/\($0)" }
            let missing = try await sequence(cached, loop: nil) { "\(base)/\($0)" }
            differences.append((missing.median - plain.median) / 1_000)
        }
        return Figure(.missWork, differences.median)
    }

    /// Returns an empty store, in memory or in a folder.
    private static func store(_ folder: String?) throws -> CacheStore {
        let configuration = CacheStore.Configuration(
            memoryCapacity: .mebibytes(64),
            diskCapacity: folder == nil ? .zero : .mebibytes(64),
            directory: folder
        )
        return try CacheStore(configuration, clock: SharedSubjects.clock)
    }

    /// Returns the samples of two programs that take turns, so that other load affects both.
    private static func alternating(
        _ reference: (Int) async throws -> [Int64],
        _ measured: (Int) async throws -> [Int64]
    ) async throws -> (reference: Samples, measured: Samples) {
        var (plain, ours) = (Samples(nanoseconds: []), Samples(nanoseconds: []))
        for turn in 0..<turns {
            plain.nanoseconds += try await reference(turn)
            ours.nanoseconds += try await measured(turn)
        }
        return (plain, ours)
    }

    /// Measures the time that a cache adds to an exchange whose response it must store, in memory only or also on disk.
    private static func missOverhead(_ base: String, folder: String? = nil) async throws -> Figure {
        let loop = try ProcessorAssignment.clients.run { () throws(TransportError) in try ClientLoop() }
        let cached = SharedSubjects.client(over: try store(folder), loop: loop)
        let uncached = SharedSubjects.client(over: nil, loop: loop)
        var (added, whole): ([Double], [Double]) = ([], [])
        for number in 0..<missTurns {
            // Each is first as often as the other.
            let clients = number.isMultiple(of: 2) ? [uncached, cached] : [cached, uncached]
            var times: [Double] = []
            for client in clients { times.append(try await turn(client, "\(base)/\(number)", loop)) }
            if clients[0] === cached { times.reverse() }
            added.append(times[1] - times[0])
            whole.append(times[1])
        }
        let measure = folder == nil ? Measure.missOverhead : .missDisk
        return Figure(measure, added.median, note: "an exchange that misses: \(Figure.text(whole.median)) µs")
    }

    /// Returns the median time, in microseconds, of one turn of requests below a URL.
    private static func turn(_ client: CachingClient, _ base: String, _ loop: ClientLoop) async throws
        -> Double
    {
        let count = rounds * count / missTurns
        return try await sequence(client, count: count, loop: loop) { "\(base)/\($0)" }.median / 1_000
    }

    private static func exchange(_ base: String, onLoop: Bool) async throws -> Figure {
        let loop = try ProcessorAssignment.clients.run { () throws(TransportError) in try ClientLoop() }
        let client = SharedSubjects.client(over: nil, loop: loop)
        let executor = onLoop ? loop : nil
        var (last, ratios) = (Samples(nanoseconds: []), [Double]())
        for _ in 0..<rounds {
            let (plain, ours) = try await alternating(
                { _ in try easyLoop(base, count / turns) },
                { _ in
                    try await sequence(client, count: count / turns, loop: executor) { _ in "\(base)/none" }
                        .nanoseconds
                }
            )
            (last, ratios) = (ours, ratios + [ours.median / plain.median])
        }
        return Figure(onLoop ? .exchange : .exchangeAnyTask, last, ratio: ratios.median)
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
        // In the first round all of them open their connections.
        var rounds: [Round] = []
        for _ in 0...Self.rounds {
            rounds.append(
                try await round(plain, reusing) {
                    try await concurrent(client, "\(base)/none", total: $0, loop: loop)
                }
            )
        }
        let unsafe = reusing == nil ? nil : "a loop that reuses handles nevertheless"
        return figure(of: rounds.dropFirst(), against: unsafe)
    }

    /// Lets the compared programs take turns; `own` makes a number of our client's requests.
    private static func round(
        _ plain: OpaquePointer?,
        _ reusing: OpaquePointer?,
        own: (Int) async throws -> Void
    ) async throws -> Round {
        var round = Round()
        let count = concurrentCount / concurrentTurns
        for _ in 0..<concurrentTurns {
            round.plain += try multiLoop(plain, count)
            if let reusing { round.reusing += try multiLoop(reusing, count) }
            let started = Samples.now()
            try await own(count)
            round.own += Samples.now() - started
        }
        return round
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
        let ratio = rounds.map { Double($0.plain) / Double($0.own) }.median
        let note = unsafe.map { "× \(Figure.text(toReusing)) of \($0)" }
        return Figure(.exchange64, rates.median, ratio: ratio, note: note)
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
        count: Int = count,
        loop: ClientLoop?,
        url: @escaping @Sendable (Int) -> String
    ) async throws -> Samples {
        try await Task(executorPreference: loop) {
            let requests = (0..<count).map { ClientRequest(url: url($0)) }
            return try await Samples(count: count) { _ = try await client.fetch(requests[$0]) }
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
