/// An injected fault: where it happens, what it does, and when.
public struct Fault: Sendable, Hashable {
    /// A position within the bytes of an event.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Point: Sendable, Hashable {
        /// After this many bytes; beyond the last byte, after it.
        case byte(RandomRange<Int>)
        /// After this share of the bytes, 0 to 1.
        case share(RandomRange<Double>)
    }
    /// The event at which it happens.
    public var event: FaultEvent
    /// The position within the event; default before its first byte.
    public var point = Point.byte(RandomRange(0))
    /// The failure that is injected.
    public var action: FaultAction
    /// The probability at each request, 0 to 1; default 1.
    public var chance = 1.0
    /// The number of successive requests that are affected once it is drawn, at least 1.
    public var burst = 1
    /// The numbers, from 1, of the requests that are affected; `nil` is all.
    public var requests: ClosedRange<Int>?
    /// The times at which it happens; default always.
    public var window = FaultWindow()
    /// The paths that are affected; default all.
    public var path = PathPattern.any

    /// Creates a fault at the beginning of an event, for every request.
    public init(_ action: FaultAction, at event: FaultEvent) {
        self.event = event
        self.action = action
    }

    /// Creates a fault after this many bytes of an event, for every request.
    public init(_ action: FaultAction, at event: FaultEvent, byte: Int) {
        self.init(action, at: event)
        point = .byte(RandomRange(byte))
    }

    /// Whether the fault involves a random decision.
    public var isRandom: Bool {
        if chance < 1 { return true }
        switch point {
        case .byte(let span) where !span.isFixed: return true
        case .share(let span) where !span.isFixed: return true
        default: break
        }
        return switch action {
        case .delay(let span), .stall(.time(let span)): !span.isFixed
        case .garbage(.drawn): true
        default: false
        }
    }

    /// Whether the fault holds the response until a release.
    public var waitsForRelease: Bool { action == .stall(.untilReleased) }

    /// Whether the fault needs a separate listener.
    public var needsOwnListener: Bool { event.isOfConnection }

    /// Whether the fault requires a socket.
    public var needsSocket: Bool {
        (event.isBeforeAnswer && action != .refuse) || action.needsSocket
            || (action.kind == .slow && event == .head)
    }
}

/// The times at which a fault happens, counted from the start of the script.
public struct FaultWindow: Sendable, Hashable {
    /// The start of the first window.
    public var from = Duration.zero
    /// The length of each window; `nil` is unlimited.
    public var length: Duration?
    /// The time from the start of one window to that of the next; `nil` is a single window.
    public var period: Duration?

    /// Creates a window, by default one that is always open.
    public init(from: Duration = .zero, length: Duration? = nil, period: Duration? = nil) {
        self.from = from
        self.length = length
        self.period = period
    }

    /// Whether the fault window is open at this time after the start.
    public func isOpen(at elapsed: Duration) -> Bool {
        guard elapsed >= from else { return false }
        guard let length else { return true }
        return phase(at: elapsed) < length
    }

    /// Returns the next time after `elapsed` at which it opens or closes; `nil` if there is none.
    public func nextChange(after elapsed: Duration) -> Duration? {
        if elapsed < from { return from }
        guard let length else { return nil }
        let begin = elapsed - phase(at: elapsed)
        if elapsed < begin + length { return begin + length }
        return period.map { begin + $0 }
    }

    private func phase(at elapsed: Duration) -> Duration {
        let since = elapsed - from
        guard let period, period > .zero else { return since }
        let whole = Int64((since / period).rounded(.down))
        let phase = since - period * whole
        // The division is of floating point: at a border it may be off by one.
        if phase < .zero { return phase + period }
        return phase >= period ? phase - period : phase
    }
}
