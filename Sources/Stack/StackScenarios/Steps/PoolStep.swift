public import LocatedYAML
import OriginScript
public import Scenarios

/// Requests that are cancelled through the pool, and what it must know of those that run.
public struct PoolStep: Sendable {
    /// Which requests are cancelled.
    public enum Cancelling: Sendable, Hashable {
        /// All.
        case all
        /// Those of these paths.
        case paths([String])
        /// Those of a path, a method and exactly these parameters.
        case exactly(path: String, method: String, parameters: [String: ParameterValue])
        /// Those of a kind: `ordinary`, `upload` or `download`.
        case kind(String)
    }
    /// Which requests are cancelled; `nil` for none.
    public var cancelling: Cancelling?
    /// The profile; `nil` is the scenario's.
    public var profile: StackProfile?
    /// How many were cancelled.
    public var cancelled: Located<NumberExpectation>?
    /// How many run.
    public var count: Located<NumberExpectation>?
    /// Whether any runs.
    public var isBusy: Located<Bool>?
    /// Method and path of those that run, in the order in which they began.
    public var requests: Located<[String]>?
    /// The kinds of those that run, in the order in which they are listed by kind.
    public var kinds: Located<[String]>?
    /// What lines of the descriptions must have in them, in this order.
    public var descriptions: Located<[String]>?
    /// How many wait for their turn.
    public var waiting: Located<NumberExpectation>?

    /// Creates a step that cancels nothing and expects nothing.
    public init() {}
}

/// What the pool knows.
public struct PoolObservation: Sendable {
    /// How many were cancelled.
    public var cancelled = 0
    /// Method and path of those that run, in the order in which they began.
    public var requests: [String] = []
    /// The kinds of those that run, in the order in which they are listed by kind.
    public var kinds: [String] = []
    /// Whether it says that any runs.
    public var isBusy = false
    /// The descriptions, line by line.
    public var descriptions: [String] = []
    /// How many wait for their turn.
    public var waiting = 0

    /// Creates an observation of an empty pool.
    public init() {}
}

extension PoolStep {
    /// Returns what of this does not hold.
    public func check(_ seen: PoolObservation) -> [Mismatch] {
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
    /// What is cancelled through the pool, and what it must then know.
    func pool(_ node: YAMLNode, expect: YAMLNode?) -> PoolStep? {
        var step = PoolStep()
        let node = node.isNull ? YAMLNode(.mapping([]), at: node.position) : node
        guard let map = MapReader<PoolKey>(node, problems) else { return nil }
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
