import Clocks
package import OriginScript

/// A time in whole seconds since 1970, parsed from the three forms of RFC 9110 §5.6.7.
///
/// The origin has its own type, so that it cannot share a defect with the caches that it tests.
package struct HTTPTimestamp: Hashable, Comparable, Sendable {
    package let seconds: Int64

    /// Creates a timestamp, clamped to the years 0 to 9999, which the forms can express.
    package init(seconds: Int64) {
        self.seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    }

    /// Creates a timestamp from the reading of a wall clock, without its fraction.
    package init(wallSeconds: Double) {
        self.init(seconds: Duration.saturating(seconds: wallSeconds).wholeSeconds)
    }

    package static func < (left: HTTPTimestamp, right: HTTPTimestamp) -> Bool { left.seconds < right.seconds }

    /// Returns the timestamp `offset` seconds later, clamped.
    func adding(_ offset: Int64) -> HTTPTimestamp {
        let (sum, overflow) = seconds.addingReportingOverflow(offset)
        return HTTPTimestamp(seconds: overflow ? (offset < 0 ? .min : .max) : sum)
    }

    /// Returns the text of the timestamp.
    package func text(_ form: DateForm = .imf) -> String { form.text(secondsSinceEpoch: seconds) }
}
