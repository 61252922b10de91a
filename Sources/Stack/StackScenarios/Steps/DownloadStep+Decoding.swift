import LocatedYAML
import Scenarios
import TextCodings

extension StackReading {
    /// Reads a download and its expected outcome.
    func download(_ node: YAMLNode, expect: YAMLNode?) -> DownloadStep? {
        guard let map = MapReader<DownloadKey>(node, problems) else { return nil }
        let path = map.required(.path, .fetchPath)
        let destination = map.required(.to, .relativePath)
        guard let path, let destination else { return nil }
        var step = DownloadStep(path: path, destination: destination, position: node.position)
        step.asksOtherHost = map.optional(.host, Reader.word(of: ["first", "other"])) == "other"
        step.isNamedByServer = map.optional(.naming, Reader.word(of: ["path", "server"])) == "server"
        map.set(&step.isResumable, .resumable, .bool)
        map.set(&step.isDetached, .detached, .bool)
        map.set(&step.timeout, .timeout, .duration)
        map.set(&step.suspendAt, .suspendAt, TransferPoint.reader)
        map.set(&step.cancelAt, .cancelAt, TransferPoint.reader)
        step.timing = timing(map)
        if step.suspendAt != nil, step.timing.start == nil {
            problems.add(
                at: map.position(of: .suspendAt),
                found: "a download that is suspended and awaited",
                expected: "\"start\", so that a later step can resume it"
            )
        }
        return expecting(expect, step, of: .download, downloadExpectation)
    }

    /// Reads the expected outcome of a download.
    func downloadExpectation(_ node: YAMLNode) -> DownloadExpectation? {
        guard let map = MapReader<DownloadExpectKey>(node, problems) else { return nil }
        let count = ScenarioReading.comparison(of: Reader.size.map(Double.init))
        var expectation = DownloadExpectation()
        expectation.file = map.located(.file, .relativePath)
        expectation.body = map.located(.body, reading.expectedBody)
        expectation.resumedFrom = map.located(.resumedFrom, count)
        expectation.kept = map.located(.kept, count)
        expectation.progress = map.located(.progress, ProgressExpectation.reader)
        expectation.outcome.caller.errorCodes = map.located(.error, ScenarioReading.errorCodes)
        expectation.outcome.caller.statuses = map.located(.status, Reader.integer(in: 100...999).oneOrMore())
        expectation.outcome.caller.took = map.located(.took, ScenarioReading.seconds)
        expectation.outcome.attempts = map.located(.attempts, ScenarioReading.comparison(of: .number))
        expectation.outcome.failure = map.located(.failure, Reader<FetchFailureKind>.choice.map(\.rawValue))
        expectation.outcome.reason = map.located(.reason, .text)
        return expectation
    }

    /// Reads an action on downloads and their expected state.
    func downloads(_ node: YAMLNode, expect: YAMLNode?) -> DownloadsStep? {
        var step = DownloadsStep()
        guard let map = MapReader<DownloadsKey>(node.orEmptyMap, problems) else { return nil }
        let actions = map.keys.filter { $0 != .profile }
        refuseSeveral(actions.count, on: "downloads", at: map.position)
        step.profile = map.optional(.profile, Reader<StackProfile>.choice)
        step.action = actions.first.flatMap { action($0, map) } ?? .none
        guard let expect, let wanted = MapReader<DownloadsExpectKey>(expect, problems) else { return step }
        step.running = wanted.located(.running, Reader.text.list())
        step.suspended = wanted.located(.suspended, Reader.text.list())
        step.parts = wanted.located(.parts, PartExpectation.reader.list())
        return step
    }

    private func action(_ key: DownloadsKey, _ map: MapReader<DownloadsKey>) -> DownloadsStep.Action? {
        switch key {
        case .suspend: map.optional(.suspend, Self.paths).map { .suspend($0.paths) }
        case .resume: map.optional(.resume, Self.paths).map { .resume($0.paths) }
        case .cancel: map.optional(.cancel, Self.paths).map { .cancel($0.paths) }
        case .background: map.optional(.background, .bool).map { .background($0) }
        case .removeParts: map.optional(.removeParts, .bool).map { $0 ? .removeParts : .none }
        case .profile: nil
        }
    }

    /// The operand of an action: `all`, a path, or a list of paths.
    private struct Paths {
        /// The paths; `nil` for all.
        var paths: [String]?
    }

    private static var paths: Reader<Paths> {
        Reader { node, problems in
            if node.scalarText == "all" { return Paths(paths: nil) }
            return Reader.fetchPath.oneOrMore().read(node, problems).map { Paths(paths: $0) }
        }
    }
}

extension TransferPoint {
    /// Reads a percentage, such as `40%`, or a size.
    fileprivate static var reader: Reader<TransferPoint> {
        Reader(expected: "a percentage such as 40%, or a size such as 20KiB") { scalar in
            if let size = Quantity.size(scalar.text) { return .bytes(size) }
            guard scalar.text.hasSuffix("%"), let percent = Int(scalar.text.dropLast()),
                (0...100).contains(percent)
            else { return nil }
            return .share(Double(percent) / 100)
        }
    }
}

extension ProgressExpectation {
    fileprivate static var reader: Reader<ProgressExpectation> {
        Reader { node, problems in
            guard let map = MapReader<ProgressKey>(node, problems) else { return nil }
            var expectation = ProgressExpectation()
            map.set(&expectation.first, .first, .size)
            map.set(&expectation.last, .last, .size)
            map.set(&expectation.total, .total, .size)
            return expectation
        }
    }
}

extension PartExpectation {
    fileprivate static var reader: Reader<PartExpectation> {
        Reader { node, problems in
            guard let map = MapReader<PartKey>(node, problems), let path = map.required(.path, .fetchPath)
            else { return nil }
            var expectation = PartExpectation(path: path)
            map.set(&expectation.received, .received, .size)
            map.set(&expectation.total, .total, .size)
            map.set(&expectation.ratio, .ratio, .number)
            return expectation
        }
    }
}

extension Reader where Value == String {
    /// Reads a path relative to a folder of the scenario.
    static var relativePath: Reader {
        Reader(expected: "a path relative to the scenario's folder, such as a.bin or films/") { scalar in
            // The empty path and absolute paths start with an empty segment.
            PathText.segmentsBelow(scalar.text)?.first?.isEmpty == false ? scalar.text : nil
        }
    }
}
