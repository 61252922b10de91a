public import LocatedYAML

/// The language of scenario files: the rules that they can name, and the steps and settings that extensions add.
///
/// Rules can be added, by `adding(rules:file:)`. Extensions cannot: the only one is that of the product `StackScenarios`.
public struct ScenarioLanguage: Sendable {
    /// Every rule that scenarios can name, those of extensions last.
    public let catalogue: RuleCatalogue
    /// The extensions, each with its own key.
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

    /// The key of the networking stack's steps and settings, which scenarios that are built in have; `nil` if the
    /// language has them.
    var lackingKey: String? { extensionKeys.contains("stack") ? nil : "stack" }

    /// Reports a step or setting of the networking stack if the language has none; returns whether it did.
    @discardableResult
    func reportLacking(_ node: YAMLNode, _ problems: ProblemCollector) -> Bool {
        guard let lackingKey, let pair = node.pairs?.first(where: { $0.key == lackingKey }) else {
            return false
        }
        problems.add(
            at: pair.keyPosition,
            found: "\"\(lackingKey)\" in a language without the networking stack",
            expected: "the language that ScenarioLanguage.withStack() of the product StackScenarios returns"
        )
        return true
    }

    /// The alternatives for a name that is no rule of the language, in words.
    var knownRules: String {
        "a rule that \"cachecheck rules\" lists, or one of a project's file (--rules, ScenarioLanguage.adding)"
            + (lackingKey == nil ? "" : "; rules of the documents need ScenarioLanguage.withStack()")
    }
}
