public import CacheSemantics
public import Clocks
public import Foundation

extension Date {
    /// Creates the time of a field such as `Date` or `Expires`, in whole seconds.
    public init(_ date: HTTPDate) { self.init(timeIntervalSince1970: Double(date.secondsSinceEpoch)) }
}

extension HTTPDate {
    /// Creates the date of a time, without its fraction of a second; years beyond those of HTTP are kept.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(secondsSinceEpoch: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max))
    }
}

extension TimeSource {
    /// The time on this clock.
    public var date: Date { Date(timeIntervalSince1970: timeSinceEpoch / .seconds(1)) }
}
