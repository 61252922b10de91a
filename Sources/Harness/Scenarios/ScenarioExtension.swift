public import CacheSemantics
public import LocatedYAML

/// Steps, settings and rules that are added to the language of scenarios.
///
/// Settings of a scenario and steps stand below one key: a step is a map of the key to a map of the kind of step and of what is
/// expected of it. A module with a runner says by a protocol of its own which extensions it can run.
public protocol ScenarioExtension: Sendable {
    /// The key, which no step of the language and no key of a scenario has.
    var key: String { get }
    /// Rules that scenarios may name besides those of the language.
    var rules: [CatalogueRule] { get }
    /// The kinds of cache that its steps can be taken with.
    var cacheKinds: [CacheKind] { get }
    /// Returns how the extension's part of one scenario is read.
    func grammar(_ reading: ScenarioReading) -> ExtensionGrammar
}

/// One step of an extension.
public protocol ExtensionStep: Sendable {
    /// What is done, in a few words.
    var title: String { get }
    /// Whether it depends on bytes or connections, of which there are none without sockets.
    var needsSockets: Bool { get }
}

/// How the part of an extension in one scenario is read.
public struct ExtensionGrammar {
    /// The kinds of step; no two have the same key.
    public var kinds: [StepKind]
    /// Reads the settings of a scenario.
    public var settings: (YAMLNode) -> (any Sendable)?
    /// Reports what is missing at the end of the scenario.
    public var end: () -> Void

    /// Creates a grammar.
    public init(
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
public struct StepKind {
    /// Its key, below the key of the extension.
    public let key: String
    /// What such a step does, in one sentence.
    public let summary: String
    /// A value of the key, in one line of YAML.
    public let example: String
    /// Whether `expect` may stand beside the key.
    public let takesExpectation: Bool
    let read: (_ value: YAMLNode, _ expect: YAMLNode?) -> (any ExtensionStep)?

    /// Creates a kind of step.
    ///
    /// `read` reports its problems to the reading that the grammar was asked for, and then returns `nil`.
    public init(
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
