import LocatedYAML
import OriginScript
import Scenarios

extension StackReading {
    /// Reads a chain and its expected outcome.
    func chain(_ node: YAMLNode, expect: YAMLNode?) -> GroupStep? {
        guard let map = MapReader<ChainKey>(node, problems) else { return nil }
        let order = map.optional(.order, Reader<GroupStep.Order>.choice) ?? .serial
        let reader = Reader<[FetchStep]> { [self] node, _ in fetches(node, canDepend: order == .dependent) }
        guard let requests = map.required(.requests, reader) else { return nil }
        let limit = map.optional(.limit, .integer(in: 1...1000))
        var step = GroupStep(.chain(order, limit: limit), requests, position: node.position)
        step.timing = timing(map)
        return expecting(expect, step)
    }

    /// Reads a batch and its expected outcome.
    func batch(_ node: YAMLNode, expect: YAMLNode?) -> GroupStep? {
        guard let map = MapReader<BatchKey>(node, problems) else { return nil }
        let reader = Reader<[FetchStep]> { [self] node, _ in fetches(node, canDepend: true) }
        guard let requests = map.required(.requests, reader) else { return nil }
        let rule = map.optional(.failure, Reader.word(of: ["cancels-rest", "lets-rest-finish"]))
        let kind = GroupStep.Kind.batch(continuesAfterFailure: rule == "lets-rest-finish")
        var step = GroupStep(kind, requests, position: node.position)
        step.timing = timing(map)
        return expecting(expect, step)
    }

    /// Returns a group with its expected outcome, and records its start.
    private func expecting(_ expect: YAMLNode?, _ step: GroupStep) -> GroupStep {
        let names = step.requests.map(\.name)
        return expecting(expect, step, of: .group(names)) { groupExpectation($0, of: names) }
    }

    /// Reads the expected outcome of a chain or batch whose requests have these names.
    func groupExpectation(_ node: YAMLNode, of names: [String]) -> GroupExpectation? {
        guard let map = MapReader<GroupExpectKey>(node, problems) else { return nil }
        var expectation = GroupExpectation()
        let name = Reader.word(of: names)
        expectation.order = map.located(.order, name.list())
        expectation.course = map.located(.course, Self.milestone(of: names).list())
        expectation.completed = map.located(.completed, ScenarioReading.comparison(of: .number))
        expectation.failed = map.located(.failed, ScenarioReading.comparison(of: .number))
        expectation.stoppedAt = map.located(.stoppedAt, name)
        expectation.atOnce = map.located(.atOnce, ScenarioReading.comparison(of: .number))
        expectation.completions = map.located(.completions, ScenarioReading.comparison(of: .number))
        expectation.errorCodes = map.located(.error, ScenarioReading.errorCodes)
        expectation.took = map.located(.took, ScenarioReading.seconds)
        expectation.log = map.located(.log, Reader.text.oneOrMore())
        return expectation
    }

    /// Reads `send NAME` or `end NAME`.
    private static func milestone(of names: [String]) -> Reader<String> {
        Reader.text.when(
            { text in names.contains { text == "send \($0)" || text == "end \($0)" } },
            expected: "\"send NAME\" or \"end NAME\" of " + names.joined(separator: ", ")
        )
    }
}
