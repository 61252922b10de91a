import HTTPServing
import JSON
import LocatedYAML
import OriginScript
import TextCodings

/// One setting of a page, from a query or a site file.
public struct PageSetting: Sendable, Hashable {
    /// An invalid value of a setting.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name of the setting.
        public var name: String
        /// The value that was found.
        public var found: String
        /// The expected value.
        public var expected: String

        /// A sentence with what was found and what was expected.
        public var description: String { "\(name): found \"\(found)\", expected \(expected)" }
    }
    /// The name; unknown names are ignored in a query, because requests may have other parameters.
    public var name: String
    /// Value as text.
    public var value: String

    /// Creates a setting.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Names of all settings.
    public static let names: [String] = appliers.keys.sorted()

    /// Returns the query parameters that are not settings but resemble one, each with the setting that is probably meant.
    static func misspelled(in query: String?) -> [(name: String, intended: String)] {
        (query ?? "").split(separator: "&").compactMap { pair in
            let raw = pair.prefix { $0 != "=" }
            // Of short names too many are similar, as page is to age.
            guard let name = PercentText.decode(raw, plusIsSpace: true), name.utf8.count >= 5,
                appliers[name] == nil
            else { return nil }
            return NearestKey.suggestion(for: name, among: names).map { (name, $0) }
        }
    }

    /// Throws if there is no such setting, or its value is invalid.
    public func check() throws(Problem) {
        guard Self.appliers[name] != nil else {
            throw Problem(
                name: name,
                found: value,
                expected: "one of the settings \(Self.names.joined(separator: ", "))"
            )
        }
        var answer = Answer()
        try apply(to: &answer)
    }

    /// Returns the settings of a query, ignoring other parameters.
    static func list(query: String?) throws(Problem) -> [PageSetting] {
        var settings: [PageSetting] = []
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decode(parts[0], plusIsSpace: true) else {
                throw Problem(name: "query", found: String(parts[0]), expected: "well-formed escapes")
            }
            guard appliers[name] != nil else { continue }
            let raw = parts.count > 1 ? parts[1] : ""
            // A plus sign is kept, because offsets may start with one.
            guard let value = PercentText.decode(raw) else {
                throw Problem(name: name, found: String(raw), expected: "well-formed escapes")
            }
            settings.append(PageSetting(name: name, value: value))
        }
        return settings
    }

    /// Applies the setting to an answer; an unknown one has no effect.
    func apply(to answer: inout Answer) throws(Problem) {
        guard let applier = Self.appliers[name] else { return }
        guard applier.apply(value, &answer) else {
            throw applier.problem(value) ?? Problem(name: name, found: value, expected: applier.expected)
        }
    }

    /// The names of the settings, each with a description of its values.
    static var expectations: [(name: String, expected: String)] {
        names.map { ($0, appliers[$0]?.expected ?? "") }
    }

    /// The table of settings for the schema of site files and the control API's document.
    static var table: ReferenceTable {
        ReferenceTable(
            appliers.sorted { $0.key < $1.key }.map { name, applier in
                ReferenceRow(
                    name,
                    takes: ValueForm(applier.expected, SchemaValues.scalar),
                    "\(applier.summary): \(applier.expected)",
                    example: applier.example
                )
            }
        )
    }

    /// The JSON Schema of the settings of a page.
    static var schema: JSONValue {
        [
            "description": "Settings of a page, as in its query.", "type": "object",
            "additionalProperties": false, "properties": table.properties,
        ]
    }

    /// The settings as lines of text.
    static var help: String {
        let lines = expectations.map { "  \($0.name)=…  \($0.expected)" }
        return (["Settings in the query of a page:"] + lines).joined(separator: "\n")
    }

    /// One setting: its description and its effect on an answer.
    struct Applier: Sendable {
        var summary: String
        /// A description of the value.
        var expected: String
        /// A valid value.
        var example: String
        /// Returns the problem of an invalid value if it can be more precise than `expected`.
        var problem: @Sendable (String) -> Problem? = { _ in nil }
        /// Changes the answer; returns false for an invalid value.
        var apply: @Sendable (String, inout Answer) -> Bool

        init(
            _ summary: String,
            expected: String,
            example: String,
            problem: @escaping @Sendable (String) -> Problem? = { _ in nil },
            apply: @escaping @Sendable (String, inout Answer) -> Bool
        ) {
            self.summary = summary
            self.expected = expected
            self.example = example
            self.problem = problem
            self.apply = apply
        }
    }
}
