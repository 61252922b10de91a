import Scenarios

extension Provenance {
    /// Infers the source of the response to a request that did not overlap another one, from what the origin received
    /// and sent; `nil` if that is ambiguous.
    static func inferred(from seen: CallerObservation, _ arrivals: [OriginExchange]) -> Provenance? {
        guard seen.error == nil, let status = seen.status else { return nil }
        guard let answered = arrivals.compactMap(\.request.answeredStatus).last else {
            // A response that the cache generated has no age (RFC 9111 §5.1), except from caches that add one to every
            // response.
            let isMadeUp = seen.age == nil || !arrivals.isEmpty
            return gatewayErrors.contains(status) && isMadeUp ? .generated : .cache
        }
        // A stale response in place of an error, or during validation.
        if answered >= 500 && status < 500 || seen.cacheStatus?[hit] == "?1" { return .cache }
        if isAnswerElsewhere(seen, arrivals) { return .cache }
        if isRejection(seen, of: answered) { return .generated }
        guard answered == 304 else { return .origin }
        // A 304 may come from the origin, or answer the caller's own condition from the validated response.
        return status == 304 ? .originOrValidated : .validated
    }

    /// Whether the response is as old as its own Date indicates and the origin's response is newer: the cache then did not
    /// wait for the origin's response, regardless of which came first.
    private static func isAnswerElsewhere(_ seen: CallerObservation, _ arrivals: [OriginExchange]) -> Bool {
        guard let age = seen.age, let answer = arrivals.last, let written = CacheFields.date(in: seen.fields),
            let answered = CacheFields.date(in: answer.answerFields)
        else { return false }
        let difference = answered - written
        return difference >= 2 && abs(age - difference) <= 1
    }

    /// Whether the response is a gateway error that the cache generated instead of using the origin's response.
    ///
    /// A stored error that a 304 has validated is not generated; it has a validator.
    private static func isRejection(_ seen: CallerObservation, of answered: Int) -> Bool {
        guard let status = seen.status, gatewayErrors.contains(status), status != answered else {
            return false
        }
        let names = seen.fields.map { $0.name.lowercased() }
        return answered != 304 || !names.contains("etag") && !names.contains("last-modified")
    }

    private static let hit = "hit"

    private static let gatewayErrors: Set<Int> = [502, 503, 504]
}
