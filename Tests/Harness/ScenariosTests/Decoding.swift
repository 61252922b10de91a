import LocatedYAML
import Scenarios
import TestSupport

/// Returns the only scenario of a suite.
func scenario(_ text: String, realTime: Bool = false) throws -> Scenario {
    let suite = try ScenarioDecoder.decode(text: text, path: "scenarios/area/file.yaml", realTime: realTime)
    return suite.scenarios[0]
}

/// Returns the steps of a scenario.
func steps(_ text: String, origin: String? = nil) throws -> [Step] {
    try scenario(suiteText(steps: text, origin: origin)).steps.map(\.step)
}

/// Returns the problems of a file, one per line.
func problems(_ text: String, path: String = "f.yaml") -> String {
    do throws(YAMLProblems) {
        _ = try ScenarioDecoder.decode(text: text, path: path)
        return "none"
    } catch {
        return error.description
    }
}
