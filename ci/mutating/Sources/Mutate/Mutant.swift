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
    /// Which of the same changes of its file it is; `nil` if there is no other.
    var occurrence: Occurrence?

    /// A mutant's number among several.
    struct Occurrence: Codable, Sendable, Equatable {
        /// From 1, in the order of the lines.
        let number: Int
        let count: Int
    }

    /// What identifies the mutant where lines have moved: its file, its change and which of the same changes it is.
    var key: String { "\(file): \(numberedSummary)" }

    /// The change, which its file may have more than once.
    var summary: String { replacement.isEmpty ? "remove \(original)" : "\(original) → \(replacement)" }

    /// The change, which its file has once.
    var numberedSummary: String {
        occurrence.map { "\(summary) (\($0.number) of \($0.count))" } ?? summary
    }
}

extension [Mutant] {
    /// Returns the mutants of a file by id, those whose change it has more than once with a number.
    func numbered() -> [Mutant] {
        let sorted = sorted { ($0.line, $0.id) < ($1.line, $1.id) }
        let counts = Dictionary(grouping: sorted, by: \.summary).mapValues(\.count)
        var seen: [String: Int] = [:]
        return sorted.map { mutant in
            guard let count = counts[mutant.summary], count > 1 else { return mutant }
            seen[mutant.summary, default: 0] += 1
            var result = mutant
            result.occurrence = .init(number: seen[mutant.summary, default: 0], count: count)
            return result
        }.sorted { $0.id < $1.id }
    }
}

/// The kinds of changes.
enum MutationOperator: String, Codable, Sendable, CaseIterable {
    case boundary, equality, connective, arithmetic, fallback, constant, truth, negation, omission, branches,
        choice
    case removal
    /// A change that a person wrote.
    case written
}
