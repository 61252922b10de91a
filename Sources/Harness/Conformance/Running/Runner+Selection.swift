import LocatedYAML
import PublicSuite
import Scenarios

extension Runner {
    /// Throws if the selection matches nothing, with what was given and similar names; a part of a run may be empty.
    ///
    /// `run()` and `events` throw the same before anything is started.
    public func checkSelection() throws(RunnerError) {
        if count > 0 || options.selection.shard != nil { return }
        let criteria = selection.criteria
        guard !criteria.isEmpty else {
            throw RunnerError(description: "No scenario is selected: the runner was given none.")
        }
        let text = criteria.joined(separator: " and ")
        throw RunnerError(description: "No scenario is selected: none matches \(text).\(suggestions)")
    }

    /// A sentence with names that resemble those of the selection; empty if there are none.
    private var suggestions: String {
        let similar =
            selection.filters.flatMap { SimilarID.all(resembling: $0.description, among: ids) }
            + selection.rules.flatMap { SimilarID.all(resembling: $0.description, among: ruleIDs) }
        return similar.isEmpty ? "" : " Did you mean \(similar.prefix(3).joined(separator: " or "))?"
    }

    private var ids: [String] {
        suites.flatMap(\.scenarios).map(\.id) + publicSuites.flatMap(\.suites).flatMap(\.tests).map(\.id)
    }

    private var ruleIDs: [String] { Set(suites.flatMap(\.scenarios).flatMap(\.rules)).sorted() }
}

extension Selection {
    /// The criteria that a scenario has to satisfy, in words; empty if everything is selected.
    fileprivate var criteria: [String] {
        func one(_ what: String, of words: [String]) -> String? {
            words.isEmpty ? nil : "the \(what) \(words.joined(separator: " or "))"
        }
        return [
            one("filter", of: filters.map { "\"\($0)\"" }), one("rule", of: rules.map { "\"\($0)\"" }),
            one("level", of: levels.map(\.rawValue).sorted()),
            one("kind of cache", of: cacheKinds.map(\.rawValue).sorted()),
        ].compactMap(\.self)
    }
}

/// Ids that resemble a mistyped one.
package enum SimilarID {
    /// Returns the ids whose last parts resemble those that a name or pattern has after its wildcards, nearest first.
    package static func all(resembling pattern: String, among ids: [String]) -> [String] {
        let parts = pattern.split(separator: "/").reversed().prefix { !$0.contains("*") && !$0.contains("?") }
        let name = parts.reversed().joined(separator: "/")
        guard !name.isEmpty else { return [] }
        let ends = ids.map { $0.split(separator: "/").suffix(parts.count).joined(separator: "/") }
        return NearestKey.suggestions(for: name, among: ends).flatMap { end in
            ids.indices.filter { ends[$0] == end }.map { ids[$0] }
        }
    }
}
