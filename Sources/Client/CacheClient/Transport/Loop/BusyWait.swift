/// Whether to look again and again for a moment before going to sleep: an answer from the same machine is there by then,
/// and is had sooner than by who has to be woken.
///
/// After looks in vain the next waits go without, ever more of them, so that waiting for a server far away, or for one
/// that has no processor of its own, costs nothing to speak of.
struct BusyWait {
    /// A few times what a sleep costs.
    static let nanoseconds: Int64 = 20_000
    /// The most waits that go without.
    static let mostSkipped = 64
    /// Nanoseconds of a clock that never goes back.
    private let now: () -> Int64
    private var skipped = 0
    private var left = 0

    init(now: @escaping () -> Int64 = MonotonicTime.now) { self.now = now }

    /// Whether `look`, repeated for a moment, finds something.
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
        skipped = skipped == 0 ? 1 : min(skipped * 2, Self.mostSkipped)
        left = skipped
        return false
    }
}
