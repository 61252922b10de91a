package import JSON

/// The description of a control API, OpenAPI 3.1.
struct OpenAPIDocument {
    let title: String
    let summary: String
    let operations: [ControlOperation]
    /// JSON Schemas by name, to which operations refer.
    let schemas: JSONValue

    var json: JSONValue {
        [
            "openapi": "3.1.0",
            "info": ["title": .string(title), "version": "1", "description": .string(summary)],
            "security": [["token": []]],
            "paths": .object(paths),
            "components": [
                "schemas": schemas.adding(["Error": Self.error]),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    private var paths: [(String, JSONValue)] {
        var order: [String] = []
        for operation in operations where !order.contains(operation.path) { order.append(operation.path) }
        return order.map { path in
            let members = operations.filter { $0.path == path }.map { operation in
                (operation.method.lowercased(), described(operation))
            }
            return (path, .object(members))
        }
    }

    private func described(_ operation: ControlOperation) -> JSONValue {
        var members: JSONValue = [
            "operationId": .string(operation.name), "summary": .string(operation.summary),
        ]
        if operation.access == .open { members = members.adding(["security": []]) }
        let parameters =
            operation.parameterNames.map(Self.pathParameter) + operation.query.map(Self.parameter)
        if !parameters.isEmpty { members = members.adding(["parameters": .array(parameters)]) }
        if let content = operation.content {
            let body: JSONValue = ["required": true, "content": ["application/json": ["schema": content]]]
            members = members.adding(["requestBody": body])
        }
        return members.adding(["responses": responses(operation)])
    }

    private func responses(_ operation: ControlOperation) -> JSONValue {
        var good: JSONValue = ["description": "Done."]
        if let answer = operation.answer {
            var types: [(String, JSONValue)] = [("application/json", ["schema": answer])]
            if let other = operation.otherAnswerType { types.append((other, ["schema": ["type": "string"]])) }
            good = good.adding(["content": .object(types)])
        } else if let type = operation.answerType {
            good = good.adding(["content": .object([(type, .object([]))])])
        }
        return JSONValue.object([("\(operation.status)", good)]).adding(["default": Self.rejection])
    }

    private static let rejection: JSONValue = [
        "description": "The request was rejected; nothing was changed.",
        "content": ["application/json": ["schema": .schema("Error")]],
    ]

    private static func pathParameter(_ name: String) -> JSONValue {
        ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
    }

    private static func parameter(_ parameter: ControlOperation.Parameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.meaning),
            "schema": ["type": "string"],
        ]
    }

    private static var error: JSONValue {
        [
            "type": "object", "required": ["error"],
            "properties": [
                "error": ["type": "string"],
                "problems": [
                    "type": "array",
                    "items": [
                        "type": "object", "required": ["place", "found", "expected"],
                        "properties": [
                            "place": ["type": "string"], "found": ["type": "string"],
                            "expected": ["type": "string"],
                        ],
                    ],
                ],
            ],
        ]
    }
}

extension JSONValue {
    /// Returns a reference to a schema of the document.
    package static func schema(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// Returns the schema of an object with required and optional members, and no others.
    package static func members(_ always: JSONValue = [:], maybe: JSONValue = [:]) -> JSONValue {
        guard case .object(let object) = always else { return always }
        return [
            "type": "object", "properties": always.adding(maybe),
            "required": .array(object.members.map { .string($0.name) }), "additionalProperties": false,
        ]
    }

    /// The schema of a duration.
    package static let durationSchema: JSONValue = [
        "type": "string", "pattern": "^[0-9.]+(ms|s|m|h|d)$", "description": "200ms, 61s, 2m, 3h or 1d",
    ]
}
