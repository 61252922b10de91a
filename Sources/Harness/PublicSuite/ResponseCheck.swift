import OriginScript

/// Checks a response against its request object, in the suite's order: the first failure decides.
struct ResponseCheck {
    let request: SuiteRequest
    let response: SuiteResponse
    /// The request's number, from 1.
    let number: Int
    let id: String
    let dialect: SuiteDialect

    func run() throws(SuiteResult.Failure) {
        try checkRetry()
        try checkType()
        try checkStatus()
        for demand in request.expectedResponseFields { try check(demand) }
        for demand in request.missingResponseFields { try checkMissing(demand) }
        if let interim = request.expectedInterim { try checkInterim(interim) }
        try checkContent()
    }

    private func checkRetry() throws(SuiteResult.Failure) {
        guard let text = response.field(SuiteFieldName.requestNumbers) else { return }
        let numbers = text.split(separator: " ")
        if Set(numbers).count == numbers.count { return }
        var failure = failure(.setup, SuiteFieldName.requestNumbers, "each number once", text)
        failure.message = SuiteResult.retryMessage
        throw failure
    }

    // MARK: Where it came from

    private func checkType() throws(SuiteResult.Failure) {
        let count = response.number(SuiteFieldName.serverRequestCount)
        let seen =
            count.map { "the origin's response to its request \($0)" }
            ?? "no \(SuiteFieldName.serverRequestCount)"
        switch request.expectedType {
        case .cached:
            if count == nil, response.status == 304 { return }
            let isCached = count.map { $0 < number } ?? false
            try require(isCached, .expectedType, "a response from the cache", seen)
        case .notCached: try require(count == number, .expectedType, "a response from the origin", seen)
        case .validatedByDate, .validatedByTag, nil: return
        }
    }

    private func checkStatus() throws(SuiteResult.Failure) {
        let status = response.status
        switch request.expectedStatus {
        case .skip: return
        case .value(let expected):
            return try require(status == expected, .expectedStatus, "\(expected)", "\(status)")
        case .none: break
        }
        if let scripted = request.element.status {
            try prepare(status == scripted.code, .status, "\(scripted.code)", "\(status)")
        } else if status == 999 {
            try require(false, .expectedType, "a conditional request", "one without the validator")
        } else {
            try prepare(status == 200, .status, "200", "\(status)")
        }
    }

    // MARK: Fields

    private func check(_ demand: SuiteRequest.FieldDemand) throws(SuiteResult.Failure) {
        let key = SuiteRequestKey.expectedResponseFields
        switch demand {
        case .name(let name): try require(response.field(name) != nil, key, name, "no \(name)")
        case .value(let name, let value):
            let seen = response.field(name)
            let expected = magic.rewrite(value, of: name)
            let isEqual = Self.isEqual(seen, expected, dialect)
            try require(isEqual, key, "\(name): \(expected.plainText)", Self.line(name, seen))
        case .sameAs(let name, let other):
            let (seen, wanted) = (response.field(name), response.field(other))
            let isSame = seen != nil && seen == wanted
            try require(isSame, key, "\(name) as \(Self.line(other, wanted))", Self.line(name, seen))
        case .larger(let name, let limit):
            let isLarger = response.number(name).map { $0 > limit } ?? false
            try require(isLarger, key, "\(name) > \(limit)", Self.line(name, response.field(name)))
        }
    }

    private func checkMissing(_ demand: SuiteRequest.FieldDemand) throws(SuiteResult.Failure) {
        let key = SuiteRequestKey.missingResponseFields
        switch demand {
        case .name(let name):
            try require(response.field(name) == nil, key, "no \(name)", Self.line(name, response.field(name)))
        case .value(let name, let value):
            // A bug of the suite's own client: it does not check this.
            guard dialect == .strict, let seen = response.field(name) else { return }
            let unwanted = magic.rewrite(value, of: name).plainText
            let isThere = unwanted.isEmpty || seen.contains(unwanted)
            try require(!isThere, key, "no \(name) with \(unwanted)", Self.line(name, seen))
        case .sameAs, .larger: return
        }
    }

