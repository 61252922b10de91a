import CacheSemantics
import LocatedYAML
import PublicSuite
import Scenarios

/// Counts the results of a run as the suite does: a test has no verdict if one that it depends on failed.
struct SuiteVerdicts {
    private struct Key: Hashable {
        let id: String
        let cacheKind: CacheKind
    }
    private let items: [SuitePlan.Item]
    private let outcomes: [SuiteOutcome]
    private var indices: [Key: Int] = [:]
    private var classes: [Key: SuiteClass] = [:]

    init(_ items: [SuitePlan.Item], _ outcomes: [SuiteOutcome]) {
        self.items = items
        self.outcomes = outcomes
        for (index, item) in items.enumerated() {
            indices[Key(id: item.test.id, cacheKind: item.cacheKind)] = index
        }
    }

    /// Returns the results in the order of the items.
    mutating func results() -> [ScenarioResult] { items.indices.map { result(at: $0) } }

    private mutating func result(at index: Int) -> ScenarioResult {
        let item = items[index]
        let outcome = outcomes[index]
        let standing = standing(of: Key(id: item.test.id, cacheKind: item.cacheKind))
        var result = ScenarioResult(
            item,
            verdict: verdict(of: item, standing, outcome.result),
            suiteClass: standing,
            seconds: outcome.seconds
        )
        (result.steps, result.suiteResult) = (outcome.steps, outcome.result)
        result.markFailure(outcome.result)
        result.isSubjectLost = outcome.isSubjectLost
        return result
    }

    /// Returns the class of a test; dependencies in other files are ignored.
    private mutating func standing(of key: Key) -> SuiteClass {
        if let known = classes[key] { return known }
        guard let index = indices[key] else { return .untested }
        // Tests in a dependency cycle fail.
        classes[key] = .dependencyFail
        let item = items[index]
        let hasFailedDependency = item.test.dependencies.contains { dependencyFails($0, item.cacheKind) }
        let own = SuiteClass(outcomes[index].result, kind: item.test.kind)
        classes[key] = own == .untested || !hasFailedDependency ? own : .dependencyFail
        return classes[key] ?? own
    }

    private mutating func dependencyFails(_ id: String, _ kind: CacheKind) -> Bool {
        let key = Key(id: id, cacheKind: kind)
        return indices[key] != nil && !standing(of: key).holds
    }

    private mutating func verdict(
        of item: SuitePlan.Item,
        _ standing: SuiteClass,
        _ result: SuiteResult?
    ) -> Verdict {
        guard case .failed(let failure) = result else {
            return standing == .dependencyFail ? dependencyFailure(of: item) : verdict(of: item, standing)
        }
        return switch standing {
        case .dependencyFail: dependencyFailure(of: item)
        case .setupFail, .retry: .setupFailed("\(standing.rawValue): \(failure.message)")
        case .harnessFail: .harnessError("\(standing.rawValue): \(failure.message)")
        default: .failed([Mismatch(failure, in: item.test)])
        }
    }

    /// Whether the subject or the origin was gone before a test, or one that it depends on, ended.
    private func wasLost(_ id: String, _ kind: CacheKind, besides seen: Set<String> = []) -> Bool {
        guard !seen.contains(id), let index = indices[Key(id: id, cacheKind: kind)] else { return false }
        return outcomes[index].isSubjectLost
            || items[index].test.dependencies.contains { wasLost($0, kind, besides: seen.union([id])) }
    }

    private func verdict(of item: SuitePlan.Item, _ standing: SuiteClass) -> Verdict {
        standing == .untested ? .skipped(reason: item.obstacle ?? "The test was not run.") : .passed
    }

    private mutating func dependencyFailure(of item: SuitePlan.Item) -> Verdict {
        let first = item.test.dependencies.first { dependencyFails($0, item.cacheKind) }
        if let first, wasLost(first, item.cacheKind) {
            return .harnessError("\(first), on which it depends, was not judged")
        }
        return .dependencyFailed(on: first ?? item.test.id)
    }
}

extension Mismatch {
    init(_ failure: SuiteResult.Failure, in test: SuiteTest) {
        let index = failure.request - 1
        let position = test.requests.indices.contains(index) ? test.requests[index].position : test.position
        self.init(
            position: position.description,
            subject: "request \(failure.request), \(failure.member)",
            expected: failure.expected,
            seen: failure.seen
        )
    }
}

extension ScenarioResult {
    fileprivate init(_ item: SuitePlan.Item, verdict: Verdict, suiteClass: SuiteClass, seconds: Double) {
        self.init(
            id: item.test.id,
            suite: item.file,
            area: item.area,
            title: item.test.name,
            level: item.test.kind.level,
            cacheKind: item.cacheKind,
            position: item.test.position,
            verdict: verdict,
            seconds: seconds
        )
        self.suiteClass = suiteClass
    }

    /// Adds the mismatch to the step that it belongs to.
    fileprivate mutating func markFailure(_ result: SuiteResult?) {
        guard case .failed(let failure) = result, case .failed(let mismatches) = verdict else { return }
        let asking = steps.indices.filter { !steps[$0].exchanges.isEmpty }
        if let place = asking.dropFirst(failure.request - 1).first { steps[place].mismatches = mismatches }
    }
}
