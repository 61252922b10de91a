/// The total of a page counter of SQLite, which has 31 bits and wraps to zero.
struct PageCount {
    private(set) var total = 0
    private var last: Int32 = 0

    /// Adds the pages counted since the last call.
    mutating func note(_ count: Int32) {
        total += Int((count &- last) & Int32.max)
        last = count
    }
}
