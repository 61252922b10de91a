import CacheSemantics
import LocatedYAML
import OriginScript

extension ScenarioReading {
    /// Decodes a list of steps.
    func steps(_ node: YAMLNode) -> [LocatedStep] {
        guard let nodes = node.elements, !nodes.isEmpty else {
            let found = node.elements == nil ? node.summary : "an empty list"
            problems.add(at: node.position, found: found, expected: "a list of steps")
            return []
        }
        return nodes.compactMap { node in
            step(node).map { LocatedStep(step: $0, position: node.position) }
        }
    }

    private func step(_ node: YAMLNode) -> Step? {
        if node.scalarText == StepKey.idle.rawValue { return .idle }
        if let owner = extensionOfStep(node) { return addedStep(node, by: owner) }
        if refuseBareKind(node) { return nil }
        if language.reportLacking(node, problems) { return nil }
        guard let map = MapReader<StepKey>(node, problems, besides: language.extensionKeys) else {
            return nil
        }
        let keys = map.keys.filter { $0 != .expect }
        guard keys.count == 1, let key = keys.first, let value = map[key] else {
            let found = keys.map { "\"\($0.rawValue)\"" }.joined(separator: " with ")
            // A mistyped key has already been reported.
            guard !keys.isEmpty || node.pairs?.count == map.keys.count else { return nil }
            problems.add(
                at: map.position,
                found: keys.isEmpty ? "an empty step" : found,
                expected: "exactly one kind of step in each element"
            )
            return nil
        }
        if !key.takesExpectation, map[.expect] != nil {
            let takers = StepKey.kinds.filter(\.takesExpectation).map { "\"\($0.rawValue)\"" }
            problems.add(
                at: map.position(of: .expect),
                found: "\"expect\" with \"\(key.rawValue)\"",
                expected: "\"expect\" with one of \(takers.joined(separator: ", "))"
            )
        }
        return step(key, value, expect: map[.expect])
    }

    private func step(_ key: StepKey, _ value: YAMLNode, expect: YAMLNode?) -> Step? {
        switch key {
        case .request: request(value, expect: expect).map { .request($0) }
        case .lookup: lookup(value, expect: expect).map { .lookup($0) }
        case .parallel: parallel(value)
        case .repeat: repetition(value)
        case .advance: advance(value)
        case .release: release(value)
        case .client: Reader.word(of: ["restart"]).read(value, problems).map { _ in .restartClient }
        case .cache: cacheAction(value).map { .cache($0) }
        case .network: network(value)
        case .origin: originAction(value).map { .origin($0) }
        case .store: store(value).map { .store($0) }
        case .usage: usageExpectation(value).map { .usage($0) }
        case .originSaw: originExpectation(value).map { .originSaw($0) }
        case .gateway: gateway(value, expect: expect).map { .gateway($0) }
        case .idle: value.isNull ? .idle : Self.isTrue.read(value, problems).map { _ in .idle }
        case .expect: nil
        }
    }

    /// Decodes a network step: four words are about the client, anything else about the path to the origin.
    private func network(_ node: YAMLNode) -> Step? {
        if let network = node.scalarText.flatMap(ClientNetwork.init(rawValue:)) { return .network(network) }
        return NetworkSchedule.reader.read(node, problems).map { .networkProfile($0) }
    }

    private func gateway(_ node: YAMLNode, expect: YAMLNode?) -> GatewayStep? {
        guard let text = Reader.text.read(node, problems) else { return nil }
        var step = GatewayStep(text: text, position: node.position)
        expect.flatMap(callerExpectation).map { step.expectation = $0 }
        return step
    }

    private func parallel(_ node: YAMLNode) -> Step? {
        let steps = steps(node)
        let requests = steps.compactMap { located -> RequestStep? in
            if case .request(let request) = located.step { return request }
            problems.add(
                at: located.position,
                found: "another kind of step in \"parallel\"",
                expected: "\"request\" steps only"
            )
            return nil
        }
        return .parallel(requests)
    }

    private func repetition(_ node: YAMLNode) -> Step? {
        guard let map = MapReader<RepeatKey>(node, problems) else { return nil }
        let times = map.required(.times, .integer(in: 1...10_000))
        let steps = map.required(.steps, Reader<[LocatedStep]> { [self] node, _ in self.steps(node) })
        guard let times, let steps else { return nil }
        return .repeat(times: times, steps: steps)
    }

    private func advance(_ node: YAMLNode) -> Step? {
        guard node.pairs != nil else { return Reader.duration.read(node, problems).map { .advance($0) } }
        guard let map = MapReader<AdvanceKey>(node, problems), let key = onlyKey(of: map) else { return nil }
        switch key {
        case .by: return map.optional(.by, .duration).map { .advance($0) }
        case .wall: return map.optional(.wall, .offset).map { .jumpWall($0) }
        }
    }

    private func release(_ node: YAMLNode) -> Step? {
        if node.scalarText == "all" { return .release(label: nil) }
        return routeLabel.read(node, problems).map { .release(label: $0) }
    }

    private func cacheAction(_ node: YAMLNode) -> CacheAction? {
        guard node.pairs != nil else {
            let word = Reader.word(of: ["clear", "damage"]).read(node, problems)
            return word.map { $0 == "clear" ? .clear : .damage }
        }
        guard let map = MapReader<CacheActionKey>(node, problems), let key = onlyKey(of: map) else {
            return nil
        }
        switch key {
        case .remove: return map.optional(.remove, .requestPath).map { .remove(path: $0) }
        case .removeSince: return map.optional(.removeSince, .offset).map { .removeSince(offset: $0) }
        case .resize: return map[.resize].flatMap(resize)
        }
    }

    private func resize(_ node: YAMLNode) -> CacheAction? {
        guard let map = MapReader<ResizeKey>(node, problems) else { return nil }
        if map.keys.isEmpty {
            problems.add(at: map.position, found: "no capacity", expected: "one of memory, disk")
        }
        return .resize(memory: map.optional(.memory, .size), disk: map.optional(.disk, .size))
    }

    private func originAction(_ node: YAMLNode) -> OriginAction? {
        guard let map = MapReader<OriginActionKey>(node, problems) else { return nil }
        switch map.keys.filter({ $0 != .label }) {
        case [.stop] where map[.label] == nil: return map.optional(.stop, Self.isTrue).map { _ in .stop }
        case [.start] where map[.label] == nil: return map.optional(.start, Self.isTrue).map { _ in .start }
        case [.use]: return use(map)
        default:
            problems.add(
                at: map.position,
                found: map.keys.map { "\"\($0.rawValue)\"" }.joined(separator: " with "),
                expected: "one of {stop: true}, {start: true}, {use: N, label: L}"
            )
            return nil
        }
    }

    private func use(_ map: MapReader<OriginActionKey>) -> OriginAction? {
        guard let label = map.required(.label, routeLabel),
            let count = routes.first(where: { $0.label == label })?.answers.count
        else { return nil }
        return map.optional(.use, .integer(in: 1...max(1, count))).map { .use(answer: $0, label: label) }
    }

    private func onlyKey<Key: MapKey>(of map: MapReader<Key>) -> Key? {
        if map.keys.count == 1 { return map.keys.first }
        problems.add(
            at: map.position,
            found: "\(map.keys.count) keys in \(Key.mapName)",
            expected: "one of " + Key.allCases.map(\.rawValue).joined(separator: ", ")
        )
        return nil
    }

    private static var isTrue: Reader<Bool> {
        Reader.bool.when({ $0 }, expected: "true")
    }
}
