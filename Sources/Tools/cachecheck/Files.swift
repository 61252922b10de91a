import ArgumentParser
import BundledFiles
import CLibrary
import Conformance
import FileReading
import LocatedYAML
import PublicSuite
import Scenarios
import StackScenarios

/// Returns the scenario language with all extensions that this program can run.
func scenarioLanguage() throws -> ScenarioLanguage {
    try orStop(ExitStatus.internalError) { try .withStack() }
}

/// Reads scenario files, the bundled ones if the disk has no folder `scenarios`; ends the command with all their problems
/// if they are invalid.
func loadScenarios(
    _ paths: [String],
    realTime: Bool = false,
    rules: RuleOptions? = nil
) throws -> ScenarioLibrary {
    let language = try rules?.language() ?? scenarioLanguage()
    return try orStop(ExitStatus.badFile) {
        try ScenarioLibrary.load(
            paths: paths,
            bundled: bundledScenarios(for: paths),
            realTime: realTime,
            language: language
        )
    }
}

/// Returns the bundled scenarios, by path, if any of these paths is not on disk.
private func bundledScenarios(for paths: [String]) -> [String: String] {
    if paths.allSatisfy({ access($0, F_OK) == 0 }) { return [:] }
    return BundledFiles.scenarios
}

/// Returns the text of a file on disk, or of a bundled one; `nil` if there is neither.
func readShippedText(_ path: String) -> String? {
    access(path, F_OK) == 0 ? readText(path) : BundledFiles.archive.text(path)
}

/// Reads files of the public suite; ends the command with all their problems if they are invalid.
func loadSuites(_ paths: [String]) throws -> [SuiteFile] {
    var problems: [Problem] = []
    var files: [SuiteFile] = []
    for path in paths {
        do throws(YAMLProblems) { files.append(try loadSuite(path)) } catch { problems += error.problems }
    }
    problems += SuiteFile.problems(in: files)
    if !problems.isEmpty { throw stop(YAMLProblems(problems), ExitStatus.badFile) }
    return files
}

private func loadSuite(_ path: String) throws(YAMLProblems) -> SuiteFile {
    try SuiteFile.decode(json: try decodableText(path, expected: "tests"), file: path)
}

/// Returns the text of a file; `nil` if it cannot be read, or is not UTF-8.
func readText(_ path: String) -> String? {
    if case .success(let text) = text(ofFile: path) { text } else { nil }
}

/// Returns the text of a file; ends the command with the reason if it cannot be read.
func requiredText(_ path: String) throws -> String {
    switch text(ofFile: path) {
    case .success(let text): return text
    case .failure(let failure):
        throw stop("\(path) cannot be read: \(failure.reason)", ExitStatus.badFile)
    }
}

/// Returns the text of a file; throws the reason as a problem of the file, which should have been `expected`.
func decodableText(_ path: String, named name: String? = nil, expected: String) throws(YAMLProblems) -> String
{
    try orProblem(text(ofFile: path), of: name ?? path, expected: expected)
}

/// Returns the text of a file, which is read as ISO-8859-1 if it is not UTF-8, as HTTP historically allowed in field
/// values (RFC 9110 §5.5).
func decodableHeads(_ path: String, named name: String, expected: String) throws(YAMLProblems) -> String {
    let bytes = try orProblem(FileAccess.content(ofFile: path), of: name, expected: expected)
    return String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map(UnicodeScalar.init)))
}

/// Returns the content that was read from a file; throws a problem of the file if it could not be read.
private func orProblem<Content>(
    _ content: Result<Content, FileAccess.Failure>,
    of name: String,
    expected: String
) throws(YAMLProblems) -> Content {
    switch content {
    case .success(let content): return content
    case .failure(let failure):
        let found = "a file that cannot be read (\(failure.reason))"
        throw YAMLProblems(at: Position(file: name), found: found, expected: expected)
    }
}

