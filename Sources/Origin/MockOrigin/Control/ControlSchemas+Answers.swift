import ControlServing
import JSON

extension ControlSchemas {
    /// JSON Schemas of the control API's responses, by name.
    static var answers: JSONValue {
        [
            "Labels": .members(["labels": list(text)]),
            "ShownRoute": shownRoute,
            "ShownRoutes": .members(["routes": list(.schema("ShownRoute"))]),
            "ShownPages": .members(["pages": maps(of: maps(of: text)), "settings": maps(of: text)]),
            "Exchange": exchange,
            "Exchanges": .members(
                ["count": number, "exchanges": list(.schema("Exchange"))],
                maybe: ["met": ["type": "boolean"]]
            ),
            "ShownNamespace": .members(
                ["name": text, "url": text, "base": text, "expires": text],
                maybe: ["token": text]
            ),
            "ShownNamespaces": .members(["namespaces": list(.schema("ShownNamespace"))]),
        ]
    }

    private static var shownRoute: JSONValue {
        .members([
            "label": text, "path": text, "methods": list(text), "priority": ["type": "integer"],
            "requests": number,
            "route": [
                "type": ["object", "null"],
                "description": "The route as it was written; null for a route created in code.",
            ],
        ])
    }

    private static var exchange: JSONValue {
        .members(
            [
                "number": number, "at": text, "method": text, "target": text, "fields": fieldLines,
                "connection": number, "reused": ["type": "boolean"], "contentBytes": number,
                "status": ["type": ["integer", "null"]], "aborted": ["type": "boolean"],
            ],
            maybe: [
                "contentCut": ["type": "boolean"], "problem": text, "json": [:], "form": object,
                "parts": list(object), "route": text, "nearMisses": list(text), "answerFields": fieldLines,
                "conditions": list(.members(["field": text, "value": text, "outcome": text])),
                "bytesSent": number, "faults": list(text),
                "ending": ["type": "string", "enum": ["close", "cut", "reset"]],
                "interim": list(.members(["status": number, "fields": fieldLines])),
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
}
