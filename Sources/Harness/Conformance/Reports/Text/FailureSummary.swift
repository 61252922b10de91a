import CacheSemantics
import ReportFormats
import Scenarios

/// The lines of a text report about many failures: groups with an example each, then all ids.
struct FailureSummary {
    /// Groups after these are one line each, so that a report of a hundred failures fits on a few screens.
    private static let maximumExamples = 6
    private static let exampleLines = 7
    private static let width = 120
    private let failures: [ScenarioResult]
    private let groups: [FailureGroup]
    private let catalogue: RuleCatalogue
    private let rerun: String

    /// Creates a summary; `rerun` is the command that runs one scenario again, with `ID` in the place of its id.
    init(_ failures: [ScenarioResult], _ catalogue: RuleCatalogue, rerun: String) {
        self.failures = failures
        self.catalogue = catalogue
        self.rerun = rerun
        groups = FailureGroup.groups(of: failures)
    }

    /// All lines, the first of which is empty.
    var lines: [String] {
        ["", "\(counted(failures.count, "failure")) in \(counted(groups.count, "group"))"]
            + groups.enumerated().flatMap { lines(of: $1, number: $0 + 1) }
            + ["", kinds.count == 1 ? "Failed, each with a \(kinds[0].rawValue) cache:" : "Failed:"] + ids
            + rerunLines
    }

    private var kinds: [CacheKind] {
        CacheKind.allCases.filter { kind in failures.contains { $0.cacheKind == kind } }
    }

    private func lines(of group: FailureGroup, number: Int) -> [String] {
        let count = counted(group.count, "scenario")
        let heading = "\(number). \(count): \(sentence(of: group))"
        let following = group.following
        guard number <= Self.maximumExamples, let example = group.results.first else {
            return (number == Self.maximumExamples + 1 ? [""] : []) + [
                "\(number). \(count)\(following): \(group.cause): \(sentence(of: group))"
            ]
        }
        return ["", heading, "   \(group.cause)\(following)"]
            + Self.excerpt(of: example).map { "   " + $0 }
    }

    /// Returns the first lines about an example, with an ellipsis in place of the others.
    private static func excerpt(of example: ScenarioResult) -> [String] {
        let lines = Transcript.summary(of: example)
        if lines.count <= exampleLines { return lines }
        let shown = lines.prefix(exampleLines)
        // A heading whose lines are left out would read as if there were none.
        let isHeading = ["caller", "origin"].contains(shown.last.map { $0.drop { $0 == " " } })
        return Array(isHeading ? shown.dropLast() : shown) + ["    …"]
    }

    private func sentence(of group: FailureGroup) -> String {
        let heading = group.requirement.heading(in: catalogue)
        let source = [heading.source, heading.id].compactMap(\.self).joined(separator: ", ")
        return heading.sentence + (source.isEmpty ? "" : "  (\(source))")
    }

    /// The ids by suite, in lines of at most `width` characters where possible.
    private var ids: [String] {
        var suites: [(name: String, ids: [String])] = []
        var indices: [String: Int] = [:]
        for result in failures {
            let name = String((kinds.count == 1 ? result.id : result.name).dropFirst(result.suite.count + 1))
            if let index = indices[result.suite] {
                suites[index].ids.append(name)
            } else {
                indices[result.suite] = suites.count
                suites.append((result.suite, [name]))
            }
        }
        return suites.flatMap { suite in Self.wrapped("  \(suite.name)/", suite.ids) }
    }

    private static func wrapped(_ start: String, _ words: [String]) -> [String] {
        var lines = [start]
        for (index, word) in words.enumerated() {
            let piece = word + (index + 1 < words.count ? ", " : "")
            if lines[lines.count - 1].count + piece.count > width, lines[lines.count - 1] != start {
                lines.append("    ")
            }
            lines[lines.count - 1] += piece
        }
        return lines
    }

    private var rerunLines: [String] {
        guard !rerun.isEmpty, let first = failures.first else { return [] }
        return ["", "To see one in full: " + rerun.replacing("ID", with: first.id)]
    }
}
