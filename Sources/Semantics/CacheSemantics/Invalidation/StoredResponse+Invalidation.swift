extension StoredResponse {
    /// Whether it has been invalidated since a request was sent, when `seen` was stored for its key and variant.
    ///
    /// The response to that request confirms nothing for the time after the invalidation (RFC 9111 §4.4).
    func isInvalidated(since seen: StoredResponse?) -> Bool {
        isInvalidated && !(seen?.isInvalidated == true && isOfSameExchange(as: seen))
    }

    /// Whether the other response is from the same exchange.
    package func isOfSameExchange(as other: StoredResponse?) -> Bool {
        other.map { $0.requestTime == requestTime && $0.responseTime == responseTime && $0.date == date }
            ?? false
    }

    /// Whether another exchange has stored a more recent response since this one's exchange began (§4).
    ///
    /// - Parameters:
    ///   - current: The response that is stored now for the same variant.
    ///   - seen: The response that was stored for it when the exchange began.
    ///   - isInvalidated: Whether an unsafe request has invalidated the target since, so that what is valid was requested after it.
    /// - Returns: Whether this response is too late to be stored.
    func isOvertaken(
        by current: StoredResponse?,
        insteadOf seen: StoredResponse?,
        isInvalidated: Bool
    ) -> Bool {
        guard let current, !current.isInvalidated, !current.isOfSameExchange(as: seen) else { return false }
        return isInvalidated || (current.date, current.requestTime) > (date, requestTime)
    }
}
