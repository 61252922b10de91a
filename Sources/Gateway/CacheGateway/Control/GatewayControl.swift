import CacheStorage
public import Clocks
public import ControlServing
public import HTTPServing
import JSON

/// The control API of a gateway and its page: metrics, stored responses, purging, and the clock.
///
/// It has the form of every control API here: JSON behind a token on 127.0.0.1, described by `GET /openapi.json`.
/// `GET /metrics` returns the counts, in JSON or for Prometheus. `POST /purge` removes the entries of `url=URL`, of all
/// URLs with the prefix `prefix=URL`, with the tag `tag=NAME`, or, with `all`, all entries; URLs are those of the
/// origin, percent-encoded. `GET /stored` lists the stored responses with their freshness. The clock can be controlled
/// if it is a `MovableClock`.
public final class GatewayControl: Sendable {
    private let server: ControlServer

    /// Creates an API that does not listen yet.
    public init(
        of gateway: Gateway,
        _ configuration: ControlServer.Configuration,
        clock: any TimeSource = SystemClock()
    ) {
        let own = [Self.metrics(of: gateway), Self.purge(gateway), Self.stored(in: gateway)]
        server = ControlServer(
            configuration,
            Self.description,
            operations: Self.pages + own + Self.clock(of: gateway),
            clock: clock
        )
    }

    private static let description = ControlServer.Description(
        title: "CacheCheck gateway",
        summary:
            "Metrics of a caching gateway since its start, its stored responses, purging, and its clock.",
        schemas: ClockOperations.schemas.adding([
            "Metrics": GatewayCounts.schema, "Purged": purgedSchema,
        ])
    )

    /// The URL of the API without a slash at the end.
    public var url: String { server.url }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// The access token that callers must present.
    public var token: String { server.token.text }

    /// Starts to serve; can be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes the API's connections; the gateway continues.
    public func stop() { server.stop() }

    // MARK: Operations

    private static func metrics(of gateway: Gateway) -> ControlOperation {
        ControlOperation(.get("/metrics"), name: "readMetrics", "Shows the gateway's metrics.") {
            request throws(ControlProblem) in
            let counts = GatewayCounts(of: gateway)
            return try wantsExposition(request) ? counts.exposition : .json(counts.json)
        }.with {
            $0.answer = .schema("Metrics")
            $0.otherAnswerType = GatewayCounts.expositionType
            $0.query = [format]
        }
    }

    private static let format = ControlOperation.Parameter(
        "format",
        "json or prometheus; by default the format that Accept prefers, or else JSON."
    )

    /// Whether the response must be in Prometheus' text format.
    private static func wantsExposition(_ request: ControlRequest) throws(ControlProblem) -> Bool {
        guard let format = request.query.first(where: { $0.name == "format" })?.value else {
            return request.accepts("text/plain") && !request.accepts("application/json")
        }
        guard ["json", "prometheus"].contains(format) else {
            throw .value("query", found: "format=\(format)", expected: "json or prometheus")
        }
        return format == "prometheus"
    }

    private static func purge(_ gateway: Gateway) -> ControlOperation {
        ControlOperation(.post("/purge"), name: "purge", "Removes stored responses.") {
            request throws(ControlProblem) in
            .json(["purged": .integer(try Purge(request.query).remove(from: gateway))])
        }.with {
            $0.answer = .schema("Purged")
            $0.query = Purge.parameters
        }
    }

    // MARK: Schemas

    private static var purgedSchema: JSONValue {
        let purged: JSONValue = [
            "type": "integer", "minimum": 0,
            "description": "The number of URLs whose stored responses were removed.",
        ]
        return ["type": "object", "required": ["purged"], "properties": ["purged": purged]]
    }
}
