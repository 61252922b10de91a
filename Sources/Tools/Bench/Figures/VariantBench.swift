import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

/// Hits of the 64 variants of a URL in turn, compared with hits of 64 URLs in turn with one variant each.
enum VariantBench {
    private static let rounds = 15
    private static let hitCount = 6_400
    private static let count = 64

    static func run(_ options: Options) async throws -> [Figure] {
        var figures: [Figure] = []
        if options.wants("hit-64-variants") {
            figures.append(try await figure("hit-64-variants", .memory, memory: .mebibytes(64), disk: .zero))
        }
        if options.wants("disk-hit-64-variants") {
            figures.append(
                try await figure("disk-hit-64-variants", .disk, memory: .zero, disk: .mebibytes(64))
            )
        }
        return figures
    }

    private static func figure(
        _ name: String,
        _ source: ResponseSource,
        memory: ByteCount,
        disk: ByteCount
    ) async throws -> Figure {
        try await SharedSubjects.withFolder { folder in
            let store = try CacheStore(
                .init(memoryCapacity: memory, diskCapacity: disk, directory: folder),
                clock: SharedSubjects.clock
            )
            defer { store.close() }
            fill(store)
            return try await figure(name, SharedSubjects.client(over: store, loop: try ClientLoop()), source)
        }
    }

    private static func fill(_ store: CacheStore) {
        for variant in 0..<count {
            _ = store.put(entry("many", variant))
            _ = store.put(entry("one/\(variant)", variant))
        }
        store.flush()
    }

    private static func figure(
        _ name: String,
        _ client: CachingClient,
        _ source: ResponseSource
    ) async throws -> Figure {
        var (times, ratios) = ([Double](), [Double]())
        for _ in 0..<rounds {
            let one = try await hits(client, source) { request("one/\($0 % count)", $0 % count) }
            let many = try await hits(client, source) { request("many", $0 % count) }
            times.append(many)
            ratios.append(many / one)
        }
        let measure = Measure(name, "µs", .atMost(1.2), against: "one variant")
        return Figure(measure, times.median / 1_000, ratio: ratios.median)
    }

    /// Returns the median time of one hit in nanoseconds.
    private static func hits(
        _ client: CachingClient,
        _ source: ResponseSource,
        _ request: (Int) -> ClientRequest
    ) async throws -> Double {
        let requests = (0..<count).map(request)
        return try await Samples(count: hitCount) { number in
            let response = try await client.fetch(requests[number % count])
            precondition(response.source == source, "not a hit of this tier")
        }.median
    }

    private static func request(_ path: String, _ variant: Int) -> ClientRequest {
        var request = ClientRequest(url: "http://example.org/\(path)")
        request.fields[value] = "value \(variant)"
        return request
    }

    private static func entry(_ path: String, _ variant: Int) -> CacheEntry {
        let fields: HTTPFields = [value: "value \(variant)"]
        let request = HTTPRequest(.example, path: "/\(path)", fields)
        let head = HTTPResponse(
            status: .ok,
            headerFields: [.cacheControl: "max-age=86400", .vary: value.rawName, .eTag: "\"\(variant)\""]
        )
        let now = HTTPDate(secondsSinceEpoch: Int64(SharedSubjects.clock.wallSeconds))
        let stored = StoredResponse(example: head, key: CacheEngine().key(for: request), at: now, fields)
        return CacheEntry(stored: stored, body: .bytes([UInt8](repeating: 1, count: 1_024)))
    }

    private static let value = HTTPField.Name("X-V") ?? .cookie
}
