import LocatedYAML
import OriginScript

extension ScenarioReading {
    /// Decodes an expectation for the origin's record.
    func originExpectation(_ node: YAMLNode) -> OriginExpectation? {
        guard let map = MapReader<OriginSawKey>(node, problems) else { return nil }
        var expectation = OriginExpectation()
        read(map, by: OriginSawKey.table, into: &expectation)
        requireCondition(map)
        return expectation
    }

    private func requireCondition(_ map: MapReader<OriginSawKey>) {
        let conditions = OriginSawKey.conditions
        guard !map.keys.contains(where: conditions.contains) else { return }
        problems.add(
            at: map.position,
            found: "no expectation of the origin",
            expected: "one of " + conditions.map(\.rawValue).joined(separator: ", ")
        )
    }

    /// Reads the expectation for one request, which has a number unless it is the last.
    func recordedRequest(isLast: Bool) -> Reader<RecordedRequestExpectation> {
        Reader { [self] node, problems in
            guard let map = MapReader<RecordedRequestKey>(node, problems) else { return nil }
            var expectation = RecordedRequestExpectation()
            expectation.number = number(map, isLast: isLast)
            expectation.method = map.optional(.method, .method)
            expectation.path = map.optional(.path, .path)
            expectation.query = map.optional(.query, .query)
            expectation.fields = (map.optional(.fields, expectedFields) ?? []).map(\.value)
            expectation.body = map.optional(.body, expectedBody)
            expectation.formParts = map.optional(.parts, FormPartExpectation.reader(self).list())
            expectation.clientCertificate = map.optional(.clientCertificate, .text)
            let connection = map.optional(.connection, Reader.word(of: ["new", "reused"]))
            expectation.isReusedConnection = connection.map { $0 == "reused" }
            return expectation
        }
    }

    private func number(_ map: MapReader<RecordedRequestKey>, isLast: Bool) -> Int? {
        let number = Reader.integer(in: 1...1_000_000)
        guard isLast else { return map.required(.number, number) }
        if map[.number] != nil {
            problems.add(
                at: map.position(of: .number),
                found: "a number in \"last\"",
                expected: "\"request\" for a numbered request"
            )
        }
        return nil
    }

    /// Decodes an expectation for the store.
    func usageExpectation(_ node: YAMLNode) -> UsageExpectation? {
        guard let map = MapReader<UsageKey>(node, problems) else { return nil }
        var expectation = UsageExpectation()
        read(map, by: UsageKey.table, into: &expectation)
        if map.keys.isEmpty {
            problems.add(
                at: map.position,
                found: "no expectation of the store",
                expected: "one of " + UsageKey.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return expectation
    }
}
