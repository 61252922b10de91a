import ArgumentParser
import Clocks
import Conformance
import LocatedYAML
import OriginScript
import Scenarios

extension Run {
    /// Opens what was asked for, and the text on standard output unless another report goes there.
    func openReports() throws -> [ReportFile] {
        var requests = report.withoutRepetitions
        if !requests.contains(where: { $0.path == nil }) {
            requests.insert(ReportRequest(kind: .text), at: 0)
        }
        let settings = try reportSettings()
        return try orStop(ExitStatus.internalError) {
            try requests.map { request in
                var settings = settings
                // A report in a file may be read without a terminal.
                if request.path != nil { settings.isColored = false }
                return try ReportFile(request.kind, path: request.path, settings: settings)
            }
        }
    }

    private func reportSettings() throws -> ReportSettings {
        var settings = ReportSettings()
        settings.explains = explain
        settings.isQuiet = quiet
        settings.isColored = Process.hasColors
        settings.catalogue = try ruleOptions.language().catalogue
        settings.rerun = rerunCommand
        settings.isOwnFile = GitHubWorkflow.contains
        settings.otherFile = GitHubWorkflow.file
        return settings
    }

    /// The command that shows one scenario of this run in full, with `ID` in the place of its id.
    private var rerunCommand: String {
        WhyCommand.line(id: "ID", scenarios: paths, subjectOptions, ruleOptions, deviation)
    }

    func openLogs(_ options: RunOptions) throws -> [ReportFile] {
        try orStop(ExitStatus.internalError) {
            let log = try decisions.map {
                try ReportFile(log: DecisionReporter(seed: options.seed), path: $0)
            }
            let wire = try wireLog.map { try ReportFile(log: WireReporter(), path: $0) }
            return [log, wire].compactMap { $0 }
        }
    }

    func loadDecisions() throws -> DecisionLog? {
        guard let path = replayDecisions else { return nil }
        guard let log = DecisionLog(text: try requiredText(path)) else {
            throw stop(
                "\(path):1:1: found no decision log, expected the line of its seed",
                ExitStatus.badFile
            )
        }
        return log
    }

    func compare(_ recorded: DecisionLog, with drawn: DecisionLog) throws {
        guard let difference = recorded.firstDifference(from: drawn) else { return }
        let place = "\(replayDecisions ?? ""):\(difference.line):1"
        let (here, there) = (difference.here ?? "nothing", difference.there ?? "nothing")
        throw stop("\(place): found \"\(here)\", this run has \"\(there)\"", ExitCode(1))
    }

    func loadBaseline() throws -> Baseline {
        guard let baseline else { return Baseline() }
        let text = try requiredText(baseline)
        return try orStop(ExitStatus.badFile) {
            try Baseline(text: text, file: baseline, today: SystemClock().today)
        }
    }
}
