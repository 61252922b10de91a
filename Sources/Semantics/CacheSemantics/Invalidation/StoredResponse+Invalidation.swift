extension StoredResponse {
    /// Whether it has been invalidated since a request was sent, when `seen` was stored in its place.
    ///
    /// The response to that request confirms nothing for the time after the invalidation (RFC 9111 §4.4).
    package func isInvalidated(since seen: StoredResponse?) -> Bool {
        isInvalidated && !(seen?.isInvalidated == true && isOfSameExchange(as: seen))
    }

    /// Whether the other response is from the same exchange.
    package func isOfSameExchange(as other: StoredResponse?) -> Bool {
        other.map { $0.requestTime == requestTime && $0.responseTime == responseTime && $0.date == date }
            ?? false
    }
}
