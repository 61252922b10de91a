public import LocatedYAML

/// Reads files of scenarios.
public enum ScenarioDecoder {
    /// Reads the text of one file.
    ///
    /// `path` is the file as the user named it; what follows its folder `scenarios/`, without `.yaml`, is the
    /// suite's path. With `realTime` the replacements of each scenario's `real-time` are made first.
    /// Dependencies on other files are not looked up: `ScenarioLibrary` does that.
    public static func decode(
        text: String,
        path: String,
        realTime: Bool = false,
        language: ScenarioLanguage = .standard
    ) throws(YAMLProblems) -> Suite {
        let file = ScenarioFile(name: path, suitePath: suitePath(ofFile: path))
        let decoded = try decode(text: text, file: file, realTime: realTime, language: language)
        return decoded.suite
    }

    /// Returns the suite path of a file: below the last folder `scenarios`, or else the file's name.
    public static func suitePath(ofFile path: String) -> String {
        let parts = path.split(separator: "/")
        let below = parts.lastIndex(of: "scenarios").map { parts[($0 + 1)...] } ?? parts.suffix(1)
        let joined = below.joined(separator: "/")
        return joined.hasSuffix(".yaml") ? String(joined.dropLast(5)) : joined
    }

    static func decode(
        text: String,
        file: ScenarioFile,
        realTime: Bool,
        language: ScenarioLanguage
    ) throws(YAMLProblems) -> DecodedSuite {
        let root = try YAMLNode.parse(text, file: file.name)
        let problems = ProblemCollector()
        let reader = SuiteReader(file: file, realTime: realTime, language: language, problems: problems)
        let decoded = reader.read(root)
        try problems.throwIfAny()
        return decoded
    }
}

/// A file by both of its names.
struct ScenarioFile: Sendable, Hashable {
    /// As the user named it, for positions.
    var name: String
    /// Below the scenarios folder, without `.yaml`.
    var suitePath: String
}

/// A suite and what it says about other files.
struct DecodedSuite: Sendable {
    var suite: Suite
    /// The dependencies with their places, by the id of the scenario that has them.
    var dependencies: [(scenario: String, dependency: Located<String>)]
}
