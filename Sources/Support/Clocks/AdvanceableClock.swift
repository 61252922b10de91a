/// A clock that can be advanced.
public protocol AdvanceableClock: TimeSource {
    /// Advances the clock by `duration` and fires, one after another, the timers that become due.
    func advance(by duration: Duration)
}

extension VirtualClock: AdvanceableClock {}
