import CacheStorage

extension CacheStatus {
    /// Tells in `detail` that an invalidation or a removal may be undone by the end of the process.
    mutating func note(_ outcome: ChangeOutcome) {
        guard let failure = outcome.failure else { return }
        let text = "not invalidated for good: \(failure.description)"
        detail = detail.map { $0 + "; " + text } ?? text
    }
}
