import CacheClient
import CacheGateway
import CacheStorage
import ControlServing
import HTTPTypes

/// `gateway`: the time of a purge among many entries, from the request to the response of the control API, with all
/// entries on disk and in memory.
enum PurgeBench {
    private static let entries = 40_000
    /// The first number; all numbers have five digits.
    private static let first = 10_000
    private static let rounds = 300
    /// The number of entries with a common prefix, and with a common tag.
    private static let alike = 10
    private static let token = "purging-bench"

    static func run(_ options: Options) async throws -> [Figure] {
        let wanted = ["url", "prefix", "tag"].filter { options.wants("purge-\($0)") }
        guard !wanted.isEmpty else { return [] }
        return try await SharedSubjects.withFolder { folder in
            let store = try filledStore(folder)
            let control = try startedControl(over: store)
            defer { control.stop() }
            return try wanted.map { try figure($0, control, store) }
        }
    }

    private static func figure(_ kind: String, _ control: GatewayControl, _ store: CacheStore) throws
        -> Figure
    {
        let connection = try GetConnection(to: UInt16(control.port ?? 0))
        defer { connection.end() }
        var nanoseconds: [Int64] = []
        for round in 0..<rounds {
            // Spread over all entries.
            let group = (first + round * 7_919 % entries) / alike
            let started = Samples.now()
            let answer = try connection.ask("POST", "/purge?" + query(kind, group), token: token)
            nanoseconds.append(Samples.now() - started)
            let expected = kind == "url" ? 1 : alike
            guard answer.contains("{\"purged\":\(expected)}") else {
                throw Failure(status: 70, text: "purge-\(kind) answered \(answer)")
            }
            for number in 0..<alike { store.put(entry(group * alike + number)) }
            store.flush()
        }
        let samples = Samples(nanoseconds: nanoseconds)
        return Figure(Measure("purge-\(kind)@\(entries)", "ms", .atMost(2)), samples)
    }

    private static func query(_ kind: String, _ group: Int) -> String {
        switch kind {
        case "url": "url=http://example.org/entry/\(group * alike)"
        case "prefix": "prefix=http://example.org/entry/\(group)"
        default: "tag=tag\(group)"
        }
    }

    private static func entry(_ number: Int) -> CacheEntry {
        SharedSubjects.entry(number, size: 1_024, more: [.tag: "all tag\(number / alike)"])
    }

    private static func filledStore(_ folder: String) throws -> CacheStore {
        var configuration = CacheStore.Configuration(
            memoryCapacity: .mebibytes(256),
            diskCapacity: .gibibytes(1),
            directory: folder
        )
        configuration.tagFields = [.tag]
        let store = try CacheStore(configuration, clock: SharedSubjects.clock)
        for number in first..<first + entries { store.put(entry(number)) }
        store.flush()
        return store
    }

    private static func startedControl(over store: CacheStore) throws -> GatewayControl {
        let configuration = Gateway.Configuration(mode: .reverse(origin: "http://example.org"))
        let transport = try CurlTransport()
        let gateway = Gateway(configuration, store: store, transport: transport, clock: SharedSubjects.clock)
        var serving = ControlServer.Configuration()
        if let token = AccessToken(token) { serving.token = token }
        let control = GatewayControl(of: gateway, serving)
        try control.start()
        return control
    }
}
