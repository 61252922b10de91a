/// One thing that goes wrong on purpose: where, what, and when.
public struct Fault: Sendable, Hashable {
    /// How far into the event's bytes.
    public enum Point: Sendable, Hashable {
        /// After so many bytes; beyond the last, after the last.
        case byte(Span<Int>)
        /// After such a share of the bytes, 0 to 1.
        case share(Span<Double>)
    }
    /// At which event.
    public var event: FaultEvent
    /// How far into it; default before its first byte.
    public var point = Point.byte(Span(0))
    /// What is done.
    public var action: FaultAction
    /// How likely it is at each request, 0 to 1; default 1.
    public var chance = 1.0
    /// How many requests in a row it strikes once it is drawn, at least 1.
    public var burst = 1
    /// Which requests, from 1, it is for; `nil` is every one.
    public var requests: ClosedRange<Int>?
    /// When it is on; default always.
    public var window = FaultWindow()
    /// Which paths it is for; default all.
    public var path = PathPattern.any

    /// Creates a fault at the beginning of an event, for every request.
    public init(_ action: FaultAction, at event: FaultEvent) {
        self.event = event
        self.action = action
    }

    /// Creates a fault after so many bytes of an event, for every request.
    public init(_ action: FaultAction, at event: FaultEvent, byte: Int) {
        self.init(action, at: event)
        point = .byte(Span(byte))
    }

    /// Whether something of it is drawn.
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

    /// Whether it waits for a release.
    public var waitsForRelease: Bool { action == .stall(.untilReleased) }

    /// Whether it needs a listener that no other scenario uses.
    public var needsOwnListener: Bool { event.isOfConnection }

    /// Whether only a socket can show it.
    public var needsSocket: Bool {
        (event.isBeforeAnswer && action != .refuse) || action.needsSocket
            || (action.name == .slow && event == .head)
    }
}

/// When a fault is on, counted from the beginning of the script.
public struct FaultWindow: Sendable, Hashable {
    /// When it is first on.
    public var from = Duration.zero
    /// How long it is on; `nil` is for ever.
    public var length: Duration?
    /// After how long it is on again; `nil` is never.
    public var period: Duration?

    /// Creates the window that is always open.
    public init(from: Duration = .zero, length: Duration? = nil, period: Duration? = nil) {
        self.from = from
        self.length = length
        self.period = period
    }

    /// Whether it is open so long after the beginning.
    public func isOpen(at elapsed: Duration) -> Bool {
        guard elapsed >= from else { return false }
        guard let length else { return true }
        return phase(at: elapsed) < length
    }

    /// The next moment, after `elapsed`, at which it opens or closes; `nil` when it never does.
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
