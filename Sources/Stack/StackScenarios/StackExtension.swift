package import CacheSemantics
package import Conformance
import DocumentRules
public import LocatedYAML
public import Scenarios

/// The networking stack in scenarios: its settings and steps, and the rules of the documents that describe
/// it.
package struct StackExtension: RunnableExtension {
    /// The key of settings and steps, `stack`.
    package let key = "stack"
    /// The rules of the documents.
    package let rules: [CatalogueRule]
    /// The stack's HTTP cache is private.
    package let cacheKinds = [CacheKind.private]
    /// The stack is built on the built-in client.
    package let skipReason = "The scenario uses the networking stack, which requires the built-in client."

    init(rules: [CatalogueRule]) { self.rules = rules }

    /// Returns the runner of one scenario's steps.
    package func runner(on environment: ExtensionEnvironment) -> any ExtensionRunner {
        StackRunner(environment)
    }

    /// Returns the grammar of one scenario's settings and steps.
    package func grammar(_ reading: ScenarioReading) -> ExtensionGrammar {
        let stack = StackReading(reading)
        return ExtensionGrammar(
            stack.groupKinds + stack.transferKinds + stack.imageKinds + stack.otherKinds,
            settings: { StackSettings.reader.read($0, reading.problems) },
            end: stack.reportUnfinished
        )
    }
}

extension ScenarioLanguage {
    /// Returns the scenario language with the networking stack and the rules of the documents.
    ///
    /// Throws the problems of the built-in file of rules.
    public static func withStack() throws(YAMLProblems) -> ScenarioLanguage { try loaded.get() }

    private static let loaded = Result { () throws(YAMLProblems) in
        ScenarioLanguage(extensions: [StackExtension(rules: try DocumentRules.load())])
    }
}
