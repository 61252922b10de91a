import LocatedYAML

/// The language of scenario files: the rules that they can name, and the steps and settings that extensions add.
package struct ScenarioLanguage: Sendable {
    /// Every rule that scenarios can name, those of extensions last.
    package let catalogue: RuleCatalogue
    /// The extensions, each with a key of its own.
    package let extensions: [any ScenarioExtension]

    /// The language without extensions.
    package static let standard = ScenarioLanguage()

    /// Creates a language.
    package init(_ catalogue: RuleCatalogue = .standard, extensions: [any ScenarioExtension] = []) {
        self.catalogue = RuleCatalogue(catalogue.rules + extensions.flatMap(\.rules))
        self.extensions = extensions
    }

    /// Returns the language with the rules of a project, last.
    package func adding(_ rules: [CatalogueRule]) -> ScenarioLanguage {
        ScenarioLanguage(RuleCatalogue(catalogue.rules + rules), extensions: extensions)
    }

    /// Returns the kinds of step of the extension with a key.
    package func kinds(below key: String) -> [StepKind] {
        ScenarioReading(problems: ProblemCollector(), language: self).grammars[key]?.kinds ?? []
    }

    /// The keys of the extensions, in their order.
    var extensionKeys: [String] { extensions.map(\.key) }
}