    private var magic: MagicValue {
        MagicValue(
            nowMilliseconds: response.number(SuiteFieldName.serverNow),
            baseURL: response.field(SuiteFieldName.serverBaseURL),
            hasMagicLocations: request.element.hasMagicLocations,
            rfc850Names: request.element.rfc850Names
        )
    }

    /// Compares values; in the suite's own client a number never equals a text.
    static func isEqual(_ seen: String?, _ expected: SuiteValue, _ dialect: SuiteDialect) -> Bool {
        if case .number = expected, dialect == .compatible { return false }
        return seen == expected.plainText
    }

    static func line(_ name: String, _ value: String?) -> String {
        value.map { "\(name): \($0)" } ?? "no \(name)"
    }

    private func checkInterim(_ expected: [ElementScript.Interim]) throws(SuiteResult.Failure) {
        let key = SuiteRequestKey.expectedInterim
        for (index, interim) in expected.enumerated() {
            let seen = index < response.interim.count ? response.interim[index] : nil
            let text = seen.map { "\($0.status)" } ?? "none"
            try require(seen?.status == interim.status, key, "\(interim.status)", text)
            try checkFields(of: interim, in: seen?.fields ?? [])
        }
        let (wanted, seen) = (expected.count, response.interim.count)
        try require(wanted == seen, key, "\(wanted) interim responses", "\(seen)")
    }

    private func checkFields(
        of interim: ElementScript.Interim,
        in fields: [(name: String, value: String)]
    ) throws(SuiteResult.Failure) {
        for field in interim.fields {
            let value = SuiteResponse.combined(field.name, in: fields)
            let isRight = value != nil && (dialect == .compatible || value == field.value.plainText)
            let wanted = "\(field.name): \(field.value.plainText)"
            try require(isRight, .expectedInterim, wanted, Self.line(field.name, value))
        }
    }

    // MARK: Content

    private func checkContent() throws(SuiteResult.Failure) {
        guard request.checksBody else { return }
        let text = String(decoding: response.body, as: UTF8.self)
        switch request.expectedText {
        case .skip: return
        case .value(let expected):
            return try require(text == expected, .expectedText, quoted(expected), quoted(text))
        case .none: break
        }
        let hasNone = response.status == 204 || response.status == 304 || request.method == "HEAD"
        // The suite's own client expects an empty text if its server sends the id.
        let scripted = request.element.body.flatMap { $0.isEmpty ? nil : $0 }
        if let scripted {
            try prepare(text == scripted, .responseBody, quoted(scripted), quoted(text))
        } else if !hasNone {
            try prepare(text == id, .responseBody, quoted(id), quoted(text))
        }
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.prefix(60))\(text.count > 60 ? "…" : "")\""
    }

    // MARK: Failing

    /// Throws a failure of the test's subject, or of its preparation if the member is listed there, unless `holds`.
    private func require(
        _ holds: Bool,
        _ key: SuiteRequestKey,
        _ expected: String,
        _ seen: String
    ) throws(SuiteResult.Failure) {
        if holds { return }
        throw failure(request.failureName(of: key), key.rawValue, expected, seen)
    }

    /// Throws a failure of the test's preparation unless `holds`.
    private func prepare(
        _ holds: Bool,
        _ key: SuiteRequestKey,
        _ expected: String,
        _ seen: String
    ) throws(SuiteResult.Failure) {
        if !holds { throw failure(.setup, key.rawValue, expected, seen) }
    }

    private func failure(
        _ name: SuiteResult.Failure.Name,
        _ member: String,
        _ expected: String,
        _ seen: String
    ) -> SuiteResult.Failure {
        SuiteResult.Failure(name, request: number, member: member, expected: expected, seen: seen)
    }
}

extension SuiteRequest {
    /// Returns the name of a member's failure: that of the test's subject or of its preparation.
    func failureName(of key: SuiteRequestKey) -> SuiteResult.Failure.Name {
        isSetup || setupMembers.contains(key.rawValue) ? .setup : .assertion
    }
}

extension SuiteResult.Failure {
    init(_ name: Name, request: Int, member: String, expected: String, seen: String) {
        self.init(
            name: name,
            message: "Request \(request), \(member): expected \(expected), seen \(seen)",
            request: request,
            member: member,
            expected: expected,
            seen: seen
        )
    }
}
