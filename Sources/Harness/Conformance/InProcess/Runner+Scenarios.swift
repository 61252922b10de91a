public import Scenarios

extension Runner {
    /// Creates a run of scenarios, as `Scenario.load` returns them; results are grouped by the folders of their ids.
    ///
    /// Scenarios that these depend on are run only if they are among them.
    public init(_ scenarios: [Scenario], options: RunOptions = RunOptions()) {
        var suites: [Suite] = []
        var indices: [String: Int] = [:]
        for scenario in scenarios {
            let path = scenario.id.split(separator: "/").dropLast().joined(separator: "/")
            let index = indices[path] ?? suites.count
            if index == suites.count { suites.append(Suite(path: path, title: "", scenarios: [])) }
            suites[index].scenarios.append(scenario)
            indices[path] = index
        }
        self.init(suites, options: options, version: "")
    }
}
