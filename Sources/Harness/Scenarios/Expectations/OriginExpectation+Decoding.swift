import LocatedYAML
import OriginScript

extension ScenarioReading {
    /// Decodes an expectation for the origin's record.
    func originExpectation(_ node: YAMLNode) -> OriginExpectation? {
        guard let map = MapReader<OriginSawKey>(node, problems) else { return nil }
        let count = Reader.integer(in: 0...1_000_000).map(Double.init)
        var expectation = OriginExpectation()
        expectation.path = map.optional(.path, .path)
        expectation.method = map.optional(.method, .method)
        expectation.sinceLast = map.optional(.since, Reader.word(of: ["last", "start"])) == "last"
        expectation.requests = map.located(.requests, Self.comparison(of: count))
        expectation.connections = map.located(.connections, Self.comparison(of: count))
        expectation.aborted = map.located(.aborted, Self.comparison(of: count))
        if let last = map.located(.last, recordedRequest(isLast: true)) {
            expectation.requestExpectations.append(last)
        }
        if let numbered = map.optional(.request, recordedRequest(isLast: false).located().oneOrMore()) {
            expectation.requestExpectations += numbered
        }
        requireCondition(map)
        return expectation
    }

    private func requireCondition(_ map: MapReader<OriginSawKey>) {
        let conditions: [OriginSawKey] = [.requests, .last, .request, .connections, .aborted]
        guard !map.keys.contains(where: conditions.contains) else { return }
        problems.add(
            at: map.position,
            found: "no expectation of the origin",
            expected: "one of " + conditions.map(\.rawValue).joined(separator: ", ")
        )
    }

    private func recordedRequest(isLast: Bool) -> Reader<RecordedRequestExpectation> {
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
        let amount = Self.comparison(of: Reader.size.map(Double.init))
        var expectation = UsageExpectation()
        expectation.memory = map.located(.memory, amount)
        expectation.disk = map.located(.disk, amount)
        expectation.files = map.located(.files, amount)
        expectation.entries = map.located(.entries, amount)
        expectation.databaseSteps = map.located(.databaseSteps, amount)
        expectation.readable = map.located(.readable, Reader.text.oneOrMore())
        expectation.unreadable = map.located(.unreadable, Reader.text.oneOrMore())
        if map.keys.isEmpty {
            problems.add(
                at: map.position,
                found: "no expectation of the store",
                expected: "one of memory, disk, files, entries, database-steps, readable, unreadable"
            )
        }
        return expectation
    }
}
