public import CacheSemantics
public import Clocks

extension TimeSource {
    /// The time on this clock in whole seconds, as the engine takes it and as fields such as `Date` have it.
    public var now: HTTPDate {
        let seconds = wallSeconds.rounded(.down)
        return HTTPDate(secondsSinceEpoch: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}
