/// Somebody whom a clock can ring.
public protocol Ringable: AnyObject, Sendable {
    /// The deadline has come; on a thread of the clock's choosing, so this must not block.
    func ring()
}

/// One ring that was asked for, which the same clock can call off.
public struct Appointment: Sendable {
    enum Kind: Sendable {
        case ticket(Agenda.Ticket)
        case sleeper(Sleeper)
    }
    let kind: Kind

    init(_ ticket: Agenda.Ticket) { kind = .ticket(ticket) }

    init(_ sleeper: Sleeper) { kind = .sleeper(sleeper) }
}
