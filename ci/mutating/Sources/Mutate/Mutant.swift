/// One change of the source.
struct Mutant: Codable, Sendable {
    /// From 1; the same number enables it.
    let id: Int
    /// The file, relative to the root of the project.
    let file: String
    /// From 1.
    let line: Int
    let change: MutationOperator
    /// The source that is changed, on one line.
    let original: String
    /// What it becomes; empty if it is removed.
    let replacement: String
    /// Whether it is in the initial value of a static, global or lazy property, which is computed once.
    let isInitial: Bool

    /// What identifies the mutant where lines have moved: its file and its change.
    var key: String { "\(file): \(summary)" }

    var summary: String { replacement.isEmpty ? "remove \(original)" : "\(original) → \(replacement)" }
}

/// The kinds of changes.
enum MutationOperator: String, Codable, Sendable, CaseIterable {
    case boundary, equality, connective, arithmetic, fallback, constant, truth, negation, omission, branches,
        choice
    case removal
}
