import ControlServing
import JSON
import LocatedYAML

/// JSON Schemas of the control API's requests and responses.
enum ControlSchemas {
    /// All schemas, by name.
    static var all: JSONValue {
        requests.adding(answers).adding(InjectorOperations.schemas).adding(ClockOperations.schemas)
    }

    private static var requests: JSONValue {
        [
            "Route": route,
            "RouteOrRoutes": [
                "oneOf": [.schema("Route"), ["type": "array", "items": .schema("Route")]]
            ],
            "States": ["type": "object", "additionalProperties": ["type": "string"]],
            "Pages": [
                "type": "object", "description": "Settings by path; GET /pages lists both.",
                "additionalProperties": PageSetting.schema,
            ],
            "Namespace": .members(maybe: [
                "name": ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"],
                "routes": .schema("RouteOrRoutes"), "states": .schema("States"),
                "faults": InjectorOperations.faultsSchema, "network": InjectorOperations.networkSchema,
                "seed": number, "expires-after": .durationSchema,
            ]),
            "Search": search(["times": number]),
            "Wait": search(["count": number, "timeout": .durationSchema]),
        ]
    }

    static let text: JSONValue = ["type": "string"]
    static let number: JSONValue = ["type": "integer", "minimum": 0]
    static let object: JSONValue = ["type": "object"]

    /// The schema of a route in short form; fixtures/site.schema.json has the complete one.
    private static var route: JSONValue {
        [
            "type": "object", "description": "A route as in site files.",
            "properties": [
                "label": text, "path": ["type": ["string", "object"]],
                "method": ["type": ["string", "array"]],
                "query": ["type": ["string", "object"]], "fields": object, "body": [:],
                "priority": ["type": "integer"], "after": .durationSchema, "until": .durationSchema,
                "when": object,
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
        return .members(maybe: own.adding(more))
    }
}
