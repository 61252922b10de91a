/// A clock that can be moved on.
public protocol SteerableClock: TimeSource {
    /// Moves the clock on by `duration` and wakes, one after another, everybody whose deadline is passed.
    func advance(by duration: Duration)
}

extension VirtualClock: SteerableClock {}
