import CacheSemantics
import LocatedYAML
import OriginScript
import Scenarios

extension StackReading {
    /// Reads the requests of a chain or batch; `canDepend` permits dependencies between them.
    func fetches(_ node: YAMLNode, canDepend: Bool) -> [FetchStep]? {
        guard let nodes = node.elements, !nodes.isEmpty else {
            let found = node.elements == nil ? node.summary : "an empty list"
            problems.add(at: node.position, found: found, expected: "a list of requests")
            return nil
        }
        let steps = nodes.enumerated().compactMap { index, node in fetch(node, named: String(index + 1)) }
        problems.addDuplicates(of: "name", in: steps.map { Located($0.name, at: $0.position) })
        checkDependencies(steps, canDepend: canDepend)
        return steps
    }

    private func fetch(_ node: YAMLNode, named place: String) -> FetchStep? {
        guard let map = MapReader<FetchKey>(node, problems) else { return nil }
        var step = FetchStep(name: map.optional(.name, .text) ?? place, position: node.position)
        map.set(&step.path, .path, .fetchPath)
        map.set(&step.method, .method, .method)
        map.set(&step.parameters, .parameters, ParameterValue.parameters)
        map.set(&step.fields, .fields, FieldLine.listReader)
        map.set(&step.body, .body, ScenarioReading.requestBody)
        map.set(&step.contentType, .contentType, .text)
        map.set(&step.base, .base, .requestPath)
        map.set(&step.policy, .policy, ScenarioReading.policy)
        map.set(&step.timeout, .timeout, .duration)
        map.set(&step.priority, .priority, .integer(in: -1000...1000))
        map.set(&step.loadsCache, .loadCache, .bool)
        map.set(&step.cacheFor, .cacheFor, .offset)
        map.set(&step.serializer, .serializer, Reader<FetchStep.Serializer>.choice)
        map.set(&step.hasCallbacks, .callback, .bool)
        map.set(&step.dependencies, .after, Reader.text.oneOrMore())
        step.asksOtherHost = map.optional(.host, Reader.word(of: ["first", "other"])) == "other"
        map.set(&step.expectation, .expect, FetchExpectation.reader(reading))
        return step
    }

    private func checkDependencies(_ steps: [FetchStep], canDepend: Bool) {
        let names = Set(steps.map(\.name))
        for step in steps {
            let others = canDepend ? names.subtracting([step.name]) : []
            let expected =
                canDepend
                ? "the name of another request: " + others.sorted().joined(separator: ", ")
                : "requests without dependencies, the order \"dependent\", or a batch"
            let needed = step.dependencies + step.parameters.values.flatMap(\.sources)
            for name in needed where !others.contains(name) {
                let found = "a dependency on \(YAMLNode.quoted(name))"
                problems.add(at: step.position, found: found, expected: expected)
            }
        }
    }
}

extension Reader where Value == String {
    /// Reads an absolute path, which may have a query and a fragment.
    static var fetchPath: Reader {
        Reader(expected: "an absolute path, such as /a or /a?x=1") { scalar in
            let isPath = scalar.text.hasPrefix("/") && !scalar.text.contains { $0.isWhitespace }
            return isPath ? scalar.text : nil
        }
    }
}
