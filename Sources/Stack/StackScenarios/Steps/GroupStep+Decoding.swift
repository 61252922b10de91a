import LocatedYAML
import OriginScript
import Scenarios

extension StackReading {
    /// A chain and what must come of it.
    func chain(_ node: YAMLNode, expect: YAMLNode?) -> ChainStep? {
        guard let map = MapReader<ChainKey>(node, problems) else { return nil }
        let order = map.optional(.order, Reader<ChainStep.Order>.choice) ?? .serial
        let reader = Reader<[FetchStep]> { [self] node, _ in fetches(node, canDepend: order == .dependent) }
        guard let requests = map.required(.requests, reader) else { return nil }
        var step = ChainStep(requests, position: node.position)
        step.order = order
        step.limit = map.optional(.limit, .integer(in: 1...1000))
        step.timing = timing(
            map.optional(.profile, Reader<StackProfile>.choice),
            map[.start],
            map[.cancelAfter]
        )
        begin(.group(requests.map(\.name)), step.timing, at: node.position)
        refuseEarly(expect, step.timing)
        expect.flatMap { groupExpectation($0, of: requests.map(\.name)) }.map { step.expectation = $0 }
        return step
    }

    /// A batch and what must come of it.
    func batch(_ node: YAMLNode, expect: YAMLNode?) -> BatchStep? {
        guard let map = MapReader<BatchKey>(node, problems) else { return nil }
        let reader = Reader<[FetchStep]> { [self] node, _ in fetches(node, canDepend: true) }
        guard let requests = map.required(.requests, reader) else { return nil }
        var step = BatchStep(requests, position: node.position)
        let rule = map.optional(.failure, Reader.word(of: ["cancels-rest", "lets-rest-finish"]))
        step.letsRestFinish = rule == "lets-rest-finish"
        step.timing = timing(
            map.optional(.profile, Reader<StackProfile>.choice),
            map[.start],
            map[.cancelAfter]
        )
        begin(.group(requests.map(\.name)), step.timing, at: node.position)
        refuseEarly(expect, step.timing)
        expect.flatMap { groupExpectation($0, of: requests.map(\.name)) }.map { step.expectation = $0 }
        return step
    }

    /// What must come of a chain or batch whose requests have these names.
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
        expectation.errorCode = map.located(.error, ScenarioReading.errorCode)
        expectation.took = map.located(
            .took,
            ScenarioReading.comparison(of: Reader.duration.map(\.inSeconds))
        )
        expectation.log = map.located(.log, Reader.text.oneOrMore())
        return expectation
    }

    /// `send NAME` or `end NAME`.
    private static func milestone(of names: [String]) -> Reader<String> {
        Reader.text.when(
            { text in names.contains { text == "send \($0)" || text == "end \($0)" } },
            expected: "\"send NAME\" or \"end NAME\" of " + names.joined(separator: ", ")
        )
    }
}
