package import CacheSemantics
package import LocatedYAML
package import OriginScript

extension ScenarioReading {
    /// Decodes a request and its expectation.
    func request(_ node: YAMLNode, expect: YAMLNode?) -> RequestStep? {
        guard let map = MapReader<RequestKey>(node.orEmptyMap, problems) else { return nil }
        var step = RequestStep(position: node.position)
        read(map, by: RequestKey.table, into: &step)
        expect.flatMap(callerExpectation).map { step.expectation = $0 }
        // After the expectation, which can only refer to earlier requests.
        step.label.map { _ = labels.insert($0) }
        return step
    }

    /// Decodes a lookup in the cache and its expectation.
    func lookup(_ node: YAMLNode, expect: YAMLNode?) -> RequestStep? {
        guard let map = MapReader<LookupKey>(node, problems) else { return nil }
        var step = RequestStep(position: node.position)
        map.set(&step.path, .path, .requestPath)
        map.set(&step.query, .query, .query)
        map.set(&step.method, .method, .method)
        map.set(&step.fields, .fields, FieldLine.listReader)
        guard let expect else {
            problems.add(
                at: node.position,
                found: "a lookup without expectations",
                expected: "\"expect\" with it"
            )
            return step
        }
        refuseRequestExpectations(expect)
        callerExpectation(expect).map { step.expectation = $0 }
        return step
    }

    private func refuseRequestExpectations(_ node: YAMLNode) {
        let allowed: [ExpectKey] = [.found, .userInfo, .body, .fields, .status]
        for pair in node.pairs ?? [] {
            guard let key = ExpectKey(rawValue: pair.key), !allowed.contains(key) else { continue }
            problems.add(
                at: pair.keyPosition,
                found: "\"\(pair.key)\" as an expectation of a lookup",
                expected: "one of " + allowed.map(\.rawValue).joined(separator: ", ")
            )
        }
    }

    /// Decodes an entry that a step stores directly.
    func store(_ node: YAMLNode) -> StoreStep? {
        guard let map = MapReader<StoreKey>(node, problems) else { return nil }
        var step = StoreStep()
        read(map, by: StoreKey.table, into: &step)
        return step
    }

    /// Reads one of the six policy names.
    package static var policy: Reader<RequestCachePolicy> { .choice }

    /// Reads a text, or `{size: N}`.
    package static var requestBody: Reader<BodySource> {
        Reader { node, problems in
            guard node.pairs != nil else {
                return Reader(expected: "text or {size: N}") { .text($0.text) }.read(node, problems)
            }
            let size = Reader.size.when({ $0 <= BodySource.largestGenerated }, expected: "at most 1GiB")
            return MapReader<RequestBodyKey>(node, problems)?.required(.size, size).map {
                .generated(size: $0)
            }
        }
    }
}
