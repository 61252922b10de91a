/// A short busy wait before sleeping: a response from the same machine arrives during it, sooner than after a wake-up.
///
/// After unsuccessful attempts it is skipped, more and more often, so that waiting for a distant server, or for one that
/// shares the processor, costs almost nothing.
struct BusyWait {
    /// The length of a busy wait: a few times the cost of a sleep.
    static let nanoseconds: Int64 = 20_000
    /// The largest number of waits that skip it.
    static let maximumSkipped = 64
    /// Nanoseconds of a monotonic clock.
    private let now: () -> Int64
    private var skipped = 0
    private var left = 0

    init(now: @escaping () -> Int64 = MonotonicTime.now) { self.now = now }

    /// Returns whether `look`, repeated for a moment, succeeds.
    mutating func finds(_ look: () -> Bool) -> Bool {
        if left > 0 {
            left -= 1
            return false
        }
        let end = now() + Self.nanoseconds
        repeat {
            if look() {
                skipped = 0
                return true
            }
        } while now() < end
        skipped = skipped == 0 ? 1 : min(skipped * 2, Self.maximumSkipped)
        left = skipped
        return false
    }
}
