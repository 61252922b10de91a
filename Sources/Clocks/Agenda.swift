/// Wake-ups in order of their deadline, and in order of arrival where deadlines are equal.
struct Agenda {
    struct Entry {
        let deadline: Duration
        let number: UInt64
        let wake: @Sendable () -> Void
    }
    private var entries: [Entry] = []
    private var nextNumber: UInt64 = 0

    var earliest: Duration? { entries.last?.deadline }

    /// Adds a wake-up and returns the number that removes it.
    mutating func add(deadline: Duration, wake: @escaping @Sendable () -> Void) -> UInt64 {
        let entry = Entry(deadline: deadline, number: nextNumber, wake: wake)
        nextNumber += 1
        // Latest first, so that the earliest is popped from the end; binary search for the place.
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].deadline > deadline { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
        return entry.number
    }

    mutating func remove(_ number: UInt64) {
        entries.removeAll { $0.number == number }
    }

    /// Removes and returns the earliest wake-up that is due at `now`.
    mutating func popDue(at now: Duration) -> Entry? {
        guard let last = entries.last, last.deadline <= now else { return nil }
        return entries.removeLast()
    }
}
