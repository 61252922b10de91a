import LocatedYAML
import Scenarios

/// The text of a suite with one scenario, whose steps and further keys are given with their indentation.
func suiteText(steps: String, origin: String? = nil, more: String = "") -> String {
    var lines = [
        "suite: A suite", "scenarios:", "  - id: first", "    title: Something holds", "    level: must",
        "    rules: [rfc9111.4.2.fresh]",
    ]
    if let origin { lines += ["    origin:"] + indented(origin) }
    lines += indented(more, by: "    ") + ["    steps:"] + indented(steps)
    return lines.joined(separator: "\n") + "\n"
}

private func indented(_ text: String, by indentation: String = "      ") -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map { indentation + $0 }
}

/// The only scenario of a suite.
func scenario(_ text: String, realTime: Bool = false) throws -> Scenario {
    let suite = try ScenarioDecoder.decode(text: text, path: "scenarios/area/file.yaml", realTime: realTime)
    return suite.scenarios[0]
}

/// The steps of a scenario.
func steps(_ text: String, origin: String? = nil) throws -> [Step] {
    try scenario(suiteText(steps: text, origin: origin)).steps.map(\.step)
}

/// The problems of a file, one a line.
func problems(_ text: String, path: String = "f.yaml") -> String {
    do throws(YAMLProblems) {
        _ = try ScenarioDecoder.decode(text: text, path: path)
        return "none"
    } catch {
        return error.description
    }
}
