package import OriginScript

/// A moment in whole seconds since 1970, read in the three forms of RFC 9110 §5.6.7.
///
/// The origin has its own, so that it cannot share a mistake with the caches it judges.
package struct HTTPMoment: Hashable, Comparable, Sendable {
    package let seconds: Int64

    /// Creates a moment, clamped to the years 0 to 9999, which are all that the forms can say.
    package init(seconds: Int64) {
        self.seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
    }

    /// Creates the moment of a wall clock's reading, without its fraction.
    package init(wallSeconds: Double) {
        self.init(seconds: Int64(exactly: wallSeconds.rounded(.down)) ?? 0)
    }

    package static func < (left: HTTPMoment, right: HTTPMoment) -> Bool { left.seconds < right.seconds }

    /// Returns the moment this many seconds later; clamped.
    func adding(_ offset: Int64) -> HTTPMoment {
        let (sum, overflow) = seconds.addingReportingOverflow(offset)
        return HTTPMoment(seconds: overflow ? (offset < 0 ? .min : .max) : sum)
    }

    /// Returns the text of the moment.
    package func text(_ form: DateForm = .imf) -> String { form.text(secondsSinceEpoch: seconds) }
}
