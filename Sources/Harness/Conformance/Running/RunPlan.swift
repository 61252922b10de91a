public import CacheSemantics
import Scenarios

/// The selection of what is run.
public struct Selection: Sendable {
    /// Patterns for full ids, at least one of which must match; empty for all.
    public var filters: [GlobPattern] = []
    /// Patterns for the ids of rules, at least one of which must match a rule of the scenario; empty for all.
    public var rules: [GlobPattern] = []
    /// Levels; empty for all.
    public var levels: Set<RuleLevel> = []
    /// Kinds of cache; empty for all that a scenario applies to.
    public var cacheKinds: Set<CacheKind> = []

    /// The part of the run; `nil` for the whole.
    public var shard: Shard?

    /// Creates a selection of everything.
    public init() {}

    func selects(_ scenario: Scenario) -> Bool {
        (levels.isEmpty || levels.contains(scenario.level))
            && (filters.isEmpty || filters.contains { $0.matches(scenario.id) })
            && (rules.isEmpty || rules.contains { scenario.rules.contains(where: $0.matches) })
            && shard?.contains(scenario.id) != false
    }

    func selects(_ kind: CacheKind) -> Bool {
        cacheKinds.isEmpty || cacheKinds.contains(kind)
    }
}

/// The scenarios of a run in the order of their files, each with one kind of cache and its dependencies.
struct RunPlan: Sendable {
    /// One scenario with one kind of cache.
    struct Item: Sendable {
        let scenario: Scenario
        let suite: Suite
        let cacheKind: CacheKind
        /// Indexes of the items that must pass first.
        var dependencies: [Int] = []
        /// The reason why it cannot run; `nil` if it can.
        var obstacle: String?
        /// The decorators of the built-in client's parts.
        var decoration = Decoration()
        /// Distinguishes concurrent runs of one scenario.
        var label = ""
    }
    private(set) var items: [Item] = []

    /// Plans the selected scenarios and their dependencies.
    init(_ suites: [Suite], dependencies: [Suite] = [], selection: Selection) {
        let all = suites + dependencies
        let selected = suites.flatMap(\.scenarios).filter(selection.selects).map(\.id)
        let wanted = Self.closure(of: selected, in: all.flatMap(\.scenarios))
        for suite in all {
            for scenario in suite.scenarios where wanted.contains(scenario.id) {
                for kind in scenario.cacheKinds where selection.selects(kind) {
                    items.append(Item(scenario: scenario, suite: suite, cacheKind: kind))
                }
            }
        }
        connect()
        refuseCycles()
    }

    /// Puts the same around the client in every item.
    mutating func decorate(with decoration: Decoration, label: String) {
        for index in items.indices {
            items[index].decoration = decoration
            items[index].label = label
        }
    }

    /// Returns the ids of the selected scenarios and of all their dependencies.
    private static func closure(of selected: [String], in scenarios: [Scenario]) -> Set<String> {
        let dependencies = Dictionary(scenarios.map { ($0.id, $0.dependencies) }) { first, _ in first }
        var wanted: Set<String> = []
        var open = selected
        while let id = open.popLast() {
            guard wanted.insert(id).inserted else { continue }
            open += dependencies[id] ?? []
        }
        return wanted
    }

    private mutating func connect() {
        var indices: [String: [Int]] = [:]
        for (index, item) in items.enumerated() { indices[item.scenario.id, default: []].append(index) }
        for index in items.indices {
            let kind = items[index].cacheKind
            for id in items[index].scenario.dependencies {
                // If a dependency is not run with this kind of cache, it must pass with the kinds that it is run with.
                let all = indices[id] ?? []
                let same = all.filter { items[$0].cacheKind == kind }
                items[index].dependencies += same.isEmpty ? all : same
            }
        }
    }

    /// Marks items in a dependency cycle and removes their dependencies.
    private mutating func refuseCycles() {
        for index in placesInCycles {
            items[index].dependencies = []
            items[index].obstacle = "its dependencies are circular"
        }
    }

    /// The items that cannot run because they depend on themselves, or on an item that does.
    private var placesInCycles: [Int] {
        var missing = items.map { Set($0.dependencies).count }
        var followers: [Int: Set<Int>] = [:]
        for (index, item) in items.enumerated() {
            for dependency in item.dependencies { followers[dependency, default: []].insert(index) }
        }
        var ready = items.indices.filter { missing[$0] == 0 }
        while let index = ready.popLast() {
            for follower in followers[index] ?? [] {
                missing[follower] -= 1
                if missing[follower] == 0 { ready.append(follower) }
            }
        }
        return items.indices.filter { missing[$0] > 0 }
    }
}
