package import CacheSemantics
package import LocatedYAML

/// Steps, settings and rules that are added to the scenario language.
///
/// Settings of a scenario and steps use the same key: a step is a map with this key, whose value is a map of the kind
/// of step and its expectation. A module with a runner declares by its own protocol which extensions it can run.
package protocol ScenarioExtension: Sendable {
    /// The key, which no step of the language and no key of a scenario may use.
    var key: String { get }
    /// Rules that scenarios may name in addition to those of the language.
    var rules: [CatalogueRule] { get }
    /// The kinds of cache that its steps can be run with.
    var cacheKinds: [CacheKind] { get }
    /// Returns the grammar of the extension's part of one scenario.
    func grammar(_ reading: ScenarioReading) -> ExtensionGrammar
}

/// One step of an extension.
package protocol ExtensionStep: Sendable {
    /// A short description of the step.
    var title: String { get }
    /// Whether the step depends on bytes or connections, which exist only with sockets.
    var needsSockets: Bool { get }
}

/// The grammar of an extension's part of one scenario.
package struct ExtensionGrammar {
    /// The kinds of step; no two have the same key.
    package var kinds: [StepKind]
    /// Decodes the settings of a scenario.
    package var settings: (YAMLNode) -> (any Sendable)?
    /// Reports missing parts at the end of the scenario.
    package var end: () -> Void

    /// Creates a grammar.
    package init(
        _ kinds: [StepKind],
        settings: @escaping (YAMLNode) -> (any Sendable)?,
        end: @escaping () -> Void = {}
    ) {
        self.kinds = kinds
        self.settings = settings
        self.end = end
    }
}

/// A kind of step that an extension adds.
package struct StepKind {
    /// Its key, below the key of the extension.
    package let key: String
    /// A description of the step's action, in one sentence.
    package let summary: String
    /// A value of the key, in one line of YAML.
    package let example: String
    /// Whether the key can be combined with `expect`.
    package let takesExpectation: Bool
    let read: (_ value: YAMLNode, _ expect: YAMLNode?) -> (any ExtensionStep)?

    /// Creates a kind of step.
    ///
    /// `read` reports its problems to the reading that the grammar was created for, and then returns `nil`.
    package init(
        _ key: String,
        _ summary: String,
        example: String,
        takesExpectation: Bool = true,
        read: @escaping (_ value: YAMLNode, _ expect: YAMLNode?) -> (any ExtensionStep)?
    ) {
        (self.key, self.summary, self.example) = (key, summary, example)
        (self.takesExpectation, self.read) = (takesExpectation, read)
    }
}
