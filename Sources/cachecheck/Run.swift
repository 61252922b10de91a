public import ArgumentParser
public import CacheSemantics
public import Conformance
import LocatedYAML
import Scenarios

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs scenarios and tells what came of them.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run scenarios against the built-in client cache.",
        discussion: """
            Exit status: 0 as expected, 1 an expectation failed, 64 usage, 65 a bad file, 69 a server or subject \
            could not be started, 70 the harness itself failed.
            """
    )

    @Argument(help: "Scenario files, or folders of them.")
    var paths = ["scenarios"]

    @Option(help: "Run only ids that match; * and ? as in file names, * also across /. May be repeated.")
    var filter: [String] = []

    @Option(help: "Run only these levels, separated by commas: must, should, optimal, check.")
    var level: LevelList?

    @Option(help: "Run only this kind of cache: private or shared.")
    var cache: CacheKind?

    @Option(
        help: ArgumentHelp(
            "A departure from the RFCs to switch on: \(Deviations.names.joined(separator: ", ")). May be repeated.",
            valueName: "NAME"
        )
    )
    var deviation: [String] = []

    @Option(help: "How the origin is reached: loopback (sockets) or direct (no sockets).")
    var transport = RunOptions.Transport.loopback

    @Option(help: "How many scenarios run at once; default: the number of cores.")
    var jobs: Int?

    @Option(help: "text, json, junit, tap, github or html, with =FILE to write a file. May be repeated.")
    var report: [ReportRequest] = []

    @Flag(help: "Show the findings of scenarios that pass, too.")
    var explain = false

    @Option(help: "A file of failures that are expected: lines `id: reason`.")
    var baseline: String?

    @Flag(help: "Read the files and report their problems, without running anything.")
    var check = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 1024.")
        }
        _ = try Deviations(named: deviation)
    }

    func run() throws {
        let library = try loadScenarios(paths)
        var options = RunOptions()
        options.selection = selection
        options.transport = transport
        options.deviations = try Deviations(named: deviation)
        options.jobs = jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        options.baseline = try loadBaseline()
        if check {
            let count = library.suites.flatMap(\.scenarios).count
            print("\(count) scenarios in \(library.suites.count) files are well-formed")
            return
        }
        let summary = try run(library, options)
        if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
    }

    private func run(_ library: ScenarioLibrary, _ options: RunOptions) throws -> RunSummary {
        let runner = Runner(
            library.suites,
            dependencies: library.dependencies,
            options: options,
            version: CacheCheck.version
        )
        // A run of nothing would pass whatever the cache does.
        if runner.count == 0 { throw ValidationError("No scenario is selected.") }
        let reports = try openReports()
        var failure: ReportError?
        let summary: RunSummary
        do throws(RunnerError) {
            summary = try runner.run { event in
                for report in reports {
                    do throws(ReportError) { try report.write(event) } catch { failure = failure ?? error }
                }
            }
        } catch {
            throw stop(error, Failure.unavailable)
        }
        if let failure { throw stop(failure, Failure.inside) }
        return summary
    }

    private var selection: Selection {
        var selection = Selection()
        selection.filters = filter.map(GlobPattern.init)
        selection.levels = level?.levels ?? []
        selection.cacheKinds = cache.map { [$0] } ?? []
        return selection
    }

    /// Opens what was asked for, and the text on standard output unless another report goes there.
    private func openReports() throws -> [ReportFile] {
        var requests = report
        if !requests.contains(where: { $0.path == nil }) {
            requests.insert(ReportRequest(kind: .text), at: 0)
        }
        do {
            return try requests.map { try ReportFile($0.kind.reporter(explains: explain), path: $0.path) }
        } catch {
            throw stop("\(error)", Failure.inside)
        }
    }

    private func loadBaseline() throws -> Baseline {
        guard let baseline else { return Baseline() }
        guard let text = readText(baseline) else {
            throw stop("\(baseline) cannot be read.", Failure.badFile)
        }
        do throws(BaselineError) {
            return try Baseline(text: text, file: baseline)
        } catch {
            throw stop(error, Failure.badFile)
        }
    }
}

/// Reads scenario files, or ends the command with every problem they have.
func loadScenarios(_ paths: [String]) throws -> ScenarioLibrary {
    do throws(YAMLProblems) {
        return try ScenarioLibrary.load(paths: paths)
    } catch {
        throw stop(error, Failure.badFile)
    }
}

/// Returns the text of a file; `nil` where it cannot be read.
func readText(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
        bytes += buffer[..<count]
    }
}

/// Prints why the command ends and returns the exit status to throw.
func stop(_ reason: some CustomStringConvertible, _ code: ExitCode) -> ExitCode {
    printError(reason)
    return code
}

extension CacheKind: ExpressibleByArgument {}

extension RunOptions.Transport: ExpressibleByArgument {}

/// Levels as they are written on the command line.
struct LevelList: ExpressibleByArgument {
    let levels: Set<RuleLevel>

    init?(argument: String) {
        let names = argument.split(separator: ",")
        levels = Set(names.compactMap { RuleLevel(rawValue: String($0)) })
        if names.isEmpty || levels.count != Set(names).count { return nil }
    }
}

/// A report as it is asked for on the command line: `KIND` or `KIND=FILE`.
struct ReportRequest: ExpressibleByArgument {
    let kind: ReportKind
    var path: String?

    init(kind: ReportKind) {
        self.kind = kind
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = ReportKind(rawValue: String(parts[0])), parts.count == 1 || !parts[1].isEmpty else {
            return nil
        }
        self.kind = kind
        path = parts.count == 2 ? String(parts[1]) : nil
    }
}
