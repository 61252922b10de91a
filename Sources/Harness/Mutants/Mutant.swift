import CacheSemantics
package import Conformance

/// The built-in cache with one named defect, which the scenarios must detect.
package struct Mutant: Sendable {
    /// Lower-case words joined by `-`; unique.
    package let id: String
    /// The defect, in one sentence.
    package let defect: String
    /// The ids of the rules that it breaks, those of specifications first; never empty.
    package let rules: [String]
    /// The decorators of the cache's parts.
    package let decoration: Decoration

    init(
        _ id: String,
        _ defect: String,
        _ rules: [Rule] = [],
        documents: [String] = [],
        _ decoration: Decoration
    ) {
        self.id = id
        self.defect = defect
        self.rules = rules.map(\.rawValue) + documents
        self.decoration = decoration
    }

    /// Creates a mutant whose engine makes wrong decisions.
    init(_ id: String, _ defect: String, _ rules: [Rule], documents: [String] = [], _ engine: EngineDefect) {
        var decoration = Decoration()
        decoration.decisions = { DefectiveEngine(base: $0, defect: engine) }
        self.init(id, defect, rules, documents: documents, decoration)
    }

    /// All mutants, by area.
    package static let all: [Mutant] =
        ofKeys + ofStoring + ofFields + ofParts + ofReuse + ofVary + ofLifetime + ofAge + ofStaleness
        + ofValidation + ofNotModified + ofInvalidation + ofRequestDirectives + ofResponseDirectives
        + ofSyntax
        + ofExtensions + ofStandards + ofPolicies + ofStore + ofClient + ofTheField + ofRedirects + ofCodings
}
