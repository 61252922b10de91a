import LocatedYAML

extension OriginExpectation {
    /// Returns the expectations that do not hold; empty if all hold.
    ///
    /// `observations` are all requests of the scenario in the order of their arrival; `since` is how many there
    /// were at the previous `origin-saw`.
    package func check(
        _ observations: [OriginObservation],
        since: Int = 0,
        context: ExpectationContext
    ) -> [Mismatch] {
        let recent = sinceLast ? observations.dropFirst(since) : observations[...]
        let counted = recent.filter { observation in
            path.map { observation.path == $0 } ?? true && method.map { observation.method == $0 } ?? true
        }
        var mismatches = Mismatches()
        let opened = counted.count { !$0.isReusedConnection }
        check(requests, counted.count, "requests", counted, &mismatches)
        check(connections, opened, "connections", counted, &mismatches)
        check(aborted, counted.count { $0.isAborted }, "aborted", counted, &mismatches)
        for expectation in requestExpectations {
            check(expectation, among: counted, context, &mismatches)
        }
        return mismatches.list
    }

    private func check(
        _ expected: Located<NumberExpectation>?,
        _ count: Int,
        _ name: String,
        _ counted: [OriginObservation],
        _ mismatches: inout Mismatches
    ) {
        guard let expected, !expected.value.holds(for: Double(count)) else { return }
        let isSurplus = name == "requests" && expected.value.isExceeded(by: Double(count))
        mismatches.list.append(
            Mismatch(
                position: expected.position.description,
                subject: "origin-saw.\(name)",
                expected: expected.value.text,
                seen: "\(count)" + Self.text(of: counted),
                detail: isSurplus ? .surplusRequests : .other
            )
        )
    }

    /// Returns the requests in short form: ` (GET /a, GET /b)`.
    private static func text(of observations: [OriginObservation]) -> String {
        guard !observations.isEmpty else { return "" }
        let lines = observations.prefix(6).map { observation in
            "\(observation.method) \(observation.path)" + (observation.query.map { "?\($0)" } ?? "")
        }
        return " (" + lines.joined(separator: ", ") + (observations.count > 6 ? ", …" : "") + ")"
    }

    private func check(
        _ expected: Located<RecordedRequestExpectation>,
        among counted: [OriginObservation],
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        let number = expected.value.number ?? counted.count
        let name = expected.value.number.map { "origin-saw.request \($0)" } ?? "origin-saw.last"
        guard counted.indices.contains(number - 1) else {
            let seen = "\(counted.count) requests" + Self.text(of: counted)
            return mismatches.require(false, name, at: expected.position, expected: "a request", seen: seen)
        }
        expected.value.check(counted[number - 1], name, at: expected.position, context, &mismatches)
    }
}

extension RecordedRequestExpectation {
    func check(
        _ seen: OriginObservation,
        _ name: String,
        at position: Position,
        _ context: ExpectationContext,
        _ mismatches: inout Mismatches
    ) {
        func require(_ expected: String?, _ value: String?, _ key: String) {
            mismatches.check(expected.map { Located($0, at: position) }, "\(name).\(key)", value)
        }
        require(method, seen.method, "method")
        require(path, seen.path, "path")
        require(query, seen.query, "query")
        require(isReusedConnection.map(Self.word), Self.word(isReused: seen.isReusedConnection), "connection")
        require(clientCertificate, seen.clientCertificate ?? "none", "client-certificate")
        let table = FieldTable(seen.fields)
        for field in fields where !field.value.holds(for: table[field.name], in: context) {
            mismatches.list.append(
                Mismatch(
                    position: position.description,
                    subject: "\(name).fields.\(field.name)",
                    expected: field.value.text(in: context),
                    seen: table[field.name].map(YAMLNode.quoted) ?? "absent",
                    detail: .requestField(name: field.name, seen: table[field.name])
                )
            )
        }
        if let formParts {
            FormPartExpectation.check(Located(formParts, at: position), seen, name, context, &mismatches)
        }
        mismatches.check(body.map { Located($0, at: position) }, "\(name).body", seen.body, in: context)
    }

    private static func word(isReused: Bool) -> String { isReused ? "reused" : "new" }
}
