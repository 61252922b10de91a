/// A date and time with the resolution of HTTP, one second (RFC 9110 §5.6.7).
public struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z; may be negative.
    public var secondsSinceEpoch: Int64

    /// Creates the date `secondsSinceEpoch` seconds after 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Whether the left date is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    /// Returns the seconds from `other` to this date, negative if it is earlier; saturated.
    public func seconds(since other: HTTPDate) -> Int64 {
        let (difference, overflow) = secondsSinceEpoch.subtractingReportingOverflow(other.secondsSinceEpoch)
        guard overflow else { return difference }
        return secondsSinceEpoch < 0 ? .min : .max
    }

    /// Returns the date `seconds` later; saturated.
    public func advanced(by seconds: Int64) -> HTTPDate {
        let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
        guard overflow else { return HTTPDate(secondsSinceEpoch: sum) }
        return HTTPDate(secondsSinceEpoch: seconds < 0 ? .min : .max)
    }
}
