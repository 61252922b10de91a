import FileReading
import LocatedYAML
import Locks
import TextCodings
import Threads

/// Finds and decodes scenario files.
struct LibraryLoader {
    /// Texts by path, for folders that are not on disk.
    private let bundled: [String: String]
    private let realTime: Bool
    private let language: ScenarioLanguage
    private let problems: ProblemCollector
    /// The decoded suites, in the order in which they were found.
    private(set) var decoded: [DecodedSuite] = []
    private var found: [FoundFile] = []
    private var seenFiles: Set<String> = []
    private var seenFolders: Set<String> = []
    private var roots: [Root] = []

    /// A folder `scenarios`.
    private struct Root {
        let real: String
        /// The same as the user named it, if the named files are in it.
        let name: String
    }

    private struct FoundFile: Sendable {
        var file: ScenarioFile
        /// Where it is on disk; `nil` for one that is bundled.
        var real: String?

        /// Reads the file, or takes its text from `bundled`.
        func text(in bundled: [String: String]) -> Result<String, FileAccess.Failure> {
            real.map(FileAccess.text) ?? bundled[file.name].map { .success($0) }
                ?? .failure(FileAccess.Failure(reason: "it is not part of the program"))
        }
    }

    init(bundled: [String: String], realTime: Bool, language: ScenarioLanguage, problems: ProblemCollector) {
        self.bundled = bundled
        self.realTime = realTime
        self.language = language
        self.problems = problems
    }

    /// Finds a file, or all files below a folder.
    mutating func find(path: String) {
        guard let real = FileAccess.realPath(path) else {
            if findBundled(path: path) { return }
            return report(path, found: "no file or folder of this name", expected: "scenarios")
        }
        let before = seenFiles.count
        guard FileAccess.names(inFolder: real) != nil else {
            return findFile(name: path, real: real, below: String(real.split(separator: "/").last ?? ""))
        }
        let name = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
        findFolder(name: name, real: real, below: "")
        let isEmpty = seenFiles.count == before && !seenFiles.contains { $0.hasPrefix(real + "/") }
        if isEmpty { report(path, found: "no .yaml file below it", expected: "scenarios") }
    }

    /// Finds bundled files; returns whether there are any, in a folder that the disk does not have.
    private mutating func findBundled(path: String) -> Bool {
        let parts = path.split(separator: "/").filter { $0 != "." }
        guard !path.hasPrefix("/"), let top = parts.first, FileAccess.realPath(String(top)) == nil else {
            return false
        }
        let names = bundled.keys.map { $0.split(separator: "/") }.filter { $0.starts(with: parts) }
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            addBundled(name.joined(separator: "/"))
        }
        return !names.isEmpty
    }

    private mutating func addBundled(_ name: String) {
        guard seenFiles.insert(name).inserted else { return }
        found.append(
            FoundFile(file: ScenarioFile(name: name, suitePath: ScenarioDecoder.suitePath(ofFile: name)))
        )
    }

    private mutating func findFolder(name: String, real: String, below: String) {
        // A link may lead back to a parent folder.
        guard let canonical = FileAccess.realPath(real), seenFolders.insert(canonical).inserted else {
            return
        }
        for entry in FileAccess.names(inFolder: real) ?? [] where !entry.hasPrefix(".") {
            let (path, realPath) = ("\(name)/\(entry)", "\(real)/\(entry)")
            let relative = below.isEmpty ? entry : "\(below)/\(entry)"
            if entry.hasSuffix(".yaml") {
                findFile(name: path, real: realPath, below: relative)
            } else if FileAccess.names(inFolder: realPath) != nil {
                findFolder(name: path, real: realPath, below: relative)
            }
        }
    }

    private mutating func findFile(name: String, real: String, below: String) {
        guard seenFiles.insert(real).inserted else { return }
        let file = ScenarioFile(name: name, suitePath: suitePath(name, real: real, below: below))
        found.append(FoundFile(file: file, real: real))
    }

    /// Returns the path below the folder `scenarios`, otherwise below the folder that the user named.
    private mutating func suitePath(_ name: String, real: String, below: String) -> String {
        let parts = real.split(separator: "/")
        guard let index = parts.dropLast().lastIndex(of: "scenarios") else {
            return ScenarioDecoder.suitePath(ofFile: "scenarios/" + below)
        }
        let root = "/" + parts[...index].joined(separator: "/")
        let path = ScenarioDecoder.suitePath(ofFile: real)
        if !roots.contains(where: { $0.real == root }) {
            let suffix = "/\(path).yaml"
            let named = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : root
            roots.append(Root(real: root, name: named))
        }
        return path
    }

    /// Decodes the files that were found, on all cores, and keeps their order.
    mutating func decodeFound() {
        let (files, bundled, realTime, language) = (found, bundled, realTime, language)
        found = []
        let results = Lock([Result<DecodedSuite, YAMLProblems>?](repeating: nil, count: files.count))
        onAllCores(count: files.count) { index in
            let text = files[index].text(in: bundled)
            let result = Self.decode(files[index].file, text, realTime: realTime, language: language)
            results.withLock { $0[index] = result }
        }
        for result in results.withLock({ $0 }) { result.map { add($0) } }
    }

    private mutating func add(_ result: Result<DecodedSuite, YAMLProblems>) {
        switch result {
        case .success(let suite): decoded.append(suite)
        case .failure(let error): error.problems.forEach(problems.add)
        }
    }

    private static func decode(
        _ file: ScenarioFile,
        _ text: Result<String, FileAccess.Failure>,
        realTime: Bool,
        language: ScenarioLanguage
    ) -> Result<DecodedSuite, YAMLProblems> {
        switch text {
        case .failure(let failure):
            let start = Position(file: file.name)
            let found = "a file that cannot be read (\(failure.reason))"
            return .failure(YAMLProblems(at: start, found: found, expected: "scenarios"))
        case .success(let text):
            return Result { () throws(YAMLProblems) in
                try ScenarioDecoder.decode(text: text, file: file, realTime: realTime, language: language)
            }
        }
    }

    /// Decodes the files of dependencies that were not requested, and of their dependencies.
    mutating func loadDependencies() {
        var index = 0
        while index < decoded.count {
            for (_, dependency) in decoded[index].dependencies {
                let path = dependency.value.split(separator: "/").dropLast().joined(separator: "/")
                guard !decoded.contains(where: { $0.suite.path == path }) else { continue }
                findDependency(path: path)
            }
            if !found.isEmpty { decodeFound() }
            index += 1
        }
    }

    private mutating func findDependency(path: String) {
        guard PathText.segmentsBelow(path) != nil else { return }
        for root in roots {
            guard let real = FileAccess.realPath("\(root.real)/\(path).yaml") else { continue }
            return findFile(name: "\(root.name)/\(path).yaml", real: real, below: path + ".yaml")
        }
        if roots.isEmpty, bundled["scenarios/\(path).yaml"] != nil { addBundled("scenarios/\(path).yaml") }
    }

    private func report(_ path: String, found: String, expected: String) {
        problems.add(at: Position(file: path), found: found, expected: expected)
    }
}
