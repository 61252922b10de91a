public import CacheSemantics
public import Clocks

extension TimeSource {
    /// The time on this clock in whole seconds, as the engine takes it and as fields such as `Date` have it.
    public var now: HTTPDate {
        HTTPDate(secondsSinceEpoch: timeSinceEpoch.wholeSeconds)
    }
}
