public import LocatedYAML

/// The language of scenario files: the rules that they can name, and the steps and settings that extensions add.
public struct ScenarioLanguage: Sendable {
    /// Every rule that scenarios can name, those of extensions last.
    public let catalogue: RuleCatalogue
    /// The extensions, each with a key of its own.
    package let extensions: [any ScenarioExtension]

    /// The language without extensions.
    public static let standard = ScenarioLanguage()

    /// Creates a language.
    package init(_ catalogue: RuleCatalogue = .standard, extensions: [any ScenarioExtension] = []) {
        self.catalogue = RuleCatalogue(catalogue.rules + extensions.flatMap(\.rules))
        self.extensions = extensions
    }

    /// Returns the language with the rules of a project's file, which `RuleFile` describes; `file` is its name in problems.
    ///
    /// Throws every problem of the file.
    public func adding(rules text: String, file: String) throws(YAMLProblems) -> ScenarioLanguage {
        adding(try RuleFile.rules(text: text, file: file, besides: catalogue))
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
