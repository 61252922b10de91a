import CacheStorage

extension CacheStatus {
    /// Adds to `detail` that an invalidation or a removal may be lost when the process ends.
    mutating func note(_ outcome: ChangeOutcome) {
        guard let failure = outcome.failure else { return }
        let text = "the invalidation may be lost on restart: \(failure.description)"
        detail = detail.map { $0 + "; " + text } ?? text
    }
}
