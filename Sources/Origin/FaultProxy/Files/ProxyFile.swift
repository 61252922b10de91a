import FileReading
public import LocatedYAML

/// The keys of a file of proxies.
enum ProxyFileKey: String, MapKey {
    case seed, proxies
    static let mapName = "a file of proxies"
}

/// Several proxies, as a YAML file defines them.
public struct ProxyFile: Sendable {
    /// The seed of all random decisions; `nil` if the file has none.
    public let seed: UInt64?
    /// The proxies, each with its own name and address; never empty.
    public let proxies: [ProxyDefinition]

    /// Decodes the text of a file, whose answers may name files of its folder; throws all its problems.
    public static func decode(_ text: String, path: String) throws(YAMLProblems) -> ProxyFile {
        let root = try YAMLNode.parse(text, file: path)
        let problems = ProblemCollector()
        let map = MapReader<ProxyFileKey>(root, problems)
        let reader = ProxyDefinition.reader(folder: FileAccess.folder(of: path))
        let proxies = map?.required(.proxies, reader.list()) ?? []
        let seed = map?.optional(.seed, seeds)
        if let node = map?[.proxies] { check(proxies, node, problems) }
        try problems.throwIfAny()
        return ProxyFile(seed: seed, proxies: proxies)
    }

    private static var seeds: Reader<UInt64> { Reader(expected: "a number from 0") { UInt64($0.text) } }

    private static func check(_ proxies: [ProxyDefinition], _ node: YAMLNode, _ problems: ProblemCollector) {
        let nodes = node.elements ?? []
        if nodes.isEmpty, node.elements != nil {
            problems.add(at: node.position, found: "an empty list", expected: "at least one proxy")
        }
        // If one has a problem itself, the positions of those after it are uncertain.
        guard nodes.count == proxies.count else { return }
        var names: Set<String> = []
        var addresses: Set<ListenAddress> = []
        for (proxy, node) in zip(proxies, nodes) {
            let listen = proxy.endpoints.listen
            if !names.insert(proxy.name).inserted {
                problems.add(
                    at: node.position,
                    found: "name \(YAMLNode.quoted(proxy.name)) of another proxy",
                    expected: "a unique name"
                )
            }
            if listen.port != nil, !addresses.insert(listen).inserted {
                problems.add(
                    at: node.position,
                    found: "\(listen), where another proxy listens",
                    expected: "an address and a port that no other proxy uses"
                )
            }
        }
    }
}
