public import LocatedYAML

/// Suites that were loaded together, with their references to each other checked.
public struct ScenarioLibrary: Sendable {
    /// The suites asked for, by path.
    public let suites: [Suite]
    /// Suites beside those, which they depend on.
    public let dependencies: [Suite]

    /// Loads files, and folders with all `.yaml` files below them.
    ///
    /// With `realTime` the replacements of each scenario's `real-time` are made. Throws every problem of every
    /// file.
    public static func load(
        paths: [String],
        realTime: Bool = false,
        catalogue: RuleCatalogue = .standard
    ) throws(YAMLProblems) -> ScenarioLibrary {
        let problems = ProblemCollector()
        var loader = LibraryLoader(realTime: realTime, catalogue: catalogue, problems: problems)
        for path in paths { loader.load(path: path) }
        let count = loader.decoded.count
        loader.loadDependencies()
        DependencyCheck(loader.decoded, problems).run()
        try problems.throwIfAny()
        let suites = loader.decoded.map(\.suite)
        return ScenarioLibrary(suites: Array(suites[..<count]), dependencies: Array(suites[count...]))
    }
}

/// Finds and reads files.
private struct LibraryLoader {
    let realTime: Bool
    let catalogue: RuleCatalogue
    let problems: ProblemCollector
    var decoded: [DecodedSuite] = []
    private var seen: Set<String> = []
    private var roots: [String] = []

    init(realTime: Bool, catalogue: RuleCatalogue, problems: ProblemCollector) {
        self.realTime = realTime
        self.catalogue = catalogue
        self.problems = problems
    }

    /// Loads a file, or everything below a folder.
    mutating func load(path: String) {
        guard let real = FileAccess.realPath(path) else {
            return report(path, found: "no file or folder of this name", expected: "scenarios")
        }
        let before = seen.count
        guard FileAccess.names(inFolder: real) != nil else {
            return loadFile(name: path, real: real, below: String(real.split(separator: "/").last ?? ""))
        }
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        loadFolder(name: name, real: real, below: "")
        if seen.count == before { report(path, found: "no .yaml file below it", expected: "scenarios") }
    }

    private mutating func loadFolder(name: String, real: String, below: String) {
        for entry in FileAccess.names(inFolder: real) ?? [] where !entry.hasPrefix(".") {
            let (path, realPath) = ("\(name)/\(entry)", "\(real)/\(entry)")
            let relative = below.isEmpty ? entry : "\(below)/\(entry)"
            if entry.hasSuffix(".yaml") {
                loadFile(name: path, real: realPath, below: relative)
            } else if FileAccess.names(inFolder: realPath) != nil {
                loadFolder(name: path, real: realPath, below: relative)
            }
        }
    }

    private mutating func loadFile(name: String, real: String, below: String) {
        guard seen.insert(real).inserted else { return }
        guard let text = FileAccess.text(ofFile: real) else {
            return report(name, found: "a file that cannot be read as UTF-8", expected: "scenarios")
        }
        let file = ScenarioFile(name: name, suitePath: suitePath(real: real, below: below))
        do throws(YAMLProblems) {
            let suite = try ScenarioDecoder.decode(
                text: text,
                file: file,
                realTime: realTime,
                catalogue: catalogue
            )
            decoded.append(suite)
        } catch {
            error.problems.forEach(problems.add)
        }
    }

    /// The path below the folder `scenarios`, or else below the folder that was named.
    private mutating func suitePath(real: String, below: String) -> String {
        let parts = real.split(separator: "/")
        guard let index = parts.dropLast().lastIndex(of: "scenarios") else {
            return ScenarioDecoder.suitePath(ofFile: "scenarios/" + below)
        }
        let root = "/" + parts[...index].joined(separator: "/")
        if !roots.contains(root) { roots.append(root) }
        return ScenarioDecoder.suitePath(ofFile: real)
    }

    /// Loads the files of dependencies that were not asked for, and of theirs.
    mutating func loadDependencies() {
        var index = 0
        while index < decoded.count {
            for (_, dependency) in decoded[index].dependencies {
                let path = dependency.value.split(separator: "/").dropLast().joined(separator: "/")
                guard !decoded.contains(where: { $0.suite.path == path }) else { continue }
                loadDependency(path: path)
            }
            index += 1
        }
    }

    private mutating func loadDependency(path: String) {
        guard !path.split(separator: "/").contains("..") else { return }
        for root in roots {
            guard let real = FileAccess.realPath("\(root)/\(path).yaml") else { continue }
            return loadFile(name: real, real: real, below: path + ".yaml")
        }
    }

    private func report(_ path: String, found: String, expected: String) {
        problems.add(at: Position(file: path, line: 1, column: 1), found: found, expected: expected)
    }
}
