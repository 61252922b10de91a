import HTTPServing
import OriginScript

/// A step of a message in which faults happen.
enum FaultEffect: Sendable {
    /// Bytes are sent: those of an event, or with `nil` those that frame the content or that a fault inserts.
    case send(Content, FaultEvent?)
    /// A 1xx response is sent.
    case interim(Int)
    /// Nothing is sent for a duration.
    case wait(Duration)
    /// Nothing is sent until a release or, with `nil`, until the peer gives up.
    case hold(Hold?)
    /// The connection ends.
    case end(ConnectionEnd)
}

extension FaultAction {
    /// Returns the effect at the fault's position; `nil` if the fault changes the bytes behind it, or the head.
    func effect(stall: Hold) -> FaultEffect? {
        switch self {
        case .reset, .close, .halfClose: connectionEnd.map { .end($0) }
        case .stall(.untilReleased): .hold(stall)
        case .stall(.forever): .hold(nil)
        case .stall(.time(let time)), .delay(let time): .wait(time.low)
        case .garbage(.bytes(let bytes)): .send(Content(bytes), nil)
        case .garbage(.drawn(let count)): .send(Content(Array(repeating: 0x3F, count: count)), nil)
        case .interim(let status): .interim(status)
        case .truncate, .duplicate, .rewrite, .slow, .contentLength, .status, .refuse: nil
        }
    }
}

extension [Fault] {
    /// Returns the faults by their places; those at the same place stay in order, but the end of the connection comes last.
    func ordered(by place: (Fault) -> Int) -> [(place: Int, fault: Fault)] {
        let ranks = enumerated().map { index, fault in
            (place(fault), fault.action.connectionEnd == nil ? 0 : 1, index)
        }
        return ranks.sorted(by: <).map { ($0.0, self[$0.2]) }
    }
}

extension FaultEvent {
    /// The number of events before this one.
    var rank: Int { Self.inOrder.prefix { $0 != self }.count }

    private static let inOrder = allCases
}

extension RawReply.Step {
    /// Creates the step of a reply that is written unchanged.
    init(_ effect: FaultEffect) {
        self =
            switch effect {
            case .send(let content, _): .write(content.bytes() ?? [])
            case .interim(let status): .write(ComposedReply.bytes(ComposedReply.Head(interim: status))[...])
            case .wait(let time): .wait(time)
            case .hold(let hold): hold.map { .hold($0) } ?? .pause { nil }
            case .end(let end): .end(RawReply.Ending(end))
            }
    }
}
