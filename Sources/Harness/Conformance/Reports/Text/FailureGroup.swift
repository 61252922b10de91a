import CacheSemantics
import Scenarios

/// Failures of one run that cite the same sentence or rule and fail in the same way.
struct FailureGroup {
    /// The requirement that all of them are about.
    let requirement: FailedRequirement
    /// Their common failure: `source: expected origin, seen cache`.
    let cause: String
    /// The failures, in the order of the run; never empty.
    let results: [ScenarioResult]
    /// Scenarios that were not judged because one of the failures came before.
    let dependents: [ScenarioResult]

    /// The number of results in the group.
    var count: Int { results.count + dependents.count }

    /// The number of dependents, to follow the cause: `, and 3 that depend on them`; empty if there are none.
    var following: String {
        if dependents.isEmpty { return "" }
        let verb = dependents.count == 1 ? "depends" : "depend"
        return ", and \(dependents.count) that \(verb) on \(results.count == 1 ? "it" : "them")"
    }

    /// Whether the group has a failure of level `must`.
    private var hasMust: Bool { results.contains { $0.level == .must } }

    /// Returns the groups of failures, those with a `must` first, then by size.
    ///
    /// A failure that cites several sentences or rules joins the largest group that it fits. A failed dependency joins
    /// the group of the failure that it follows from.
    static func groups(of failures: [ScenarioResult]) -> [FailureGroup] {
        let roots = Roots(failures)
        var remaining = failures.indices.filter { roots.root(of: $0) == $0 }
        var groups: [FailureGroup] = []
        while let (key, members) = largest(among: remaining, of: failures) {
            let chosen = Set(members)
            let dependents = failures.indices.filter { index in
                roots.root(of: index) != index && chosen.contains(roots.root(of: index))
            }
            groups.append(
                FailureGroup(
                    requirement: key.requirement,
                    cause: key.cause,
                    results: members.map { failures[$0] },
                    dependents: dependents.map { failures[$0] }
                )
            )
            remaining.removeAll(where: chosen.contains)
        }
        return groups.enumerated().sorted { one, other in
            if one.element.hasMust != other.element.hasMust { return one.element.hasMust }
            if one.element.count != other.element.count { return one.element.count > other.element.count }
            return one.offset < other.offset
        }.map(\.element)
    }

    private struct Key: Hashable {
        let requirement: FailedRequirement
        let cause: String
    }

    /// Returns the key that most of the failures have in common; of several the one that occurs first.
    private static func largest(among remaining: [Int], of failures: [ScenarioResult]) -> (Key, [Int])? {
        var members: [Key: [Int]] = [:]
        var order: [Key] = []
        for index in remaining {
            for key in keys(of: failures[index]) {
                if members[key] == nil { order.append(key) }
                members[key, default: []].append(index)
            }
        }
        // The first of those with most members.
        let best = order.max { (members[$0]?.count ?? 0) < (members[$1]?.count ?? 0) }
        return best.map { ($0, members[$0] ?? []) }
    }

    private static func keys(of result: ScenarioResult) -> [Key] {
        FailedRequirement.all(of: result).map { Key(requirement: $0, cause: cause(of: result)) }
    }

    /// Returns the failure of a result, without the values that differ from scenario to scenario.
    private static func cause(of result: ScenarioResult) -> String {
        if result.standing == .unexpectedPass { return "passes, although the baseline expects a failure" }
        guard let mismatch = result.verdict.mismatches.first else {
            return result.verdict.name == "failed" ? "fails" : result.verdict.name
        }
        return mismatch.subject == "source" ? Verdict.sentence(mismatch) : "\(mismatch.subject) differs"
    }
}

/// The failures from which failed dependencies follow.
private struct Roots {
    private let failures: [ScenarioResult]
    private let indices: [String: Int]

    init(_ failures: [ScenarioResult]) {
        self.failures = failures
        indices = Dictionary(failures.indices.map { (failures[$0].name, $0) }) { first, _ in first }
    }

    /// Returns the index of the failure that a result follows from; its own if it follows from none of the failures.
    func root(of index: Int) -> Int {
        var place = index
        // A dependency comes before what depends on it, so the chain ends after as many steps as there are failures.
        for _ in failures.indices {
            let result = failures[place]
            guard let id = result.verdict.failedDependency,
                let former = indices["\(id) [\(result.cacheKind.rawValue)]"], former != place
            else { return place }
            place = former
        }
        return place
    }
}
