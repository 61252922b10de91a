import CacheSemantics
import ControlServing
import JSON

/// The metrics that a gateway reports, in JSON and in Prometheus' text format.
struct GatewayCounts {
    /// One metric.
    private struct Count {
        /// The name in JSON.
        let name: String
        /// The name for Prometheus, with its unit; counters end in `_total`.
        let metric: String
        let meaning: String
        let read: @Sendable (GatewayMetrics.Snapshot, Gateway) -> Int

        var type: String { metric.hasSuffix("_total") ? "counter" : "gauge" }

        init(
            _ name: String,
            _ metric: String,
            _ meaning: String,
            _ read: @escaping @Sendable (GatewayMetrics.Snapshot, Gateway) -> Int
        ) {
            self.name = name
            self.metric = "cachecheck_gateway_" + metric
            self.meaning = meaning
            self.read = read
        }
    }
    private static let all = [
        Count("requests", "requests_total", "Requests that were answered or whose clients disconnected.") {
            now,
            _ in now.requests
        },
        Count("hits", "hits_total", "Requests answered from the store without contacting the origin.") {
            now,
            _ in now.hits
        },
        Count("misses", "misses_total", "Requests answered by the origin.") { now, _ in now.misses },
        Count(
            "validations",
            "validations_total",
            "Requests answered from the store after successful validation."
        ) { now, _ in now.validations },
        Count("stale", "stale_hits_total", "Hits that were stale.") { now, _ in now.stale },
        Count(
            "errors",
            "errors_total",
            "Requests that the gateway answered with an error, or whose responses were incomplete."
        ) { now, _ in now.errors },
        Count("bytes", "sent_content_bytes_total", "Bytes of content sent to clients.") { now, _ in
            now.contentSize.bytes
        },
        Count(
            "resent",
            "resent_requests_total",
            "Requests sent again because a reused connection was closed without a response."
        ) { now, _ in now.resent },
        Count("entries", "stored_responses", "Stored responses.") { _, gateway in gateway.entryCount },
        Count("memoryUsage", "memory_tier_bytes", "Bytes in the memory tier.") { _, gateway in
            gateway.memoryUsage.bytes
        },
        Count("diskUsage", "disk_tier_bytes", "Bytes in the disk tier.") { _, gateway in
            gateway.diskUsage.bytes
        },
        Count("connections", "open_connections", "Open connections of clients.") { _, gateway in
            gateway.openConnections
        },
    ]
    /// Media type of the text format.
    static let expositionType = "text/plain; version=0.0.4; charset=utf-8"
    private let values: [(count: Count, value: Int)]

    init(of gateway: Gateway) {
        let now = gateway.metrics.snapshot
        values = Self.all.map { ($0, $0.read(now, gateway)) }
    }

    var json: JSONValue { .object(values.map { ($0.count.name, .integer($0.value)) }) }

    /// The response in Prometheus' text format, version 0.0.4.
    var exposition: ControlAnswer {
        let lines = values.map { count, value in
            """
            # HELP \(count.metric) \(count.meaning)
            # TYPE \(count.metric) \(count.type)
            \(count.metric) \(value)

            """
        }
        return ControlAnswer(.bytes(Array(lines.joined().utf8), type: Self.expositionType))
    }

    /// JSON Schema of `json`.
    static var schema: JSONValue {
        let members = all.map { count -> (String, JSONValue) in
            (count.name, ["type": "integer", "minimum": 0, "description": .string(count.meaning)])
        }
        return ["type": "object", "properties": .object(members)]
    }
}
