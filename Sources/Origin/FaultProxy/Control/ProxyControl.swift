public import Clocks
public import ControlServing
public import HTTPServing
import JSON
import LocatedYAML
import MockOrigin
import OriginScript

/// The control API of a proxy: rules, faults, network, held responses, and what was injected into which exchange.
///
/// It has the form of every control API here: JSON behind a token on 127.0.0.1, described by `GET /openapi.json`.
public final class ProxyControl: Sendable {
    private let server: ControlServer

    /// Creates an API that does not listen yet, of a proxy that keeps a journal.
    public init(
        of proxy: FaultProxy,
        _ configuration: ControlServer.Configuration,
        clock: any TimeSource = SystemClock()
    ) {
        server = Self.server(
            configuration,
            ControlPage.operations + ProxyOperations(context: proxy.context).all,
            clock
        )
    }

    /// Creates an API that does not listen yet, of the proxies of a file, which have started and keep journals.
    ///
    /// The operations of a proxy are below `/proxies/NAME`; `GET /proxies` lists all. Returns `nil` if none listens.
    public init?(
        of group: ProxyGroup,
        _ configuration: ControlServer.Configuration,
        clock: any TimeSource = SystemClock()
    ) {
        guard let first = group.running.first, let example = group.proxy(first.name) else { return nil }
        let operations = ControlPage.operations + GroupOperations(group: group, example: example.context).all
        server = Self.server(configuration, operations, clock)
    }

    private static func server(
        _ configuration: ControlServer.Configuration,
        _ operations: [ControlOperation],
        _ clock: any TimeSource
    ) -> ControlServer {
        ControlServer(
            configuration,
            ControlServer.Description(
                title: "CacheCheck proxy",
                summary: "Controls the faults, rules and network of a fault-injecting proxy.",
                schemas: ProxySchemas.own.adding(InjectorOperations.schemas)
            ),
            operations: operations,
            clock: clock
        )
    }

    /// The URL of the API without the slash at the end.
    public var url: String { server.url }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// The access token that callers must present.
    public var token: String { server.token.text }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes the API's connections; the proxy continues.
    public func stop() { server.stop() }
}

/// The schemas of the API's document, except those of operations that other APIs have, too.
enum ProxySchemas {
    static let own: JSONValue = [
        "Proxies": object([
            "proxies": list(
                object(["name": text, "listen": text, "upstream": ["type": ["string", "null"]]])
            )
        ]),
        "Journal": object(["entries": list(.schema("Entry")), "dropped": integer]),
        "Entry": object([
            "number": integer, "name": text, "method": text, "target": text,
            "id": integer, "fields": list(list(text)), "answerFields": list(list(text)),
            "time": ["type": "number"], "rule": text, "status": integer, "upstreamStatus": integer,
            "injected": list(text), "ended": text, "cause": text, "milliseconds": ["type": "number"],
        ]),
        "ShownRules": object([
            "rules": list(
                object([
                    "label": text, "path": text, "methods": list(text), "priority": integer,
                    "requests": integer,
                    "rule": ["type": ["object", "null"]],
                ])
            ), "states": ["type": "object"],
        ]),
        "Rules": object(["rules": list(["type": "object"]), "faults": list(["type": ["string", "object"]])]),
        "Rule": ["type": "object", "description": "A rule as in a file of rules."],
        "RuleOrRules": ["oneOf": [.schema("Rule"), list(.schema("Rule"))]],
        "Labels": object(["labels": list(text)]),
    ]

    private static let text: JSONValue = ["type": "string"]
    private static let integer: JSONValue = ["type": "integer"]

    private static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    private static func object(_ properties: JSONValue) -> JSONValue {
        ["type": "object", "properties": properties]
    }
}
