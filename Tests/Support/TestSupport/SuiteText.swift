/// Returns the text of a suite with one scenario, whose steps and other keys are given with their indentation.
package func suiteText(steps: String, origin: String? = nil, more: String = "") -> String {
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
