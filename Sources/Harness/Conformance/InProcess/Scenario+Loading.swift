import BundledFiles
public import CacheSemantics
public import LocatedYAML
public import Scenarios

extension Scenario {
    /// Loads the scenarios of files and folders that apply to a kind of cache.
    ///
    /// A path whose first part does not exist on disk is looked up in the files that are built in: `scenarios/http` are
    /// those for RFC 9111 and its family. `level` selects one level; default all. `language` is the one that the files
    /// are written in; by default it has no steps of extensions. Throws every problem of every file.
    public static func load(
        _ paths: String...,
        level: RuleLevel? = nil,
        for kind: CacheKind = .private,
        language: ScenarioLanguage = .standard
    ) throws(YAMLProblems) -> [Scenario] {
        let library = try ScenarioLibrary.load(
            paths: paths,
            bundled: BundledFiles.scenarios,
            language: language
        )
        return library.suites.flatMap(\.scenarios).filter { scenario in
            scenario.cacheKinds.contains(kind) && (level == nil || scenario.level == level)
        }
    }
}

extension BundledFiles {
    /// The texts of the scenarios that are built in, by path: `scenarios/http/4.2-freshness/max-age.yaml`.
    package static var scenarios: [String: String] {
        let files = archive.paths(below: "scenarios").filter { $0.hasSuffix(".yaml") }
        return Dictionary(uniqueKeysWithValues: files.map { ($0, archive.text($0) ?? "") })
    }
}
