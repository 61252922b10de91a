import ArgumentParser
import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import LocatedYAML
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
        help: ArgumentHelp("Request method. (default: GET, with --data POST)", valueName: "M")
    )
    var method: String?

    @Option(
        name: [.long, .customShort("H")],
        help: ArgumentHelp("Field line, 'Name: value'.", valueName: "N: V")
    )
    var header: [String] = []

    @Option(
        name: [.long, .customShort("d")],
        help: ArgumentHelp("Request content; without --method, the method is POST.", valueName: "D")
    )
    var data: String?

    @Option(help: ArgumentHelp("Cache policy: \(RequestCachePolicy.names).", valueName: "P"))
    var policy = RequestCachePolicy.useProtocolCachePolicy.rawValue

    @Option(help: ArgumentHelp("Kind of cache: private or shared.", valueName: "KIND"))
    var cache = CacheKind.private.rawValue

    @Option(
        help: ArgumentHelp(
            "Targeted field to obey, such as CDN-Cache-Control (RFC 9213), in order of precedence.",
            valueName: "NAME"
        )
    )
    var target: [String] = []

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
            valueName: "T"
        )
    )
    var after: String?

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
        _ = try RequestCachePolicy(option: policy)
        try demand(
            CacheKind(rawValue: cache) != nil,
            "--cache: found \"\(cache)\", expected private or shared"
        )
        _ = try engine()
        try demand((1...1_000_000).contains(times), "--times: found \(times), expected 1 to 1000000")
        if let after, Quantity.duration(after) == nil {
            throw ValidationError(
                "--after: found \"\(after)\", expected a duration such as 61s, 500ms, 5m, 2h or 1d"
            )
        }
        try refuse([("--after", after != nil && times == 1)], without: "--times above 1")
        _ = try request()
    }

    func run() async throws {
        let clock = ShiftedClock()
        let client = try makeClient(clock)
        let step = after.flatMap { Quantity.duration($0) } ?? .zero
        var failed: ClientError?
        for number in 1...times {
            if number > 1 { clock.shift(by: step) }
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
        var engine = CacheEngine(kind: CacheKind(rawValue: cache) ?? .private)
        engine.targets = try target.map(Self.fieldName)
        engine.partition = try CredentialPartition(secret: partition, of: engine.kind)
        freshness.apply(to: &engine)
        return engine
    }

    private static func fieldName(_ text: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            throw ValidationError(
                "--target: found \"\(text)\", expected a field name such as CDN-Cache-Control"
            )
        }
        return name
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
        let name = method ?? (data == nil ? "GET" : "POST")
        if name == "CONNECT" {
            throw ValidationError(
                "--method: found CONNECT, which opens a tunnel, expected a method for a resource, such as GET"
            )
        }
        guard let method = HTTPRequest.Method(name) else {
            throw ValidationError("--method: found \"\(name)\", expected a token such as GET")
        }
        var fields = HTTPFields()
        for line in header { fields.append(try Self.field(line)) }
        return ClientRequest(
            url: url,
            method: method,
            fields: fields,
            body: data.map { .bytes(Array($0.utf8)) },
            policy: RequestCachePolicy(rawValue: policy)
        )
    }

    private static let ofConnection = ["Host", "Content-Length", "Transfer-Encoding"].compactMap {
        HTTPField.Name($0)
    }

    private static func field(_ line: String) throws -> HTTPField {
        guard let field = fieldLine(line) else {
            throw ValidationError("--header: found \"\(line)\", expected 'Name: value'")
        }
        // What is stored for the URL would be of another host (RFC 9110 §7.2), or of other content.
        guard !ofConnection.contains(field.name) else {
            throw ValidationError(
                "--header: found \(field.name), expected a field that is not derived from the URL or the content"
            )
        }
        return field
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
