/// The mutants of the source that violate rules of the documents, with the checks that kill them, as recorded in
/// `scenarios/violations.txt`.
package struct RuleViolations: Sendable, Hashable {
    /// A mutant and the check that kills it.
    package struct Violation: Sendable, Hashable {
        /// The id of a mutant of `cachecheck mutants`; or of the source a file, a colon and the change:
        /// `Sources/A.swift: a < b → a <= b`.
        package let mutant: String
        /// The scenario, with the kind of cache, or the test that fails with the mutant.
        package let check: String

        /// The changed file; `nil` for a mutant of `cachecheck mutants`.
        package var file: String? {
            let parts = mutant.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? String(parts[0]) : nil
        }

        /// Creates a violation.
        package init(mutant: String, check: String) { (self.mutant, self.check) = (mutant, check) }
    }

    /// A violation of each rule that has one, by rule id.
    package var byRule: [String: Violation] = [:]

    /// Parses a record: lines of a rule id, a mutant and a check, separated by tabs; `#` starts a comment.
    package init(text: String = "") {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t").map(String.init)
            if parts.count == 3 { byRule[parts[0]] = Violation(mutant: parts[1], check: parts[2]) }
        }
    }

    /// The first lines of each record.
    package static let head = """
        # For each rule of the documents a mutant that violates it, and the check that fails with it.
        # Written by cachecheck mutants --violations and ci/mutate --rules.

        """

    /// The record as the text of its file.
    package var text: String {
        let lines = byRule.sorted { $0.key < $1.key }.map {
            "\($0.key)\t\($0.value.mutant)\t\($0.value.check)\n"
        }
        return Self.head + lines.joined()
    }
}
