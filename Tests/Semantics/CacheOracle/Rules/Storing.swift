/// Storing responses (RFC 9111 §3).
struct StoringRules {
    let configuration: OracleConfiguration

    /// The statuses whose caching rules are known (RFC 9110 §15.1); 206 and 304 are handled apart.
    static let heuristicallyCacheable: Set = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Returns the reasons why a response must not be stored; empty if it may (RFC 9111 §3).
    func objections(_ request: OracleRequest, _ response: OracleResponse) -> [String] {
        let directives = Directives(response.fields["cache-control"])
        var objections: [String] = []
        func object(_ isViolated: Bool, _ text: String) { if isViolated { objections.append(text) } }
        object(!isUnderstood(request, response, directives), "§3: method \(request.method) is not understood")
        object(request.hasContent && request.method != "POST", "policy: a request with content is not stored")
        object(response.status < 200 || response.status == 304, "§3: status \(response.status)")
        object([428, 429, 431, 511].contains(response.status), "RFC 6585 §3–§6: status \(response.status)")
        object(request.directives.has("no-store"), "§5.2.1.5: no-store in the request")
        object(forbidsStoring(directives, response.status), "§5.2.2.5: no-store in the response")
        if configuration.isShared {
            object(directives.hasUnqualified("private"), "§5.2.2.7: private in a shared cache")
            let isForOneUser = request.fields["authorization"] != nil && !allowsSharing(directives)
            object(isForOneUser, "§3.5: Authorization in a shared cache")
        }
        object(isPersonal(response, directives), "policy: Set-Cookie is not stored heuristically")
        object(!isCacheable(response, directives), "§3: neither explicit freshness nor a cacheable status")
        return objections
    }

    /// Whether the method makes a response that a cache may reuse (RFC 9110 §9.3.1, §9.3.2, §9.3.3).
    private func isUnderstood(_ request: OracleRequest, _ response: OracleResponse, _ directives: Directives)
        -> Bool
    {
        switch request.method {
        case "GET", "HEAD": true
        case "POST":
            hasExplicitFreshness(response, directives)
                && response.fields["content-location"].map { resolve($0, against: request.target) }
                    == request.target
        default: false
        }
    }

    /// Whether no-store forbids storing, which must-understand overrides for an understood status (RFC 9111 §5.2.2.3,
    /// §5.2.2.5); the generated statuses of RFC 9110 have no separate rules.
    private func forbidsStoring(_ directives: Directives, _ status: Int) -> Bool {
        directives.has("no-store")
            && !(directives.has("must-understand") && (200..<600).contains(status))
    }

    /// Whether a shared cache may reuse a response to a request with Authorization (RFC 9111 §3.5).
    func allowsSharing(_ directives: Directives) -> Bool {
        directives.has("must-revalidate") || directives.has("public") || directives.has("s-maxage")
    }

    /// Whether one of the last group of conditions holds (RFC 9111 §3).
    private func isCacheable(_ response: OracleResponse, _ directives: Directives) -> Bool {
        directives.has("public") || !configuration.isShared && directives.has("private")
            || hasExplicitFreshness(response, directives)
            || Self.heuristicallyCacheable.contains(response.status)
    }

    /// Whether a shared cache has no reason to give what sets a cookie to others (RFC 9111 §7.3, decided policy).
    private func isPersonal(_ response: OracleResponse, _ directives: Directives) -> Bool {
        configuration.isShared && response.fields["set-cookie"] != nil
            && !hasExplicitFreshness(response, directives) && !directives.has("public")
    }

    /// Whether an explicit expiration time is present (RFC 9111 §4.2.1).
    func hasExplicitFreshness(_ response: OracleResponse, _ directives: Directives) -> Bool {
        directives.has("max-age") || response.fields["expires"] != nil
            || configuration.isShared && directives.has("s-maxage")
    }

    /// The fields that are for the proxy through which a cache forwards requests (RFC 9111 §3.1).
    static let ofProxy = ["proxy-authenticate", "proxy-authentication-info"]

    /// Returns the fields that are kept out of the store (RFC 9111 §3.1).
    func excluded(_ fields: FieldSection) -> [String] {
        let directives = Directives(fields["cache-control"])
        // Beside an unqualified no-cache each reuse is validated anyway, and beside an unqualified private nothing is stored.
        let validated = directives.hasUnqualified("no-cache") ? [] : directives.fieldNames("no-cache")
        let isPrivate = !configuration.isShared || directives.hasUnqualified("private")
        return Self.ofProxy + (isPrivate ? validated : validated + directives.fieldNames("private"))
    }

    /// Returns the response to an exchange as it may be stored, or `nil` if it must not be or is not for reuse
    /// (RFC 9111 §3, §3.3).
    func state(of exchange: Exchange, at now: Int, arrival: Int) -> StoredState? {
        guard let response = exchange.response, !exchange.isRejected,
            objections(exchange.cause, response).isEmpty, objections(exchange.forwarded, response).isEmpty
        else { return nil }
        return unconditionalState(of: exchange, at: now, arrival: arrival)
    }

    /// Returns the response to an exchange as it may answer its own cause, stored or not.
    func unconditionalState(of exchange: Exchange, at now: Int, arrival: Int) -> StoredState? {
        guard let response = exchange.response else { return nil }
        let isHead = exchange.cause.method == "HEAD"
        let length = isHead ? response.fields["content-length"].flatMap(Int.init) : response.content.count
        var state = StoredState(
            request: exchange.cause,
            status: response.status,
            fields: response.fields,
            directives: Directives(response.fields["cache-control"]),
            excluded: excluded(response.fields),
            parts: [.init(offset: 0, bytes: response.content)],
            completeLength: length,
            bases: [basis(of: exchange, at: now)],
            arrival: arrival,
            exchange: exchange.number
        )
        // RFC 9110 §6.6.1: the time of receipt replaces an absent Date.
        if response.fields["date"] == nil { state.fields["date"] = OracleDate.format(now) }
        if response.status == 206 {
            guard let range = ContentRange(response.fields["content-range"]),
                range.last - range.first + 1 == response.content.count
            else { return nil }
            state.status = 200
            state.parts = [.init(offset: range.first, bytes: response.content)]
            state.completeLength = range.completeLength
        }
        state.isCertain =
            hasExplicitFreshness(response, Directives(response.fields["cache-control"]))
            && response.status == 200 && exchange.cause.method == "GET"
            && !exchange.cause.directives.has("no-store")
        return state
    }

    /// Returns the values from which the age of a response is calculated (RFC 9111 §4.2.3).
    ///
    /// A negative or malformed Age is ignored, and of a list the first member counts (RFC 9111 §5.1).
    func basis(of exchange: Exchange, at now: Int) -> AgeBasis {
        let fields = exchange.response?.fields ?? FieldSection()
        let age = fields["age"].map { trimmed($0.prefix { $0 != "," }) }.flatMap(Int.init) ?? 0
        return AgeBasis(
            requestTime: exchange.requestTime,
            responseTime: now,
            ageValue: max(0, age),
            date: fields["date"].flatMap(OracleDate.parse) ?? now
        )
    }
}
