import CacheSemantics
package import Conformance

/// The built-in cache with one named defect, which the scenarios have to notice.
public struct Mutant: Sendable {
    /// Lower-case words joined by `-`; unique.
    public let id: String
    /// What it does wrong, in one sentence.
    public let defect: String
    /// The ids of the rules that it breaks, those of the specifications first; never empty.
    public let rules: [String]
    /// What is put around the cache's parts.
    package let decoration: Decoration

    init(_ id: String, _ defect: String, _ rules: [Rule], documents: [String] = [], _ decoration: Decoration)
    {
        self.id = id
        self.defect = defect
        self.rules = rules.map(\.rawValue) + documents
        self.decoration = decoration
    }

    /// A mutant whose engine decides wrong.
    init(_ id: String, _ defect: String, _ rules: [Rule], documents: [String] = [], _ engine: EngineDefect) {
        var decoration = Decoration()
        decoration.decisions = { DefectiveEngine(base: $0, defect: engine) }
        self.init(id, defect, rules, documents: documents, decoration)
    }

    /// All there are, by area.
    public static let all: [Mutant] =
        ofKeys + ofStoring + ofFields + ofParts + ofReuse + ofVary + ofLifetime + ofAge + ofStaleness
        + ofValidation + ofNotModified + ofInvalidation + ofRequestDirectives + ofResponseDirectives
        + ofSyntax
        + ofExtensions + ofPolicies + ofStore + ofClient + ofTheField
}
