import LocatedYAML
import OriginScript
import Scenarios

/// Reads the steps of the networking stack of one scenario.
final class StackReading {
    /// What an earlier step has begun, and where.
    struct Begun {
        /// By what its end is judged.
        enum Kind {
            /// A chain or batch of requests with these names.
            case group([String])
            /// A download.
            case download
            /// An upload.
            case upload
            /// The load of an image.
            case image
        }
        let kind: Kind
        let position: Position
    }

    /// Owns the grammar, which owns this.
    unowned let reading: ScenarioReading
    /// What steps have begun and no step has waited for, by name.
    private var begun: [String: Begun] = [:]

    init(_ reading: ScenarioReading) { self.reading = reading }

    var problems: ProblemCollector { reading.problems }

    /// The end of something begun further up, and what must come of it.
    func finish(_ node: YAMLNode, expect: YAMLNode?) -> FinishStep? {
        let names = begun.keys.sorted()
        let known = names.isEmpty ? "there is none" : names.joined(separator: ", ")
        let reader = Reader.text.when(
            { names.contains($0) },
            expected: "the name of something begun further up and not finished (\(known))"
        )
        guard let name = reader.read(node, problems), let started = begun.removeValue(forKey: name)
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

    /// How something is begun and ended.
    func timing(_ profile: StackProfile?, _ start: YAMLNode?, _ cancelAfter: YAMLNode?) -> StackTiming {
        var timing = StackTiming()
        timing.profile = profile
        timing.start = start.flatMap { Reader.text.read($0, problems) }
        timing.cancelAfter = cancelAfter.flatMap { Reader.duration.read($0, problems) }
        if let start, let name = timing.start, begun[name] != nil {
            problems.add(
                at: start.position,
                found: "a second thing named \(YAMLNode.quoted(name))",
                expected: "a name that nothing under way has"
            )
        }
        return timing
    }

    /// Notes what a step has begun, so that a later one can wait for it.
    func begin(_ kind: Begun.Kind, _ timing: StackTiming, at position: Position) {
        timing.start.map { begun[$0] = Begun(kind: kind, position: position) }
    }

    /// Reports what was begun and never waited for: nothing would be known of how it ends.
    func refuseUnfinished() {
        for (name, started) in begun.sorted(by: { $0.key < $1.key }) {
            problems.add(
                at: started.position,
                found: "\(YAMLNode.quoted(name)), which is begun and never finished",
                expected: "a step \"finish: \(name)\""
            )
        }
    }

    /// What is only begun has no end yet that could be judged.
    func refuseEarly(_ expect: YAMLNode?, _ timing: StackTiming) {
        guard let expect, let name = timing.start else { return }
        problems.add(
            at: expect.position,
            found: "\"expect\" of something that is only begun",
            expected: "\"expect\" beside \"finish: \(name)\""
        )
    }
}
