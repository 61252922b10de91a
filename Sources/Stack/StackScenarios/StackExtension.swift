public import CacheSemantics
public import Conformance
import DocumentRules
public import LocatedYAML
public import Scenarios

/// The networking stack in scenarios: its settings and steps, and the rules of the documents that describe it.
public struct StackExtension: RunnableExtension {
    /// Settings and steps are below `stack`.
    public let key = "stack"
    /// The rules of the documents.
    public let rules: [CatalogueRule]
    /// The stack's HTTP cache is a private one.
    public let cacheKinds = [CacheKind.private]
    /// The stack is built on the built-in client.
    public let skipReason = "it uses the networking stack, which is the built-in client's"

    init(rules: [CatalogueRule]) { self.rules = rules }

    /// Returns what takes the steps of one scenario.
    public func runner(on stage: ExtensionStage) -> any ExtensionRunner { StackRunner(stage) }

    /// Returns how settings and steps of one scenario are read.
    public func grammar(_ reading: ScenarioReading) -> ExtensionGrammar {
        let stack = StackReading(reading)
        return ExtensionGrammar(
            stack.groups + stack.transfers + stack.pictures + stack.surroundings,
            settings: { StackSettings.reader.read($0, reading.problems) },
            end: stack.refuseUnfinished
        )
    }
}

extension ScenarioLanguage {
    /// The language with the networking stack and the rules of the documents.
    ///
    /// Throws what is wrong with the built-in file of rules.
    public static func withStack() throws(YAMLProblems) -> ScenarioLanguage { try loaded.get() }

    private static let loaded = Result { () throws(YAMLProblems) in
        ScenarioLanguage(extensions: [StackExtension(rules: try DocumentRules.load())])
    }
}
