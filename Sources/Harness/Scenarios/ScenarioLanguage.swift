import LocatedYAML

/// What scenario files may say: the rules that they name, and the steps and settings that extensions add.
public struct ScenarioLanguage: Sendable {
    /// Every rule that scenarios may name, those of extensions last.
    public let catalogue: RuleCatalogue
    /// Each with a key of its own.
    public let extensions: [any ScenarioExtension]

    /// The language without extensions.
    public static let standard = ScenarioLanguage()

    /// Creates a language.
    public init(_ catalogue: RuleCatalogue = .standard, extensions: [any ScenarioExtension] = []) {
        self.catalogue = RuleCatalogue(catalogue.rules + extensions.flatMap(\.rules))
        self.extensions = extensions
    }

    /// Returns the kinds of step below the key of an extension.
    package func kinds(below key: String) -> [StepKind] {
        ScenarioReading(problems: ProblemCollector(), language: self).grammars[key]?.kinds ?? []
    }

    /// The keys of the extensions, in their order.
    var extensionKeys: [String] { extensions.map(\.key) }
}
