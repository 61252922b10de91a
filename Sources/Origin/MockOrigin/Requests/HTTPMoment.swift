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

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}

/// A day of the Gregorian calendar.
struct CivilDate: Hashable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Counts in years that begin in March, so that the leap day is a year's last.
    init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the calendar has such a day.
    var exists: Bool {
        (1...12).contains(month) && day >= 1 && CivilDate(daysSince1970: daysSince1970) == self
    }
}
