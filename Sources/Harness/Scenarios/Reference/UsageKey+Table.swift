import JSON
import LocatedYAML
import OriginScript

extension UsageKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<UsageKey, UsageExpectation>] = allCases.map(\.row)

    private var row: KeyRow<UsageKey, UsageExpectation> {
        switch self {
        case .memory: amount(\.memory, "Bytes in memory", example: "{memory: {at-most: 1MiB}}")
        case .disk: amount(\.disk, "Bytes on disk", example: "{disk: 0}")
        case .files: amount(\.files, "Files with content in the folder", example: "{files: 0}")
        case .entries: amount(\.entries, "Entries in either tier", example: "{entries: {at-least: 1}}")
        case .readable:
            texts(
                \.readable,
                "Texts, each of which must occur in some file of the folder",
                example: "{readable: content}"
            )
        case .unreadable:
            texts(
                \.unreadable,
                "Texts that must occur in no file of the folder",
                example: "{unreadable: [secret, password]}"
            )
        case .databaseSteps:
            amount(
                \.databaseSteps,
                "Steps of the database for lookups and writes since the previous `usage`, or since the client was "
                    + "created. SQLite counts them, so the number does not depend on the machine",
                example: "{database-steps: {at-most: 10000}}"
            )
        }
    }

    private func amount(
        _ property: any WritableKeyPath<UsageExpectation, Located<NumberExpectation>?> & Sendable,
        _ summary: String,
        example: String
    ) -> KeyRow<UsageKey, UsageExpectation> {
        let form = ValueForm("a size, or a comparison", SchemaValues.comparison(of: SchemaValues.size))
        return ReferenceRow(rawValue, takes: form, summary, example: example).read { expectation, map, _ in
            let amount = ScenarioReading.comparison(of: Reader.size.map(Double.init))
            expectation[keyPath: property] = map.located(self, amount)
        }
    }

    private func texts(
        _ property: any WritableKeyPath<UsageExpectation, Located<[String]>?> & Sendable,
        _ summary: String,
        example: String
    ) -> KeyRow<UsageKey, UsageExpectation> {
        let form = ValueForm("text, or a list", SchemaValues.oneOrMore(SchemaValues.scalar))
        return ReferenceRow(rawValue, takes: form, summary, example: example).read { expectation, map, _ in
            expectation[keyPath: property] = map.located(self, Reader.text.oneOrMore())
        }
    }
}
