import CacheStorage

extension CacheStatus {
    /// Adds to `detail` that an invalidation or a removal may be lost when the process ends.
    mutating func note(_ outcome: ChangeOutcome) {
        guard let failure = outcome.failure else { return }
        note("the invalidation may be lost on restart: \(failure.description)")
    }

    /// Adds to `detail` that a response of `count` bytes was not stored because one may take no more than `limit` bytes.
    mutating func note(size count: Int, limit: Int) {
        guard isStored == false, count > limit else { return }
        note("not stored: \(count) bytes, and the cache stores responses of up to \(limit) bytes")
    }

    private mutating func note(_ text: String) { detail = detail.map { $0 + "; " + text } ?? text }
}
