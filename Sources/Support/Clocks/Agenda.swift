/// Wake-ups in order of their deadline, and in order of arrival where deadlines are equal.
///
/// Most are the latest of all when they come, and are called off soon: neither moves the others.
struct Agenda {
    struct Ticket: Sendable {
        let deadline: Duration
        let number: UInt64
    }
    private struct Entry {
        let ticket: Ticket
        /// `nil` once it is over.
        var wake: Wake?
    }
    /// What is done at the deadline.
    enum Wake: Sendable {
        case call(@Sendable () -> Void)
        case ring(any Ringable)

        func callAsFunction() {
            switch self {
            case .call(let function): function()
            case .ring(let target): target.ring()
            }
        }
    }
    /// The earliest first.
    private var entries: [Entry] = []
    /// The first that is not over.
    private var first = 0
    /// How many are over and still there.
    private var overCount = 0
    private var nextNumber: UInt64 = 0
    /// So many that are over may stay for long.
    private static let mostOver = 64

    var earliest: Duration? { first < entries.count ? entries[first].ticket.deadline : nil }

    /// Adds a wake-up and returns the ticket that removes it.
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

    /// Removes and returns the earliest wake-up that is due at `now`.
    mutating func popDue(at now: Duration) -> (deadline: Duration, wake: Wake)? {
        guard let earliest, earliest <= now else { return nil }
        return take(first).map { (earliest, $0) }
    }

    private mutating func take(_ index: Int) -> Wake? {
        guard let wake = entries[index].wake.take() else { return nil }
        overCount += 1
        if overCount > Self.mostOver, overCount > entries.count / 2 {
            entries.removeAll { $0.wake == nil }
            (first, overCount) = (0, 0)
        }
        while first < entries.count, entries[first].wake == nil { first += 1 }
        return wake
    }

    /// The first whose ticket is as wanted, as those of all later ones are.
    private func index(where isFound: (Ticket) -> Bool) -> Int {
        var (low, high) = (first, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if isFound(entries[middle].ticket) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
