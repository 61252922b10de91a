public import LocatedYAML

/// The keys of a file of faults.
package enum FaultsFileKey: String, MapKey {
    case faults
    package static let mapName = "a file of faults"
}

/// A file with the faults of a whole server: `faults:` and a list.
public enum FaultsFile {
    /// Decodes the text of a file; throws all problems of the file, each with its position.
    public static func decode(_ text: String, file: String) throws(YAMLProblems) -> [Fault] {
        let root = try YAMLNode.parse(text, file: file)
        let problems = ProblemCollector()
        let map = MapReader<FaultsFileKey>(root, problems)
        let faults = map?.required(.faults, Fault.listReader) ?? []
        try problems.throwIfAny()
        return faults
    }
}
