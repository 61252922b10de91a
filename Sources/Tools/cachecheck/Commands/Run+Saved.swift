import ArgumentParser
import CacheSemantics
import CLibrary
import Conformance
import HTTPServing
import LocatedYAML
import OriginScript
import Recording
import Scenarios

/// Failing cases, each in one file.
extension Run {
    /// Whether a saved case is to be run.
    var isSavedFailure: Bool { paths.first?.hasSuffix(SavedFailure.ending) == true }

    /// Returns the saved case that is to be run; `nil` for files of scenarios.
    func savedFailure() throws -> SavedFailure? {
        guard let path = paths.first, path.hasSuffix(SavedFailure.ending) else { return nil }
        try demand(paths.count == 1, "A saved case must be the only argument: \(path)")
        let text = try requiredText(path)
        return try orStop(ExitStatus.badFile) { try SavedFailure(json: text, file: path) }
    }

    /// Refuses options whose values the saved case has, or that are for several scenarios.
    func validateSaved() throws {
        let selecting = [
            ("--filter", !filter.isEmpty), ("--rule", !rule.isEmpty), ("--level", level != nil),
            ("--shard", shard != nil), ("--cache", cache != nil), ("--seed", seed != nil),
            ("--deviation", !deviation.isEmpty), ("--transport", transport != .loopback),
            ("--normalize-percent-encoding", normalizePercentEncoding), ("--jobs", jobs != nil),
            ("--without-observer", withoutObserver), ("--time", subjectOptions.time != .auto),
            ("--suite-origin", suiteOrigin != nil), ("--cache-tests", cacheTests != .compatible),
        ]
        let judging = [
            ("--results", results != nil), ("--replay-decisions", replayDecisions != nil),
            ("--save-failure", saveFailure != nil), ("--har", har != nil), ("--confirm", confirm),
            ("--strict", strict), ("--open", open), ("--baseline", baseline != nil),
            ("--write-baseline", writeBaseline != nil), ("--check", check),
        ]
        try refuse(selecting + judging, with: "a saved case")
    }

    /// Reruns a saved case; fails if the case fails, or if the run differs from the saved trace.
    func run(_ saved: SavedFailure) throws {
        let chosen = try subject(of: saved)
        let suite = try suite(of: saved, realTime: chosen.choice != .builtin)
        guard !suite.scenarios.isEmpty, let kind = CacheKind(rawValue: saved.cache) else {
            let found = "found no scenario \(saved.scenario) [\(saved.cache)] in it"
            throw stop("\(paths[0]):1:1: \(found)", ExitStatus.badFile)
        }
        var options = try options(of: saved, kind)
        try take(saved, chosen, &options)
        let title = options.subject.title(version: CacheCheck.version)
        if !saved.subject.title.isEmpty, title != saved.subject.title {
            print("saved with \(saved.subject.title), this run has \(title)")
        }
        try run(saved, suite, options)
    }

    private func options(of saved: SavedFailure, _ kind: CacheKind) throws -> RunOptions {
        var options = RunOptions()
        options.selection.cacheKinds = [kind]
        options.transport = RunOptions.Transport(rawValue: saved.transport) ?? .loopback
        options.deviations = try Deviations(named: saved.deviations)
        options.seed = saved.seed
        options.recordsWireBytes = true
        return options
    }

    /// Returns the saved scenario alone, without its dependencies, which passed when it was saved.
    private func suite(of saved: SavedFailure, realTime: Bool) throws -> Suite {
        let language = try ruleOptions.language()
        var suite = try orStop(ExitStatus.badFile) {
            try ScenarioDecoder.decode(
                text: saved.text,
                path: saved.file,
                realTime: realTime,
                language: language
            )
        }
        suite.scenarios.removeAll { $0.id != saved.scenario }
        for index in suite.scenarios.indices { suite.scenarios[index].dependencies = [] }
        return suite
    }

    /// Returns the subject of the command line or, without one, the saved one.
    private func subject(of saved: SavedFailure) throws -> SubjectChoice {
        if subject.choice != .builtin { return subject }
        if let choice = SubjectChoice(argument: saved.subject.choice) { return choice }
        throw stop(
            "\(paths[0]):1:1: found the subject \(saved.subject.choice), expected \(ConformanceReference.subjectNames)",
            ExitStatus.badFile
        )
    }

    /// Sets the options of the subject.
    private func take(_ saved: SavedFailure, _ chosen: SubjectChoice, _ options: inout RunOptions) throws {
        if chosen.forwardsToUs, subjectOptions.originPort == nil, saved.subject.originPort == nil {
            throw ValidationError("--subject proxy=URL needs --origin-port, which the proxy forwards to")
        }
        let origin = "The case was saved with \(saved.subject.title) (--subject \(saved.subject.choice)). "
        let obstacle = origin + "The subject \(chosen) cannot be used: "
        options.subject = try orStop(ExitStatus.unavailable, obstacle) { try chosen.found() }
        options.originServer.port = saved.subject.originPort
        if let port = subjectOptions.originPort { options.originServer.port = Int(freeIfZero: port) }
        options.originServer.address = saved.subject.originAddress
        options.time = RunOptions.Time(rawValue: saved.subject.time) ?? .auto
        options.jobs = 1
    }

    private func run(_ saved: SavedFailure, _ suite: Suite, _ options: RunOptions) throws {
        var results: [ScenarioResult] = []
        let runner = Runner([suite], options: options, version: CacheCheck.version)
        let summary = try run(runner, options) { results.append($0) }
        // The bytes and times of a subject outside the process differ from run to run.
        if options.subject == .builtin { try compare(results, with: saved.trace) }
        if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
        // A case of level "check" does not fail a run. The reason may name a port, which differs.
        if results.contains(where: { saved.verdict.hasPrefix($0.verdict.name + ":") }) {
            print("Reproduced the saved verdict: \(saved.verdict)")
        } else if results.contains(where: { $0.standing == .passed }) {
            print("Passes now; the saved verdict was \(saved.verdict)")
        } else {
            let verdicts = results.map(\.verdict.name).joined(separator: ", ")
            print("Neither reproduced nor passed (\(verdicts)); the saved verdict was \(saved.verdict)")
        }
    }

    private func compare(_ results: [ScenarioResult], with trace: SavedFailure.Trace) throws {
        for result in results {
            guard let difference = trace.firstDifference(from: result.trace) else { continue }
            throw stop("\(paths[0]): \(difference)", ExitCode(1))
        }
        for result in results where !result.wireDigest.isEmpty {
            print("the bytes are the same as saved, wire SHA-256 \(result.wireDigest)")
        }
    }

    /// Writes the requested results of a run.
    func keep(_ results: [ScenarioResult], _ options: RunOptions) throws {
        if let har { try writeHAR(results.flatMap(\.capturedExchanges), to: har) }
        guard let saveFailure else { return }
        let failing = results.filter { $0.standing.failsRun || $0.standing == .noted }
        guard !failing.isEmpty else { return }
        try makeFolder(saveFailure)
        let own = SavedFailure.Subject(subject, options)
        let failures = failing.compactMap { SavedFailure($0, options, own, deviations: deviation) }
        for (saved, name) in zip(failures, SavedFailure.fileNames(of: failures)) {
            let path = "\(saveFailure)/\(name)"
            try write(saved.json, to: path)
            print("saved: \(ShellWord.line(["cachecheck", "run", path] + ruleOptions.words))")
        }
    }
}
