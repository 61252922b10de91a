import JSON
import OriginScript

extension StepKey {
    /// The kinds of steps, which are all keys but `expect`.
    static let kinds = allCases.filter { $0 != .expect }

    /// Whether the step's key can be combined with `expect`.
    var takesExpectation: Bool { [.request, .lookup, .gateway].contains(self) }

    /// The key's row of the table.
    var row: ReferenceRow {
        switch self {
        case .request:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map, or nothing for `GET /`",
                    SchemaValues.either(["type": "null"], SchemaValues.definition("request"))
                ),
                "One request by the caller",
                example: "request: {path: /a}"
            )
        case .parallel:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a list of `request` steps",
                    ["type": "array", "items": SchemaValues.definition("step"), "minItems": 1]
                ),
                "Concurrent requests",
                example: "parallel: [{request: {path: /a}}, {request: {path: /a}}]"
            )
        case .repeat:
            ReferenceRow(
                rawValue,
                takes: ValueForm("`{times: N, steps: […]}`", SchemaValues.definition("repeat")),
                "Repeats steps",
                example: "repeat: {times: 3, steps: [request: {path: /a}]}"
            )
        case .advance:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a duration, `{by: duration}` or `{wall: offset}`",
                    SchemaValues.either(SchemaValues.duration, SchemaValues.definition("advance"))
                ),
                "Moves the clock",
                example: "advance: 61s"
            )
        case .release:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a route's label, or all", SchemaValues.scalar),
                "Releases held responses",
                example: "release: all"
            )
        case .client:
            ReferenceRow(
                rawValue,
                takes: ValueForm("restart", SchemaValues.words(["restart"])),
                "Drops the client's objects in memory and creates new ones on the same folder",
                example: "client: restart"
            )
        case .cache:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "clear, damage, or a map of one action",
                    SchemaValues.either(
                        SchemaValues.words(["clear", "damage"]),
                        SchemaValues.definition("cacheAction")
                    )
                ),
                "An action on the cache",
                example: "cache: {remove: /a}"
            )
        case .network:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    ClientNetwork.allCases.map(\.rawValue).joined(separator: ", ") + ", or a network, §4.2",
                    SchemaValues.definition("network")
                ),
                "Lets the client's transport refuse or work, or changes the network to the origin",
                example: "network: offline"
            )
        case .origin:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "`{stop: true}`, `{start: true}` or `{use: N, label: L}`",
                    SchemaValues.definition("originAction")
                ),
                "Refuses connections, accepts them again, or gives the N-th answer of a route from now on",
                example: "origin: {stop: true}"
            )
        case .lookup:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map, with `expect`", SchemaValues.definition("lookup")),
                "Looks into the cache without a request, as `cachedResponse(for:)` does",
                example: "{lookup: {path: /a}, expect: {found: false}}"
            )
        case .store:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map", SchemaValues.definition("store")),
                "Stores an entry directly",
                example: "store: {path: /a, body: by hand}"
            )
        case .usage:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of expectations", SchemaValues.definition("usage")),
                "Expectations for the store",
                example: "usage: {entries: 1}"
            )
        case .gateway:
            ReferenceRow(
                rawValue,
                takes: ValueForm("text", SchemaValues.text),
                "Sends bytes to a caching gateway in front of the origin",
                example: #"gateway: "GET ${base}/a HTTP/1.1\r\n\r\n""#
            )
        case .originSaw:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of expectations, §6", SchemaValues.definition("originSaw")),
                "Expectations for the origin's record",
                example: "origin-saw: {requests: 0}"
            )
        case .idle:
            ReferenceRow(
                rawValue,
                takes: ValueForm("true or nothing", SchemaValues.either(["const": true], ["type": "null"])),
                "Waits until background work, such as a revalidation, is done",
                example: "idle: true"
            )
        case .expect:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of expectations, §6", SchemaValues.definition("expect")),
                "The expected response, with `request`, `lookup` or `gateway`",
                example: "{request: {path: /a}, expect: {status: 200}}"
            )
        }
    }
}
