import ArgumentParser
import CacheSemantics
import Conformance
import LocatedYAML
import OriginScript
import Recording
import Scenarios

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Failing cases, each in one file.
extension Run {
    /// The saved case that is to be run; `nil` where files of scenarios are.
    func savedFailure() throws -> SavedFailure? {
        guard let path = paths.first, path.hasSuffix(SavedFailure.ending) else { return nil }
        guard paths.count == 1 else {
            throw ValidationError("A saved case must be the only argument: \(path)")
        }
        guard let text = readText(path) else { throw stop("\(path) cannot be read.", ExitStatus.badFile) }
        do throws(YAMLProblems) {
            return try SavedFailure(json: text, file: path)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
    }

    /// Runs a saved case again, as it was; the run fails where the case does, or where it goes another way.
    func run(_ saved: SavedFailure) throws {
        let suite: Suite
        let language = try scenarioLanguage()
        do throws(YAMLProblems) {
            suite = try ScenarioDecoder.decode(text: saved.text, path: saved.file, language: language)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
        var alone = suite
        alone.scenarios = suite.scenarios.filter { $0.id == saved.scenario }
        // What it built on has passed when it was saved.
        for index in alone.scenarios.indices { alone.scenarios[index].dependencies = [] }
        guard !alone.scenarios.isEmpty, let kind = CacheKind(rawValue: saved.cache) else {
            throw stop(
                "\(paths[0]):1:1: found no scenario \(saved.scenario) [\(saved.cache)] in it",
                ExitStatus.badFile
            )
        }
        var options = RunOptions()
        options.selection.cacheKinds = [kind]
        options.transport = RunOptions.Transport(rawValue: saved.transport) ?? .loopback
        options.deviations = try Deviations(named: saved.deviations)
        options.seed = saved.seed
        options.keepsWire = true
        try run(saved, alone, options)
    }

    private func run(_ saved: SavedFailure, _ suite: Suite, _ options: RunOptions) throws {
        var results: [ScenarioResult] = []
        let runner = Runner([suite], options: options, version: CacheCheck.version)
        let summary = try run(runner, options) { results.append($0) }
        for result in results {
            let difference = saved.firstDifference(
                decisions: result.decisions.map(\.description),
                clock: result.clockMoves.map(\.description),
                wire: result.wireDigest
            )
            if let difference { throw stop("\(paths[0]): \(difference)", ExitCode(1)) }
        }
        for result in results where !result.wireDigest.isEmpty {
            print("the bytes are the same as saved, wire SHA-256 \(result.wireDigest)")
        }
        if summary.exitStatus != 0 { throw ExitCode(summary.exitStatus) }
        // A case of level "check" does not fail a run. The reason may name a port, which differs.
        let isSame = results.contains { saved.verdict.hasPrefix($0.verdict.name + ":") }
        print(
            isSame
                ? "Reproduced the saved verdict: \(saved.verdict)"
                : "Passes now; the saved verdict was \(saved.verdict)"
        )
    }

    /// Writes the requested results of a run.
    func keep(_ results: [ScenarioResult], _ options: RunOptions) throws {
        if let har {
            do throws(RecordingError) {
                try HARFile.write(results.flatMap(\.capturedExchanges), version: CacheCheck.version, to: har)
            } catch {
                throw stop(error, ExitStatus.inside)
            }
        }
        guard let saveFailure else { return }
        let failing = results.filter { $0.standing.failsRun || $0.standing == .noted }
        guard !failing.isEmpty else { return }
        if mkdir(saveFailure, 0o777) != 0, errno != EEXIST {
            throw stop(
                "\(saveFailure) cannot be created: \(String(cString: strerror(errno)))",
                ExitStatus.inside
            )
        }
        for result in failing {
            guard let saved = SavedFailure(result, options, deviations: deviation) else { continue }
            let path = "\(saveFailure)/\(saved.fileName)"
            try write(saved.json, to: path)
            print("saved: cachecheck run \(path)")
        }
    }
}
