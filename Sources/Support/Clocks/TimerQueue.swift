/// Pending timers in order of their deadlines, and in order of arrival for equal deadlines.
///
/// Most timers have the latest deadline when they are added, and are cancelled soon. Neither operation moves the others.
struct TimerQueue {
    struct Ticket: Sendable {
        let deadline: Duration
        let number: UInt64
    }
    private struct Entry {
        let ticket: Ticket
        /// `nil` once the timer has fired or was cancelled.
        var wake: Wake?
    }
    /// The action at the deadline.
    enum Wake: Sendable {
        case call(@Sendable () -> Void)
        case notify(any TimerTarget)

        func callAsFunction() {
            switch self {
            case .call(let function): function()
            case .notify(let target): target.timerFired()
            }
        }
    }
    /// Sorted, the earliest first.
    private var entries: [Entry] = []
    /// The index of the first entry that is still pending.
    private var first = 0
    /// The number of entries that are no longer pending.
    private var overCount = 0
    private var nextNumber: UInt64 = 0
    /// The number of entries without a timer above which the array may be compacted.
    private static let maximumEndedTimers = 64

    var earliest: Duration? { first < entries.count ? entries[first].ticket.deadline : nil }

    /// Adds a timer and returns the ticket to remove it with.
    mutating func add(deadline: Duration, wake: consuming Wake) -> Ticket {
        let ticket = Ticket(deadline: deadline, number: nextNumber)
        nextNumber += 1
        let entry = Entry(ticket: ticket, wake: wake)
        if let last = entries.last, last.ticket.deadline > deadline {
            entries.insert(entry, at: index { $0.deadline > deadline })
        } else {
            entries.append(entry)
        }
        return ticket
    }

    mutating func remove(_ ticket: Ticket) {
        let index = index { ($0.deadline, $0.number) >= (ticket.deadline, ticket.number) }
        guard index < entries.count, entries[index].ticket.number == ticket.number else { return }
        _ = take(index)
    }

    /// Removes and returns the earliest timer that is due at `now`.
    mutating func popDue(at now: Duration) -> (deadline: Duration, wake: Wake)? {
        guard let earliest, earliest <= now else { return nil }
        return take(first).map { (earliest, $0) }
    }

    private mutating func take(_ index: Int) -> Wake? {
        guard let wake = entries[index].wake.take() else { return nil }
        overCount += 1
        if overCount > Self.maximumEndedTimers, overCount > entries.count / 2 {
            entries.removeAll { $0.wake == nil }
            (first, overCount) = (0, 0)
        }
        while first < entries.count, entries[first].wake == nil { first += 1 }
        return wake
    }

    /// Returns the index of the first entry that meets a condition which all later ones meet, too.
    private func index(where isFound: (Ticket) -> Bool) -> Int {
        var (low, high) = (first, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isFound(entries[middle].ticket) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
