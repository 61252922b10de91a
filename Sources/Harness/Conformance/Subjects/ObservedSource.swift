import Scenarios

/// Where a response came from, told by what the origin saw and answered.
enum ObservedSource {
    /// Some tier of the store.
    static let store = "cache"
    /// Of several at once, when the origin was asked.
    static let unknown = "not known"
    /// Returns the source of a response to a request that was alone; `nil` where what arrived is not enough to tell.
    static func source(of seen: CallerObservation, _ arrivals: [OriginExchange]) -> String? {
        guard seen.error == nil, let status = seen.status else { return nil }
        guard
            let answered = arrivals.last(where: { $0.request.answeredStatus != nil })?.request.answeredStatus
        else {
            // What a cache makes up itself has no age (RFC 9111 §5.1), unless it is one that gives an age to everything.
            let isMadeUp = seen.age == nil || !arrivals.isEmpty
            return gatewayErrors.contains(status) && isMadeUp ? "none" : store
        }
        // A stale response that stands in for an error, or that is given out while it is validated.
        if answered >= 500 && status < 500 || seen.cacheStatus?[hit] == "?1" { return store }
        if isAnswerElsewhere(seen, arrivals) { return store }
        guard answered == 304 else { return "origin" }
        // A 304 may be the origin's, or the answer to the caller's own condition from what was confirmed.
        return status == 304 ? "origin or validated" : "validated"
    }

    /// Whether what came is as old as its own Date says, and not as what the origin has answered meanwhile: then that was
    /// not waited for, and whether it came before or after is nobody's choice.
    private static func isAnswerElsewhere(_ seen: CallerObservation, _ arrivals: [OriginExchange]) -> Bool {
        guard let age = seen.age, let answer = arrivals.last, let written = CacheFields.date(in: seen.fields),
            let answered = CacheFields.date(in: answer.answerFields)
        else { return false }
        let difference = answered - written
        return difference >= 2 && abs(age - difference) <= 1
    }

    private static let hit = "hit"

    private static let gatewayErrors: Set<Int> = [502, 503, 504]
}