private func text(ofFile path: String) -> Result<String, FileAccess.Failure> {
    FileAccess.content(ofFile: path).flatMap(FileAccess.decoded)
}

/// Whether the path is a folder.
func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Prints why the command ends and returns the exit status to throw.
func stop(_ reason: some CustomStringConvertible, _ code: ExitCode) -> ExitCode {
    printError(reason)
    return code
}

/// Returns the result of `body`; if it throws, prints the error, after `prefix`, and stops with a status.
func orStop<Value>(_ code: ExitCode, _ prefix: String = "", _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw stop("\(prefix)\(error)", code) }
}

/// Throws a `ValidationError` unless `holds`.
func demand(_ holds: Bool, _ problem: @autoclosure () -> String) throws {
    if !holds { throw ValidationError(problem()) }
}

/// Throws a `ValidationError` if one of these options is given together with another, with which it has no effect.
func refuse(_ options: [(name: String, isGiven: Bool)], with other: String) throws {
    guard let option = firstTyped(options) else { return }
    throw ValidationError("\(option) cannot be combined with \(other)")
}

/// Throws a `ValidationError` if one of these options is given without another, which it is for.
func refuse(_ options: [(name: String, isGiven: Bool)], without other: String) throws {
    guard let option = firstTyped(options) else { return }
    throw ValidationError("\(option) requires \(other)")
}

/// Returns the first option that was typed; those of cachecheck.yaml cannot be unset.
func firstTyped(_ options: [(name: String, isGiven: Bool)]) -> String? {
    options.first { $0.isGiven && !ProjectDefaults.hasValue(of: $0.name) }?.name
}

/// Ends the command with a message if a file that it writes at its end could not be written.
func requireWritable(_ path: String, or status: ExitCode = ExitStatus.internalError) throws {
    guard let obstacle = FileAccess.obstacle(toReplacing: path) else { return }
    throw stop("\(path) cannot be written: \(obstacle.reason)", status)
}

/// Ends the command with a message if a folder could not be created, or no file could be created in it.
func requireWritableFolder(_ path: String) throws {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard access(path, F_OK) == 0 else { return try requireWritable(path) }
    guard isFolder(path) else {
        throw stop("\(path) cannot be written: it is not a folder", ExitStatus.internalError)
    }
    guard access(path, W_OK | X_OK) == 0 else {
        throw stop(
            "\(path) cannot be written: \(FileAccess.Failure.ofSystem.reason)",
            ExitStatus.internalError
        )
    }
}

/// Throws a `ValidationError` if one of these files is to be written twice.
func refuseSharedFiles(_ paths: [String?]) throws {
    var seen: Set<String> = []
    for path in paths.compactMap(\.self) where !path.hasPrefix("/dev/") && !seen.insert(path).inserted {
        throw ValidationError("found two options that write \(path), expected a file for each")
    }
}

/// Throws a `ValidationError` if `--jobs` is given and out of range.
func demandPossibleJobs(_ jobs: Int?) throws {
    try demand(jobs.map { (1...1024).contains($0) } ?? true, "--jobs requires a number from 1 to 1024")
}

/// Writes a file as a whole, or to standard output without a path.
func write(_ text: String, to path: String?) throws {
    guard let path else { return print(text, terminator: "") }
    guard case .failure(let failure) = FileAccess.replace(path, with: Array(text.utf8)) else { return }
    throw stop("\(path) cannot be written: \(failure.reason)", ExitStatus.internalError)
}

/// Creates a folder unless it exists; its parent must exist.
func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw stop("\(path) cannot be created: \(String(cString: strerror(errno)))", ExitStatus.internalError)
}

extension Runner {
    /// Creates a runner of the loaded scenarios.
    init(_ library: ScenarioLibrary, _ tests: [SuiteFile], _ options: RunOptions) {
        self.init(
            library.suites,
            dependencies: library.dependencies,
            publicSuites: tests,
            options: options,
            version: CacheCheck.version
        )
    }
}
