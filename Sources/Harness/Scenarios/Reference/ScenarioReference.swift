package import JSON
import OriginScript

/// The tables of scenarios, steps and expectations, with their places in `scenarios/README.md` and `scenarios/schema.json`.
package enum ScenarioReference {
    /// The tables by the name that marks their place in the README.
    package static var tables: [(name: String, markdown: String)] {
        [
            ("scenario keys", markdown(ScenarioKey.allCases.map(\.row), withDefaults: true)),
            ("client keys", markdown(rows(ClientKey.table), withDefaults: true)),
            ("steps", markdown(StepKey.kinds.map(\.row))),
            ("request keys", markdown(rows(RequestKey.table), withDefaults: true)),
            ("store keys", markdown(rows(StoreKey.table), withDefaults: true)),
            ("usage keys", markdown(rows(UsageKey.table))),
            ("expectation keys", markdown(rows(ExpectKey.table))),
            ("origin-saw keys", markdown(rows(OriginSawKey.table), withDefaults: true)),
        ]
    }

    /// Returns the definitions of the JSON Schema that follow from the tables.
    ///
    /// An extension's key is in scenarios and in steps; its two schemas are definitions of the file.
    package static func definitions(
        of extensionKey: String,
        settings: String,
        step: String
    ) -> [(name: String, schema: JSONValue)] {
        let settings: JSONValue = .object([(extensionKey, SchemaValues.definition(settings))])
        return [
            (
                "scenario",
                SchemaValues.map(
                    "An origin's script, steps and expectations.",
                    // The others can be among the defaults.
                    required: [ScenarioKey.id, .title, .steps].map(\.rawValue),
                    properties(ScenarioKey.allCases.map(\.row)).adding(settings)
                )
            ),
            ("defaults", map("Keys of scenarios that do not have their own.", defaultRows, settings)),
            ("client", map("Settings of the built-in client.", rows(ClientKey.table))),
            ("stepMap", stepMap(extensionKey, SchemaValues.definition(step))),
        ] + stepDefinitions
    }

    /// The definitions of steps and their expectations.
    private static var stepDefinitions: [(name: String, schema: JSONValue)] {
        [
            ("request", map("One request by the caller.", rows(RequestKey.table))),
            ("lookup", map("A lookup without a request.", lookupRows)),
            ("store", map("An entry that is stored directly.", rows(StoreKey.table))),
            ("usage", map("Expectations for the store.", rows(UsageKey.table)).adding(["minProperties": 1])),
            ("expect", map("Expectations for the response.", rows(ExpectKey.table))),
            (
                "originSaw",
                map("Expectations for the origin's record.", rows(OriginSawKey.table))
                    .adding(["anyOf": .array(OriginSawKey.conditions.map { required($0.rawValue) })])
            ),
        ]
    }

    /// Returns the schema of a map with the keys of a table, and more if an extension adds some.
    private static func map(_ description: String, _ rows: [ReferenceRow], _ more: JSONValue = [:])
        -> JSONValue
    {
        SchemaValues.map(description, properties(rows).adding(more))
    }

    private static var defaultRows: [ReferenceRow] {
        DefaultsKey.allCases.compactMap { ScenarioKey(rawValue: $0.rawValue)?.row }
    }

    /// Returns the schema of a step, which has exactly one kind; that may be one of an extension.
    private static func stepMap(_ extensionKey: String, _ schema: JSONValue) -> JSONValue {
        let kinds = StepKey.kinds.map(\.rawValue) + [extensionKey]
        return SchemaValues.map(
            "An action or an expectation.",
            properties(StepKey.allCases.map(\.row)).adding(.object([(extensionKey, schema)]))
        )
        .adding(["oneOf": .array(kinds.map(required))])
    }

    private static func required(_ key: String) -> JSONValue { ["required": [.string(key)]] }

    private static func rows<Key, Value>(_ table: [KeyRow<Key, Value>]) -> [ReferenceRow] {
        table.map(\.reference)
    }

    /// A lookup has some keys of requests.
    private static var lookupRows: [ReferenceRow] {
        rows(RequestKey.table).filter { LookupKey(rawValue: $0.name) != nil }
    }

    private static func properties(_ rows: [ReferenceRow]) -> JSONValue { ReferenceTable(rows).properties }

    private static func markdown(_ rows: [ReferenceRow], withDefaults: Bool = false) -> String {
        let start: [(heading: String, ReferenceTable.Column)] = [
            ("key", .name), ("value", .value), ("meaning", .summary),
        ]
        let middle: [(heading: String, ReferenceTable.Column)] =
            withDefaults ? [("default", .defaultValue)] : []
        return ReferenceTable(rows).markdown(start + middle + [("example", .example)])
    }
}
