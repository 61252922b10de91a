public import LocatedYAML

/// Suites that were loaded together, with checked references between them.
public struct ScenarioLibrary: Sendable {
    /// The requested suites, by path.
    public let suites: [Suite]
    /// Other suites that the requested ones depend on.
    public let dependencies: [Suite]

    /// Loads files, and folders with all `.yaml` files below them; throws every problem of every file.
    ///
    /// A file's name is its path below the last folder `scenarios`, by which the scenarios of other files can depend on its own.
    public static func load(
        _ paths: String...,
        language: ScenarioLanguage = .standard
    ) throws(YAMLProblems) -> ScenarioLibrary {
        try load(paths: paths, language: language)
    }

    /// Loads files, and folders with all `.yaml` files below them.
    ///
    /// A path whose first part does not exist on disk is looked up in `bundled`: texts by path, such as
    /// `scenarios/http/4.2-freshness/max-age.yaml`. With `realTime` the replacements of each scenario's `real-time` are
    /// made. Throws every problem of every file.
    package static func load(
        paths: [String],
        bundled: [String: String] = [:],
        realTime: Bool = false,
        language: ScenarioLanguage = .standard
    ) throws(YAMLProblems) -> ScenarioLibrary {
        let problems = ProblemCollector()
        var loader = LibraryLoader(
            bundled: bundled,
            realTime: realTime,
            language: language,
            problems: problems
        )
        for path in paths { loader.find(path: path) }
        loader.decodeFound()
        let count = loader.decoded.count
        loader.loadDependencies()
        DependencyCheck(loader.decoded, problems).run()
        try problems.throwIfAny()
        let suites = loader.decoded.map(\.suite)
        return ScenarioLibrary(suites: Array(suites[..<count]), dependencies: Array(suites[count...]))
    }
}
