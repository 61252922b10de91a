/// The current age of a stored response and its terms (RFC 9111 §4.2.3).
struct CurrentAge: Sendable, Hashable {
    /// Response time minus `Date`, not negative.
    let apparent: Int64
    /// The `Age` field plus the response delay.
    let corrected: Int64
    /// The time since the response was received.
    let resident: Int64

    /// The current age in seconds.
    var seconds: Int64 { Self.sum(max(apparent, corrected), resident) }

    init(of stored: StoredResponse, now: HTTPDate) {
        let facts = stored.facts
        apparent = facts.initialAge.apparent
        corrected = facts.initialAge.corrected
        // A clock that was set back must not make a response younger than on arrival; see `isClockBehind`.
        resident = max(0, now.seconds(since: facts.responseTime))
    }

    /// Returns the sum of two ages, saturated.
    static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// The name of the value that determined the initial age.
    var rule: Rule { corrected > apparent ? .ageCorrected : .ageApparent }

    var description: String {
        "apparent age \(apparent) s, corrected age value \(corrected) s, resident time \(resident) s"
    }
}

/// The terms of a response's age when it was received, computed once (RFC 9111 §4.2.3).
struct InitialAge: Sendable {
    /// Response time minus `Date`, not negative.
    let apparent: Int64
    /// The `Age` field, 0 where there is none, plus the response delay.
    let corrected: Int64

    init(_ metadata: ResponseMetadata, requestTime: HTTPDate) {
        let responseTime = metadata.received
        apparent = metadata.date.map { max(0, responseTime.seconds(since: $0)) } ?? 0
        let delay = max(0, responseTime.seconds(since: requestTime))
        corrected = CurrentAge.sum(metadata.age ?? 0, delay)
    }
}

extension CacheEngine {
    /// Returns the remaining freshness lifetime in seconds; negative if the response is stale (RFC 9211 §2.4).
    package func remainingFreshness(of stored: StoredResponse, now: HTTPDate) -> Int64 {
        // Neither is negative, so the difference cannot overflow.
        lifetime(of: stored).seconds - CurrentAge(of: stored, now: now).seconds
    }

    /// Whether a stored response can answer a request equal to its own without validation: it is fresh, and neither
    /// `no-cache` nor a `*` in Vary forbids it.
    public func isReusableWithoutValidation(_ stored: StoredResponse, now: HTTPDate) -> Bool {
        remainingFreshness(of: stored, now: now) > 0 && !stored.isInvalidated && !stored.vary.neverMatches
            && control(of: stored.facts).noCache != .everything
    }
}

extension StoredResponse {
    /// Whether the clock was set back since the response was received, so that its resident time is unknown.
    ///
    /// Deviation: by the formula of §4.2.3 it would be fresh for longer than its lifetime; it is validated instead. One
    /// second is tolerated, for rounding and clock adjustment.
    func isClockBehind(_ now: HTTPDate) -> Bool { now.seconds(since: facts.responseTime) < -1 }
}
