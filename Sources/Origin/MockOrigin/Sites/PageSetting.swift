import HTTPServing
import OriginScript
import TextCodings

/// One setting of a page, as a query or a configuration file gives it.
public struct PageSetting: Sendable, Hashable {
    /// A setting with a value that it cannot have.
    public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// Name of the setting.
        public var name: String
        /// The value.
        public var found: String
        /// What would have been right.
        public var expected: String

        /// One sentence that says what was found and what was expected.
        public var description: String { "\(name): found \"\(found)\", expected \(expected)" }
    }
    /// Name; what no setting has is ignored in a query, because requests have parameters of their own.
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

    /// Throws the problem that the setting would be, if any.
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

    /// Reads the settings of a query; the names are those of `names`, others are left out.
    static func list(query: String?) throws(Problem) -> [PageSetting] {
        var settings: [PageSetting] = []
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decode(parts[0], plusIsSpace: true) else {
                throw Problem(name: "query", found: String(parts[0]), expected: "well-formed escapes")
            }
            guard appliers[name] != nil else { continue }
            let raw = parts.count > 1 ? parts[1] : ""
            // A plus sign is kept: offsets begin with one.
            guard let value = PercentText.decode(raw) else {
                throw Problem(name: name, found: String(raw), expected: "well-formed escapes")
            }
            settings.append(PageSetting(name: name, value: value))
        }
        return settings
    }

    /// Makes an answer as the setting says; one that is not known changes nothing.
    func apply(to answer: inout Answer) throws(Problem) {
        guard let applier = Self.appliers[name] else { return }
        guard applier.apply(value, &answer) else {
            throw applier.problem(value) ?? Problem(name: name, found: value, expected: applier.expected)
        }
    }

    /// The settings by name, each with what its value must be.
    static var expectations: [(name: String, expected: String)] {
        names.map { ($0, appliers[$0]?.expected ?? "") }
    }

    /// The settings in a few lines for people.
    static var help: String {
        let lines = expectations.map { "  \($0.name)=…  \($0.expected)" }
        return (["Settings in the query of a page:"] + lines).joined(separator: "\n")
    }

    struct Applier: Sendable {
        var expected: String
        /// What is wrong with a value that cannot be, where more can be said than what is expected.
        var problem: @Sendable (String) -> Problem? = { _ in nil }
        /// Returns false for a value that cannot be.
        var apply: @Sendable (String, inout Answer) -> Bool
    }
}
