import ArgumentParser
import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks

/// `cachecheck fetch`.
struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Fetch a URL through the cache, once or several times, and show what the cache did and why.",
        discussion: """
            With --times, each repetition uses the same cache; --after 61s advances the cache's clock by 61 s before \
            each, without waiting. With --cache-dir, the cache is kept on disk. A complete response is held in memory; \
            content of more than 1 GiB, as received or decoded, is an error.

            Exit status: 0 for a response with any status code, 64 usage or an invalid URL, 69 no response, a redirect to \
            an invalid URL, or the cache could not be opened.
            """
    )

    @Argument(help: "An absolute http or https URL.")
    var url: String

    @Option(
        name: [.long, .customShort("X")],
        help: ArgumentHelp("Request method. (default: GET, with --data POST)", valueName: "METHOD"),
        transform: requestMethod
    )
    var method: HTTPRequest.Method?

    @Option(
        name: [.long, .customShort("H")],
        help: ArgumentHelp("Field line, 'Name: value'. May be repeated.", valueName: "LINE"),
        transform: fieldLine
    )
    var header: [HTTPField] = []

    @Option(
        name: [.long, .customShort("d")],
        help: ArgumentHelp("Request content; without --method, the method is POST.", valueName: "TEXT")
    )
    var data: String?

    @Option(help: ArgumentHelp("Cache policy.", valueName: "POLICY"))
    var policy = RequestCachePolicy.useProtocolCachePolicy

    @Option(help: ArgumentHelp("Kind of cache.", valueName: "KIND"))
    var cache = CacheKind.private

    @Option(
        help: ArgumentHelp(
            "Targeted field to obey, such as CDN-Cache-Control (RFC 9213), in order of precedence.",
            valueName: "NAME"
        ),
        transform: fieldName
    )
    var target: [HTTPField.Name] = []

    @Option(
        help: ArgumentHelp(
            "Partition a private cache by credentials; SECRET (at least 16 bytes) salts the digests.",
            valueName: "SECRET"
        )
    )
    var partition: String?

    @Flag(help: "Normalize percent-encoding in the request and in the cache key (RFC 3986 §6.2.2).")
    var normalizePercentEncoding = false

    @Option(
        help: ArgumentHelp(
            "Folder of the disk tier; by default the cache is in memory only.",
            valueName: "DIR"
        )
    )
    var cacheDir: String?

    @Option(help: ArgumentHelp("Number of times to fetch the URL.", valueName: "N"))
    var times = 1

    @Option(
        help: ArgumentHelp(
            "Time that passes on the cache's clock before each repetition, without waiting: 61s, 5m, 1d.",
            valueName: "TIME"
        ),
        transform: anyDuration
    )
    var after: Duration?

    @Flag(help: "Show the response's fields and every rule that was consulted.")
    var explain = false

    @Flag(help: "Print one JSON object for each fetch.")
    var json = false

    @Flag(help: "Also print the content.")
    var body = false

    @OptionGroup(title: "Freshness")
    var freshness: FreshnessOptions

    @OptionGroup(title: "TLS")
    var trust: TrustOptions

    func validate() throws {
        _ = try engine()
        try demand((1...1_000_000).contains(times), "--times: found \(times), expected 1 to 1000000")
        try refuse([("--after", after != nil && times == 1)], without: "--times above 1")
        _ = try request()
    }

    func run() async throws {
        let clock = ShiftedClock()
        let client = try makeClient(clock)
        var failed: ClientError?
        for number in 1...times {
            if number > 1 { clock.shift(by: after ?? .zero) }
            failed = await load(client, number, clock) ?? failed
        }
        client.flush()
        guard failed != nil else { return }
        // A redirect to an invalid URL is not the caller's mistake.
        throw try request().problem == nil ? ExitStatus.unavailable : ExitCode(64)
    }

    private func load(_ client: FetchClient, _ number: Int, _ clock: ShiftedClock) async -> ClientError? {
        let started = clock.elapsed
        do throws(ClientError) {
            let response = try await client.fetch(try readyRequest())
            let report = FetchReport(number: number, response: response, took: clock.elapsed - started)
            print(json ? report.json(withBody: body) : report.text(explain: explain, withBody: body))
            return nil
        } catch {
            if json {
                print(FetchReport.json(number: number, error: error))
            } else {
                printError("cachecheck: \(error)")
            }
            return error
        }
    }

    private func engine() throws -> CacheEngine {
        var engine = CacheEngine(kind: cache)
        engine.targets = target
        engine.partition = try CredentialPartition(secret: partition, of: engine.kind)
        freshness.apply(to: &engine)
        return engine
    }

    private func makeClient(_ clock: ShiftedClock) throws -> FetchClient {
        try orStop(ExitStatus.unavailable, "cachecheck: ") {
            var configuration = CachingClient.Configuration()
            configuration.engine = try engine()
            configuration.normalizesPercentEncoding = normalizePercentEncoding
            var settings = CacheStore.Configuration()
            settings.directory = cacheDir
            settings.storingRules = configuration.engine.storingRules
            let store = try CacheStore(settings, clock: clock)
            let transport = clock.shifting(try CurlTransport(trust: trust.policy()))
            let client = CachingClient(configuration, store: store, transport: transport, clock: clock)
            return FetchClient(client: client, store: store)
        }
    }

    private func readyRequest() throws(ClientError) -> ClientRequest {
        do { return try request() } catch { throw ClientError(code: -1000, url: url, reason: "\(error)") }
    }

    private func request() throws -> ClientRequest {
        if method == .connect {
            throw ValidationError(
                "--method: found CONNECT, which opens a tunnel, expected a method for a resource, such as GET"
            )
        }
        // What is stored for the URL would be of another host (RFC 9110 §7.2), or of other content.
        if let field = header.first(where: { Self.derivedFields.contains($0.name) }) {
            throw ValidationError(
                "--header: found \(field.name), expected a field that is not derived from the URL or the content"
            )
        }
        return ClientRequest(
            url: url,
            method: method ?? (data == nil ? .get : .post),
            fields: HTTPFields(header),
            body: data.map { .bytes(Array($0.utf8)) },
            policy: policy
        )
    }

    private static let derivedFields = ["Host", "Content-Length", "Transfer-Encoding"].compactMap {
        HTTPField.Name($0)
    }
}

/// A client and its store, which is flushed at the end.
private struct FetchClient: Sendable {
    let client: CachingClient
    let store: CacheStore

    func fetch(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
        try await client.fetch(request)
    }

    func flush() { store.close() }
}

/// The system clock, whose wall time can be moved forward.
final class ShiftedClock: TimeSource {
    private let base = SystemClock()
    private let shift = Lock(0.0)

    var timeSinceEpoch: Duration { base.timeSinceEpoch + .saturating(seconds: shift.withLock { $0 }) }
    var elapsed: Duration { base.elapsed }

    func schedule(after delay: Duration, _ wake: @escaping @Sendable () -> Void) -> Sleeper {
        base.schedule(after: delay, wake)
    }

    /// The time by which it has been moved forward, in whole seconds.
    var shiftedSeconds: Int64 { Int64(shift.withLock { $0 }) }

    func shift(by duration: Duration) { shift.withLock { $0 += duration.seconds } }
}
