import FileReading
public import LocatedYAML
public import OriginScript

/// The keys of a file of rules.
enum ProxyRuleFileKey: String, MapKey {
    case rules, faults
    static let mapName = "a file of rules"
}

/// The rules of a proxy, and faults of all its connections and requests.
public struct ProxyRuleFile: Sendable {
    let rules: [ProxyRule]
    /// Faults of all connections and requests.
    public let faults: [Fault]
    /// Folder of the files that answers name; `nil` is none.
    let folder: String?

    /// Rules that change nothing.
    public static let empty = ProxyRuleFile(rules: [], faults: [], folder: nil)

    init(rules: [ProxyRule], faults: [Fault], folder: String?) {
        (self.rules, self.faults, self.folder) = (rules, faults, folder)
    }

    /// Number of rules.
    public var count: Int { rules.count }

    /// Decodes the text of a file, whose answers may name files of its folder; throws all its problems.
    public static func decode(_ text: String, path: String) throws(YAMLProblems) -> ProxyRuleFile {
        try decode(try YAMLNode.parse(text, file: path), folder: FileAccess.folder(of: path))
    }

    /// Decodes the map of a file.
    public static func decode(_ root: YAMLNode, folder: String? = nil) throws(YAMLProblems) -> ProxyRuleFile {
        let problems = ProblemCollector()
        let map = MapReader<ProxyRuleFileKey>(root, problems)
        let rules = map?.optional(.rules, ProxyRule.listReader) ?? []
        let faults = map?.optional(.faults, Fault.listReader) ?? []
        if let map, map.node.pairs?.isEmpty == true {
            problems.add(at: map.position, found: "no rules", expected: "\"rules\" or \"faults\"")
        }
        try problems.throwIfAny()
        return ProxyRuleFile(rules: rules, faults: faults, folder: folder)
    }
}

/// The result of a change of a file of rules.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RuleEvent: Sendable {
    /// This many rules are in effect now.
    case loaded(rules: Int)
    /// The file has problems; the previous rules stay in effect.
    case refused(YAMLProblems)
}
