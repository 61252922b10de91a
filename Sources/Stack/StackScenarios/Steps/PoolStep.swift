package import LocatedYAML
import OriginScript
package import Scenarios

/// A step that cancels requests through the pool and checks the pool's state.
package struct PoolStep: Sendable {
    /// The requests to cancel.
    package enum Cancelling: Sendable, Hashable {
        /// All requests.
        case all
        /// The requests with these paths.
        case paths([String])
        /// The requests with a path, a method and exactly these parameters.
        case exactly(path: String, method: String, parameters: [String: ParameterValue])
        /// The requests of a kind: `ordinary`, `upload` or `download`.
        case kind(String)
    }
    /// The requests to cancel; `nil` if there are none.
    package var cancelling: Cancelling?
    /// The profile; `nil` for the scenario's.
    package var profile: StackProfile?
    /// The number of cancelled requests.
    package var cancelled: Located<NumberExpectation>?
    /// The number of running requests.
    package var count: Located<NumberExpectation>?
    /// Whether any request is running.
    package var isBusy: Located<Bool>?
    /// Method and path of the running requests, in the order in which they started.
    package var requests: Located<[String]>?
    /// The kinds of the running requests, grouped by kind.
    package var kinds: Located<[String]>?
    /// Texts that lines of the descriptions must contain, in this order.
    package var descriptions: Located<[String]>?
    /// The number of waiting requests.
    package var waiting: Located<NumberExpectation>?

    /// Creates a step without actions and expectations.
    package init() {}
}

/// The state of the pool.
package struct PoolObservation: Sendable {
    /// The number of cancelled requests.
    package var cancelled = 0
    /// Method and path of the running requests, in the order in which they started.
    package var requests: [String] = []
    /// The kinds of the running requests, grouped by kind.
    package var kinds: [String] = []
    /// Whether any request is running.
    package var isBusy = false
    /// The descriptions, line by line.
    package var descriptions: [String] = []
    /// The number of waiting requests.
    package var waiting = 0

    /// Creates an observation of an empty pool.
    package init() {}
}

extension PoolStep {
    /// Returns the expectations that are not met.
    package func check(_ seen: PoolObservation) -> [Mismatch] {
        var mismatches = Mismatches()
        mismatches.check(cancelled, "cancelled", seen.cancelled)
        mismatches.check(count, "count", seen.requests.count)
        mismatches.check(waiting, "waiting", seen.waiting)
        mismatches.check(requests, "requests", seen.requests)
        mismatches.check(kinds, "kinds", seen.kinds)
        mismatches.check(isBusy, "busy", seen.isBusy)
        mismatches.check(lines: descriptions, "descriptions", seen.descriptions)
        return mismatches.list
    }
}

extension StackReading {
    /// Reads the requests to cancel through the pool, and its expected state.
    func pool(_ node: YAMLNode, expect: YAMLNode?) -> PoolStep? {
        var step = PoolStep()
        guard let map = MapReader<PoolKey>(node.orEmptyMap, problems) else { return nil }
        step.profile = map.optional(.profile, Reader<StackProfile>.choice)
        step.cancelling = map[.cancel].flatMap(cancelling)
        guard let expect, let wanted = MapReader<PoolExpectKey>(expect, problems) else { return step }
        step.cancelled = wanted.located(.cancelled, ScenarioReading.comparison(of: .number))
        step.count = wanted.located(.count, ScenarioReading.comparison(of: .number))
        step.waiting = wanted.located(.waiting, ScenarioReading.comparison(of: .number))
        step.isBusy = wanted.located(.busy, .bool)
        step.requests = wanted.located(.requests, Reader.text.list())
        step.kinds = wanted.located(.kinds, Reader.word(of: Self.kinds).list())
        step.descriptions = wanted.located(.descriptions, Reader.text.oneOrMore())
        return step
    }

    private static let kinds = ["ordinary", "upload", "download"]

    private func cancelling(_ node: YAMLNode) -> PoolStep.Cancelling? {
        if node.scalarText == "all" { return .all }
        guard node.pairs != nil else {
            return Reader.fetchPath.oneOrMore().read(node, problems).map { .paths($0) }
        }
        guard let map = MapReader<PoolCancelKey>(node, problems) else { return nil }
        if let kind = map.optional(.kind, Reader.word(of: Self.kinds)) { return .kind(kind) }
        guard let path = map.required(.path, .fetchPath) else { return nil }
        return .exactly(
            path: path,
            method: map.optional(.method, .method) ?? "GET",
            parameters: map.optional(.parameters, ParameterValue.constants) ?? [:]
        )
    }
}
