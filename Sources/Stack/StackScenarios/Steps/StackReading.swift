import LocatedYAML
import OriginScript
import Scenarios

/// Reads one scenario's steps of the networking stack.
final class StackReading {
    /// An operation that an earlier step has started.
    struct RunningOperation {
        /// The kind of operation, which determines the expectations of its end.
        enum Kind {
            /// A chain or batch of requests with these names.
            case group([String])
            /// A download.
            case download
            /// An upload.
            case upload
            /// An image load.
            case image
        }
        let kind: Kind
        let position: Position
    }

    /// Unowned, because the grammar, which it owns, retains this object.
    unowned let reading: ScenarioReading
    /// The started operations for which no step has waited, by name.
    private var running: [String: RunningOperation] = [:]

    init(_ reading: ScenarioReading) { self.reading = reading }

    var problems: ProblemCollector { reading.problems }

    /// Reads a step that waits for an operation started earlier, and its expected outcome.
    func finish(_ node: YAMLNode, expect: YAMLNode?) -> FinishStep? {
        let names = running.keys.sorted()
        let known = names.isEmpty ? "none is running" : names.joined(separator: ", ")
        let reader = Reader.text.when(
            { names.contains($0) },
            expected: "the name of an unfinished operation of an earlier step (\(known))"
        )
        guard let name = reader.read(node, problems), let started = running.removeValue(forKey: name)
        else { return nil }
        let expectation: StackExpectation
        switch started.kind {
        case .group(let names):
            expectation = .group(expect.flatMap { groupExpectation($0, of: names) } ?? GroupExpectation())
        case .download:
            expectation = .download(expect.flatMap(downloadExpectation) ?? DownloadExpectation())
        case .image: expectation = .image(expect.flatMap(imageExpectation) ?? ImageExpectation())
        case .upload: expectation = .upload(expect.flatMap(uploadExpectation) ?? UploadExpectation())
        }
        return FinishStep(name: name, expectation: expectation, position: node.position)
    }

    /// Reads how an operation starts and ends.
    func timing(_ profile: StackProfile?, _ start: YAMLNode?, _ cancelAfter: YAMLNode?) -> StackTiming {
        var timing = StackTiming()
        timing.profile = profile
        timing.start = start.flatMap { Reader.text.read($0, problems) }
        timing.cancelAfter = cancelAfter.flatMap { Reader.duration.read($0, problems) }
        if let start, let name = timing.start, running[name] != nil {
            problems.add(
                at: start.position,
                found: "another operation named \(YAMLNode.quoted(name))",
                expected: "a name that no running operation has"
            )
        }
        return timing
    }

    /// Reads what is expected of an operation, and records it, so that a later step can wait for it.
    ///
    /// An operation that the step only starts has no outcome yet: expectations are rejected.
    func expectation<Expectation>(
        _ node: YAMLNode?,
        of kind: RunningOperation.Kind,
        _ timing: StackTiming,
        at position: Position,
        _ read: (YAMLNode) -> Expectation?
    ) -> Expectation? {
        timing.start.map { running[$0] = RunningOperation(kind: kind, position: position) }
        rejectEarlyExpectation(node, timing)
        return node.flatMap(read)
    }

    /// Reports operations that no step waits for, because their outcome would not be checked.
    func reportUnfinished() {
        for (name, started) in running.sorted(by: { $0.key < $1.key }) {
            problems.add(
                at: started.position,
                found: "\(YAMLNode.quoted(name)), which is started and never finished",
                expected: "a step \"finish: \(name)\""
            )
        }
    }

    /// Rejects expectations of an operation that the step only starts.
    private func rejectEarlyExpectation(_ expect: YAMLNode?, _ timing: StackTiming) {
        guard let expect, let name = timing.start else { return }
        problems.add(
            at: expect.position,
            found: "\"expect\" on an operation that is only started",
            expected: "\"expect\" in the step \"finish: \(name)\""
        )
    }
}
