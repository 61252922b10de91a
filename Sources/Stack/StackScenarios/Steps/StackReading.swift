package import LocatedYAML
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

    /// Reports several actions in a step that performs one.
    func refuseSeveral(_ count: Int, on object: String, at position: Position) {
        if count <= 1 { return }
        problems.add(at: position, found: "\(count) actions on \(object)", expected: "one action")
    }

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
        let expectation = expectation(expect, of: started.kind)
        return FinishStep(name: name, expectation: expectation, position: node.position)
    }

    private func expectation(_ node: YAMLNode?, of kind: RunningOperation.Kind) -> StackExpectation {
        switch kind {
        case .group(let names):
            .group(node.flatMap { groupExpectation($0, of: names) } ?? GroupExpectation())
        case .download: .download(node.flatMap(downloadExpectation) ?? DownloadExpectation())
        case .image: .image(node.flatMap(imageExpectation) ?? ImageExpectation())
        case .upload: .upload(node.flatMap(uploadExpectation) ?? UploadExpectation())
        }
    }

    /// Reads how an operation starts and ends; `profiles` are those that have such operations.
    func timing<Key: OperationKey>(
        _ map: MapReader<Key>,
        profiles: Reader<StackProfile> = .choice
    ) -> StackTiming {
        var timing = StackTiming()
        map.set(&timing.profile, .profile, profiles)
        map.set(&timing.start, .start, .text)
        map.set(&timing.cancelAfter, .cancelAfter, .duration)
        if let start = map[.start], let name = timing.start, running[name] != nil {
            let found = "another operation named \(YAMLNode.quoted(name))"
            problems.add(at: start.position, found: found, expected: "a name that no running operation has")
        }
        return timing
    }

    /// Returns an operation with its expected outcome, and records its start, so that a later step can wait for it.
    ///
    /// An operation that the step only starts has no outcome yet: expectations are rejected.
    func expecting<Step: OperationStep>(
        _ expect: YAMLNode?,
        _ step: Step,
        of kind: RunningOperation.Kind,
        _ read: (YAMLNode) -> Step.Expectation?
    ) -> Step {
        var step = step
        step.timing.start.map { running[$0] = RunningOperation(kind: kind, position: step.position) }
        rejectEarlyExpectation(expect, step.timing)
        if let expectation = expect.flatMap(read) { step.expectation = expectation }
        return step
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

/// The keys of an operation, which a step may start for a later step to wait for.
package protocol OperationKey: MapKey {
    /// The profile of the stack.
    static var profile: Self { get }
    /// The name by which a later step waits for the operation.
    static var start: Self { get }
    /// The time after which it is cancelled.
    static var cancelAfter: Self { get }
}

/// A step that performs or starts an operation.
protocol OperationStep {
    associatedtype Expectation
    var timing: StackTiming { get }
    var expectation: Expectation { get set }
    var position: Position { get }
}

extension GroupStep: OperationStep {}
extension DownloadStep: OperationStep {}
extension UploadStep: OperationStep {}
extension ImageStep: OperationStep {}
