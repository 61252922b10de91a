public import LocatedYAML

/// Decodes scenario files.
package enum ScenarioDecoder {
    /// Decodes the text of one file.
    ///
    /// `path` is the file's path as the user gave it; the part after its folder `scenarios/`, without `.yaml`, is the
    /// suite's path. With `realTime` the replacements of each scenario's `real-time` are made first.
    /// Dependencies on other files are not checked: `ScenarioLibrary` does that.
    package static func decode(
        text: String,
        path: String,
        realTime: Bool = false,
        language: ScenarioLanguage = .standard
    ) throws(YAMLProblems) -> Suite {
        let file = ScenarioFile(name: path, suitePath: suitePath(ofFile: path))
        let decoded = try decode(text: text, file: file, realTime: realTime, language: language)
        return decoded.suite
    }

    /// Returns the suite path of a file: below the last folder `scenarios`, otherwise the file's name.
    package static func suitePath(ofFile path: String) -> String {
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

extension Suite {
    /// Reads the text of a file of scenarios, as scenarios/README.md describes it; throws every problem.
    ///
    /// `file` is its name in problems; the part after its folder `scenarios/`, without `.yaml`, is the suite's path. That
    /// scenarios on which others depend exist is not checked: `ScenarioLibrary` does that.
    public init(text: String, file: String, language: ScenarioLanguage = .standard) throws(YAMLProblems) {
        self = try ScenarioDecoder.decode(text: text, path: file, language: language)
    }
}

/// A file with both of its names.
struct ScenarioFile: Sendable, Hashable {
    /// The name that the user gave, for positions.
    var name: String
    /// The path below the scenarios folder, without `.yaml`.
    var suitePath: String
}

/// A suite and its dependencies on other files.
struct DecodedSuite: Sendable {
    var suite: Suite
    /// The dependencies with their positions, by the id of the dependent scenario.
    var dependencies: [(scenario: String, dependency: Located<String>)]
}
