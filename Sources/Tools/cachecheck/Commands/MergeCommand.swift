import ArgumentParser
import Conformance
import LocatedYAML
import Scenarios

/// `cachecheck merge`.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the JSON reports of a run's shards into one report of any format.",
        discussion: """
            Exit status: that of the whole run (0, 1, 69 or 70), or 65 if a file is not a JSON report, \
            the reports are of different subjects, or the report of a shard is missing or given twice.
            """
    )

    @Argument(help: "JSON reports, such as those of `cachecheck run --shard`.")
    var files: [String]

    @Option(help: "\(ReportRequest<ReportKind>.help); default text. May be repeated.")
    var report: [ReportRequest<ReportKind>] = []

    @OptionGroup
    var ruleOptions: RuleOptions

    func validate() throws { try refuseSharedFiles(report.withoutRepetitions.map(\.path)) }

    func run() throws {
        var logs: [RunLog] = []
        for file in files { logs.append(try read(file)) }
        var settings = ReportSettings()
        settings.catalogue = try ruleOptions.language().catalogue
        settings.isOwnFile = GitHubWorkflow.contains
        settings.otherFile = GitHubWorkflow.file
        do {
            guard let all = try RunLog.merged(logs) else { return }
            let requests = report.isEmpty ? [ReportRequest(kind: ReportKind.text)] : report.withoutRepetitions
            let reports = try requests.map { try ReportFile($0.kind, path: $0.path, settings: settings) }
            var failure: ReportError?
            let summary = all.replay { event in
                for report in reports {
                    do throws(ReportError) { try report.write(event) } catch { failure = failure ?? error }
                }
            }
            if let failure { throw stop(failure, ExitStatus.internalError) }
            if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
        } catch let error as RunnerError {
            throw stop(error, ExitStatus.badFile)
        }
    }

    private func read(_ file: String) throws -> RunLog {
        let text = try requiredText(file)
        return try orStop(ExitStatus.badFile) { try RunLog(text: text, file: file) }
    }
}
