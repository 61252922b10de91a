import ControlServing
import JSON
import LocatedYAML

/// JSON Schemas of the control API's requests and responses.
enum ControlSchemas {
    /// All schemas, by name.
    static var all: JSONValue { requests.adding(answers) }

    private static var requests: JSONValue {
        [
            "Route": route,
            "RouteOrRoutes": [
                "oneOf": [.schema("Route"), ["type": "array", "items": .schema("Route")]]
            ],
            "States": ["type": "object", "additionalProperties": ["type": "string"]],
            "FaultPlan": map(["faults": faults, "seed": ["type": "integer", "minimum": 0]]),
            "Network": map(["network": network], required: ["network"]),
            "Pages": [
                "type": "object", "description": "Settings by path; GET /pages lists both.",
                "additionalProperties": PageSetting.schema,
            ],
            "Release": map(["label": text]),
            "Advance": map(["by": duration], required: ["by"]),
            "Clock": map(["running": ["type": "boolean"]], required: ["running"]),
            "Namespace": map([
                "name": ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"],
                "routes": .schema("RouteOrRoutes"), "states": .schema("States"), "faults": faults,
                "network": network,
                "seed": ["type": "integer", "minimum": 0], "expires-after": duration,
            ]),
            "Search": search(["times": number]),
            "Wait": search(["count": number, "timeout": duration]),
        ]
    }

    static let text: JSONValue = ["type": "string"]
    static let number: JSONValue = ["type": "integer", "minimum": 0]
    static let object: JSONValue = ["type": "object"]
    private static let duration: JSONValue = [
        "type": "string", "pattern": "^[0-9.]+(ms|s|m|h|d)$", "description": "200ms, 61s, 2m, 3h or 1d",
    ]
    private static let faults: JSONValue = [
        "description": "Faults as text, such as reset@body:100, or as maps, as in site files.",
        "type": ["string", "object", "array"],
    ]

    private static let network: JSONValue = [
        "description":
            "A profile, a sequence such as \"lte for 5s, then edge\", or a profile of your own as a map.",
        "type": ["string", "object"],
    ]

    /// The schema of a route in short form; fixtures/site.schema.json has the complete one.
    private static var route: JSONValue {
        [
            "type": "object", "description": "A route as in site files.",
            "properties": [
                "label": text, "path": ["type": ["string", "object"]],
                "method": ["type": ["string", "array"]],
                "query": ["type": ["string", "object"]], "fields": object, "body": [:],
                "priority": ["type": "integer"], "after": duration, "until": duration, "when": object,
                "then": object, "auth": object, "answer": object,
                "answers": ["type": "array", "items": object], "loop": ["type": "boolean"],
            ],
            "additionalProperties": false,
        ]
    }

    private static func search(_ more: JSONValue) -> JSONValue {
        let own: JSONValue = [
            "path": ["type": ["string", "object"]], "method": ["type": ["string", "array"]],
            "query": ["type": ["string", "object"]],
            "fields": object, "body": [:], "route": text, "status": ["type": "integer"], "after": number,
            "limit": number,
        ]
        return map(own.adding(more))
    }

    static func map(_ properties: JSONValue, required: JSONValue = []) -> JSONValue {
        ["type": "object", "properties": properties, "required": required, "additionalProperties": false]
    }
}
