public import Clocks
public import ControlServing
public import HTTPServing
import JSON

/// The control API of a gateway: what it has done, and what it is to forget.
///
/// It is that of every server here: JSON behind a token on 127.0.0.1, described by `GET /openapi.json`. `GET /metrics`
/// tells the counts. `POST /purge` removes what is stored of `url=URL`, of all that begin with `prefix=URL`, or, with
/// `all`, everything; URLs are those of the origin, percent-encoded.
public final class GatewayControl: Sendable {
    private let server: ControlServer

    /// Creates an API that does not listen yet.
    public init(
        of gateway: Gateway,
        _ configuration: ControlServer.Configuration,
        clock: any TimeSource = SystemClock()
    ) {
        server = ControlServer(
            configuration,
            ControlServer.Description(
                title: "CacheCheck gateway",
                summary: "What a caching gateway has done since its start, and what it is to forget.",
                schemas: ["Metrics": Self.metricsSchema, "Purged": Self.purgedSchema]
            ),
            operations: [Self.metrics(of: gateway), Self.purge(gateway)],
            clock: clock
        )
    }

    /// The URL of the API without the slash at the end.
    public var url: String { server.url }

    /// The port it listens on; 0 while it does not.
    public var port: UInt16 { server.port }

    /// What a caller has to show.
    public var token: String { server.token.text }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes the API's connections; the gateway goes on.
    public func stop() { server.stop() }

    // MARK: Operations

    private static func metrics(of gateway: Gateway) -> ControlOperation {
        ControlOperation("GET", "/metrics", name: "readMetrics", "Shows what the gateway has done.") { _ in
            .json(.object(counts(of: gateway).map { ($0.0, .integer($0.1)) }))
        }.with { $0.answer = schema("Metrics") }
    }

    private static func purge(_ gateway: Gateway) -> ControlOperation {
        ControlOperation("POST", "/purge", name: "purge", "Removes stored responses.") {
            request throws(ControlProblem) in
            .json(["purged": .integer(try remove(request.query, from: gateway))])
        }.with {
            $0.answer = schema("Purged")
            $0.query = [
                .init("url", "What is stored of this URL of the origin."),
                .init("prefix", "What is stored of all URLs that begin so."),
                .init("all", "Everything; it has no value."),
            ]
        }
    }

    /// Returns of how many keys something was removed.
    private static func remove(
        _ query: [ControlRequest.QueryParameter],
        from gateway: Gateway
    ) throws(ControlProblem) -> Int {
        guard query.count == 1, let wanted = query.first, wanted.name == "all" || !wanted.value.isEmpty else {
            let found =
                query.isEmpty ? "nothing" : query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            throw .value("query", found: found, expected: "one of url=URL, prefix=URL and all")
        }
        switch wanted.name {
        case "url": return gateway.purge(url: wanted.value)
        case "prefix": return gateway.purge(prefix: wanted.value)
        default:
            let count = gateway.entryCount
            gateway.purgeAll()
            return count
        }
    }

    // MARK: Schemas

    private static func counts(of gateway: Gateway) -> [(String, Int)] {
        let now = gateway.metrics.snapshot
        return [
            ("requests", now.requests), ("hits", now.hits), ("misses", now.misses),
            ("validations", now.validations), ("stale", now.stale), ("errors", now.errors),
            ("bytes", now.bytes), ("resent", now.resent), ("entries", gateway.entryCount),
            ("memoryUsage", gateway.memoryUsage),
            ("diskUsage", gateway.diskUsage),
        ]
    }

    private static var metricsSchema: JSONValue {
        let meanings: [(String, JSONValue)] = [
            ("requests", "Answered, or their callers went away."),
            ("hits", "Answered from the store without asking the origin."),
            ("misses", "Answered by the origin."),
            ("validations", "Answered from the store after the origin had confirmed it."),
            ("stale", "Of the hits, those that were stale."),
            ("errors", "Answered with an error of the gateway's own, or broken off."),
            ("bytes", "Content sent to callers."),
            (
                "resent",
                "Answered after a reused connection was closed unanswered and the request sent again."
            ),
            ("entries", "Stored responses."),
            ("memoryUsage", "Bytes in the memory tier."),
            ("diskUsage", "Bytes in the disk tier."),
        ]
        let members = meanings.map { (name, meaning) -> (String, JSONValue) in
            (name, ["type": "integer", "minimum": 0, "description": meaning])
        }
        return ["type": "object", "properties": .object(members)]
    }

    private static var purgedSchema: JSONValue {
        let purged: JSONValue = [
            "type": "integer", "minimum": 0, "description": "Of how many URLs something was removed.",
        ]
        return ["type": "object", "required": ["purged"], "properties": ["purged": purged]]
    }

    private static func schema(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }
}
