import LocatedYAML

/// Finds missing and circular dependencies, and suites with the same path.
struct DependencyCheck {
    private let decoded: [DecodedSuite]
    private let problems: ProblemCollector
    private var edges: [String: [Located<String>]] = [:]

    init(_ decoded: [DecodedSuite], _ problems: ProblemCollector) {
        self.decoded = decoded
        self.problems = problems
        for (scenario, dependency) in decoded.flatMap(\.dependencies) {
            edges[scenario, default: []].append(dependency)
        }
    }

    func run() {
        let ids = decoded.flatMap(\.suite.scenarios).map(\.id)
        let known = Set(ids)
        checkPaths()
        for dependency in decoded.flatMap(\.dependencies).map(\.dependency)
        where !known.contains(dependency.value) {
            problems.add(
                at: dependency.position,
                found: "undefined scenario \(YAMLNode.quoted(dependency.value))",
                expected: NearestKey.suggestion(for: dependency.value, among: ids).map { "\"\($0)\"" }
                    ?? "the id of a scenario, or its file and id"
            )
        }
        checkCycles()
    }

    private func checkPaths() {
        var seen: Set<String> = []
        for suite in decoded.map(\.suite) where !seen.insert(suite.path).inserted {
            guard let position = suite.scenarios.first?.position else { continue }
            problems.add(
                at: position,
                found: "a second file with the name \(YAMLNode.quoted(suite.path))",
                expected: "a unique name"
            )
        }
    }

    private func checkCycles() {
        var finished: Set<String> = []
        for scenario in edges.keys.sorted() where !finished.contains(scenario) {
            var path: [String] = []
            visit(scenario, &path, &finished)
        }
    }

    private func visit(_ scenario: String, _ path: inout [String], _ finished: inout Set<String>) {
        path.append(scenario)
        for dependency in edges[scenario] ?? [] where !finished.contains(dependency.value) {
            if let start = path.firstIndex(of: dependency.value) {
                let cycle = (path[start...] + [dependency.value]).joined(separator: ", ")
                let found = "a circular dependency: \(cycle)"
                problems.add(at: dependency.position, found: found, expected: "dependencies without cycles")
            } else if path.count < 1000 {
                visit(dependency.value, &path, &finished)
            }
        }
        path.removeLast()
        finished.insert(scenario)
    }
}
