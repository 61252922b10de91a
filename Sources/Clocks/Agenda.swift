/// Wake-ups in order of their deadline, and in order of arrival where deadlines are equal.
struct Agenda {
    struct Ticket: Sendable {
        let deadline: Duration
        let number: UInt64
    }
    struct Entry {
        let ticket: Ticket
        let wake: Wake
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
    // Latest first, so that the earliest is popped from the end.
    private var entries: [Entry] = []
    private var nextNumber: UInt64 = 0

    var earliest: Duration? { entries.last?.ticket.deadline }

    /// Adds a wake-up and returns the ticket that removes it.
    mutating func add(deadline: Duration, wake: Wake) -> Ticket {
        let ticket = Ticket(deadline: deadline, number: nextNumber)
        nextNumber += 1
        entries.insert(Entry(ticket: ticket, wake: wake), at: firstIndex(notLaterThan: deadline))
        return ticket
    }

    mutating func remove(_ ticket: Ticket) {
        var index = firstIndex(notLaterThan: ticket.deadline)
        while index < entries.count, entries[index].ticket.deadline == ticket.deadline {
            if entries[index].ticket.number == ticket.number {
                entries.remove(at: index)
                return
            }
            index += 1
        }
    }

    /// Removes and returns the earliest wake-up that is due at `now`.
    mutating func popDue(at now: Duration) -> Entry? {
        guard let last = entries.last, last.ticket.deadline <= now else { return nil }
        return entries.removeLast()
    }

    private func firstIndex(notLaterThan deadline: Duration) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ticket.deadline > deadline { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
