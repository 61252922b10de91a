package import JSON

/// The tables of the script language, with their places in `scenarios/README.md` and `scenarios/schema.json`.
package enum ScriptReference {
    /// The tables by the name that marks their place in the README.
    package static var tables: [(name: String, markdown: String)] {
        [
            ("answer keys", ReferenceTable(AnswerKey.table.map(\.reference)).markdown(settingColumns)),
            (
                "violations",
                ReferenceTable(Violation.allCases.map(\.row)).markdown([
                    ("name", .name), ("section", .value), ("violation", .summary),
                ])
            ),
            (
                "fault events",
                ReferenceTable(FaultEvent.allCases.map(\.row)).markdown([
                    ("`at`", .name), ("moment", .summary), ("its bytes", .value), ("example", .example),
                ])
            ),
            (
                "fault actions",
                ReferenceTable(FaultAction.Kind.allCases.map(\.row.reference)).markdown([
                    ("`do`", .name), ("value", .value), ("effect", .summary), ("example", .example),
                ])
            ),
            ("fault keys", ReferenceTable(FaultKey.allCases.map(\.row)).markdown(settingColumns)),
        ]
    }

    private static let settingColumns: [(heading: String, ReferenceTable.Column)] = [
        ("key", .name), ("value", .value), ("meaning", .summary), ("default", .defaultValue),
        ("example", .example),
    ]

    /// The definitions of the JSON Schema that follow from the tables.
    package static var definitions: [(name: String, schema: JSONValue)] {
        [
            (
                "fault",
                [
                    "anyOf": [
                        ["type": "string", "description": .string(Fault.textShape + ".")],
                        SchemaValues.definition("faultMap"),
                    ]
                ]
            ),
            (
                "faultMap",
                SchemaValues.map(
                    "A fault as a map.",
                    required: [FaultKey.at.rawValue, FaultKey.do.rawValue],
                    ReferenceTable(FaultKey.allCases.map(\.row)).properties
                )
            ),
            ("faultAction", SchemaValues.map("One action with its value.", faultActionProperties)),
            (
                "answer",
                SchemaValues.map(
                    "The response to a request.",
                    ReferenceTable(AnswerKey.table.map(\.reference)).properties
                )
            ),
            (
                "violation",
                [
                    "description": "A violation of a requirement of RFC 9110.",
                    "enum": JSONValue(Violation.allCases.map(\.rawValue)),
                ]
            ),
        ]
    }

    /// Returns a fault with an action of this kind, as text.
    package static func example(of kind: FaultAction.Kind) -> String { kind.row.reference.example }

    private static var faultActionProperties: JSONValue {
        let rows = FaultAction.Kind.allCases.map(\.row.reference).filter { $0.value != nil }
        let retryAfter = SchemaValues.duration.adding([
            "description": "The value of Retry-After, with status."
        ])
        return ReferenceTable(rows).properties
            .adding(.object([(FaultActionKey.retryAfter.rawValue, retryAfter)]))
    }
}
