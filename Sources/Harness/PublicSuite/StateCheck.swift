import OriginScript

/// Checks the origin's record against a test's request objects, after the last response.
struct StateCheck {
    let requests: [SuiteRequest]
    /// The client's responses, by request; `nil` if there was none.
    let responses: [SuiteResponse?]
    let state: [StateEntry]
    let dialect: SuiteDialect

    func run() throws(SuiteResult.Failure) {
        var place = 0
        for (index, request) in requests.enumerated() where request.expectedType != .cached {
            let entry = place < state.count ? state[place] : nil
            place += 1
            try check(entry, request, number: index + 1)
            try checkAnswer(entry, responses[index], number: index + 1)
            try checkMethod(entry, request, number: index + 1)
        }
    }

    private func check(_ entry: StateEntry?, _ request: SuiteRequest, number: Int) throws(SuiteResult.Failure)
    {
        let check = RequirementCheck(request: request, number: number)
        switch request.expectedType {
        case .notCached:
            let entry = try check.present(entry, .expectedType)
            let seen = entry.requestNumber.map { "request \($0)" } ?? "a request without a number"
            try check.require(
                entry.requestNumber == number,
                .expectedType,
                "request \(number) at the origin",
                seen
            )
        case .validatedByTag: try check.requireField(SuiteFieldName.ifNoneMatch, in: entry)
        case .validatedByDate: try check.requireField(SuiteFieldName.ifModifiedSince, in: entry)
        case .cached, nil: break
        }
        for demand in request.expectedRequestFields {
            try expect(demand, check.present(entry, .expectedRequestFields), check)
        }
        for demand in request.missingRequestFields {
            try refuse(demand, check.present(entry, .missingRequestFields), check)
        }
    }

    private func expect(
        _ demand: SuiteRequest.FieldDemand,
        _ entry: StateEntry,
        _ check: RequirementCheck
    ) throws(SuiteResult.Failure) {
        let key = SuiteRequestKey.expectedRequestFields
        switch demand {
        case .name(let name): try check.require(entry.requestField(name) != nil, key, name, "no \(name)")
        case .value(let name, let value):
            let seen = entry.requestField(name)
            let isEqual = ResponseCheck.isEqual(seen, value, dialect)
            try check.require(isEqual, key, "\(name): \(value.plainText)", ResponseCheck.line(name, seen))
        case .sameAs, .larger: return
        }
    }

    private func refuse(
        _ demand: SuiteRequest.FieldDemand,
        _ entry: StateEntry,
        _ check: RequirementCheck
    ) throws(SuiteResult.Failure) {
        let key = SuiteRequestKey.missingRequestFields
        switch demand {
        case .name(let name):
            let seen = entry.requestField(name)
            try check.require(seen == nil, key, "no \(name)", ResponseCheck.line(name, seen))
        case .value(let name, let value):
            let seen = entry.requestField(name)
            let isOther = !ResponseCheck.isEqual(seen, value, dialect)
            let wanted = "no \(name): \(value.plainText)"
            try check.require(isOther, key, wanted, ResponseCheck.line(name, seen))
        case .sameAs, .larger: return
        }
    }

    /// Checks that the fields the origin has sent arrived; `Date` may be the cache's.
    private func checkAnswer(
        _ entry: StateEntry?,
        _ response: SuiteResponse?,
        number: Int
    ) throws(SuiteResult.Failure) {
        guard let entry, let response else { return }
        for field in entry.answerFields
        where field.name.asciiLowercased != SuiteFieldName.date.asciiLowercased {
            let sent = field.values.map(\.plainText).joined(separator: ", ")
            let seen = response.field(field.name)
            if seen == sent { continue }
            throw SuiteResult.Failure(
                .setup,
                request: number,
                member: SuiteRequestKey.responseFields.rawValue,
                expected: ResponseCheck.line(field.name, sent),
                seen: ResponseCheck.line(field.name, seen)
            )
        }
    }

    private func checkMethod(
        _ entry: StateEntry?,
        _ request: SuiteRequest,
        number: Int
    ) throws(SuiteResult.Failure) {
        guard let method = request.expectedMethod else { return }
        let check = RequirementCheck(request: request, number: number)
        let seen = try check.present(entry, .expectedMethod).method
        try check.require(seen == method, .expectedMethod, method, seen)
    }
}

/// Checks what a test requires of the record of one request; each method throws the failure.
private struct RequirementCheck {
    let request: SuiteRequest
    let number: Int

    /// Returns the record of a request; a missing one is a TypeError in the suite's own client.
    func present(_ entry: StateEntry?, _ key: SuiteRequestKey) throws(SuiteResult.Failure) -> StateEntry {
        if let entry { return entry }
        throw failure(.noResponse, key, "a request at the origin", "none")
    }

    func requireField(_ name: String, in entry: StateEntry?) throws(SuiteResult.Failure) {
        let seen = entry.map { ResponseCheck.line(name, $0.requestField(name)) } ?? "no request"
        try require(entry?.requestField(name) != nil, .expectedType, "\(name) at the origin", seen)
    }

    func require(
        _ holds: Bool,
        _ key: SuiteRequestKey,
        _ expected: String,
        _ seen: String
    ) throws(SuiteResult.Failure) {
        if !holds { throw failure(request.failureName(of: key), key, expected, seen) }
    }

    private func failure(
        _ name: SuiteResult.Failure.Name,
        _ key: SuiteRequestKey,
        _ expected: String,
        _ seen: String
    ) -> SuiteResult.Failure {
        SuiteResult.Failure(name, request: number, member: key.rawValue, expected: expected, seen: seen)
    }
}
