/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Sendable, Hashable {
    /// Year; may be negative.
    public var year: Int
    /// Month, from 1.
    public var month: Int
    /// Day of the month, from 1.
    public var day: Int

    /// Creates a day from its parts, which are not checked; see `exists`.
    public init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date `days` days after 1970-01-01.
    ///
    /// Counts in years that begin in March, so that the leap day is a year's last.
    public init(daysSince1970 days: Int64) {
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

    /// The number of days from 1970-01-01; negative before it.
    public var daysSince1970: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of the week, Sunday is 0.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        Int(((daysSince1970 + 4) % 7 + 7) % 7)
    }

    /// Whether the calendar has such a day.
    public var exists: Bool {
        (1...12).contains(month) && day >= 1 && CivilDate(daysSince1970: daysSince1970) == self
    }

    /// Names as HTTP writes them, January first (RFC 9110 §5.6.7).
    public static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Names as HTTP writes them in full, Sunday first (RFC 9110 §5.6.7).
    public static let weekdayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
}
