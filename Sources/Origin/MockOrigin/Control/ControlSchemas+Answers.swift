import ControlServing
import JSON

extension ControlSchemas {
    /// JSON Schemas of the control API's responses, by name.
    static var answers: JSONValue {
        [
            "Labels": shown(["labels": list(text)]),
            "ShownRoute": shownRoute,
            "ShownRoutes": shown(["routes": list(.schema("ShownRoute"))]),
            "ShownPages": shown(["pages": maps(of: maps(of: text)), "settings": maps(of: text)]),
            "ShownFaults": shown(["seed": number, "faults": list(text), "decisions": list(text)]),
            "ShownNetwork": shown(["network": ["type": ["string", "null"]], "profiles": list(text)]),
            "Released": shown(["released": number]),
            "Time": shown(["now": text, "seconds": ["type": "number"], "running": ["type": "boolean"]]),
            "Exchange": exchange,
            "Exchanges": shown(
                ["count": number, "exchanges": list(.schema("Exchange"))],
                maybe: ["met": ["type": "boolean"]]
            ),
            "ShownNamespace": shown(
                ["name": text, "url": text, "base": text, "expires": text],
                maybe: ["token": text]
            ),
            "ShownNamespaces": shown(["namespaces": list(.schema("ShownNamespace"))]),
        ]
    }

    private static var shownRoute: JSONValue {
        shown([
            "label": text, "path": text, "methods": list(text), "priority": ["type": "integer"],
            "requests": number,
            "route": [
                "type": ["object", "null"],
                "description": "The route as it was written; null for a route created in code.",
            ],
        ])
    }

    private static var exchange: JSONValue {
        shown(
            [
                "number": number, "at": text, "method": text, "target": text, "fields": fieldLines,
                "connection": number, "reused": ["type": "boolean"], "contentBytes": number,
                "status": ["type": ["integer", "null"]], "aborted": ["type": "boolean"],
            ],
            maybe: [
                "contentCut": ["type": "boolean"], "problem": text, "json": [:], "form": object,
                "parts": list(object), "route": text, "nearMisses": list(text), "answerFields": fieldLines,
                "conditions": list(shown(["field": text, "value": text, "outcome": text])),
                "bytesSent": number, "faults": list(text),
                "ending": ["type": "string", "enum": ["close", "cut", "reset"]],
                "interim": list(shown(["status": number, "fields": fieldLines])),
            ]
        )
    }

    /// The name and value of each line.
    private static let fieldLines: JSONValue = list([
        "type": "array", "items": text, "minItems": 2, "maxItems": 2,
    ])

    private static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

    private static func maps(of value: JSONValue) -> JSONValue {
        ["type": "object", "additionalProperties": value]
    }

    /// Returns the schema of an object with required and optional members.
    private static func shown(_ always: JSONValue, maybe: JSONValue = [:]) -> JSONValue {
        guard case .object(let object) = always else { return always }
        return map(always.adding(maybe), required: .array(object.members.map { .string($0.name) }))
    }
}
