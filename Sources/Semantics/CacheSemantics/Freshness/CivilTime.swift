/// A date and time of the proleptic Gregorian calendar in UTC.
package struct CivilTime: Equatable {
    var year: Int64
    var month: Int64
    var day: Int64
    var hour: Int64 = 0
    var minute: Int64 = 0
    var second: Int64 = 0

    /// Names as HTTP writes them, January first.
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Names as HTTP writes them, Sunday first.
    static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// Whether every part is in its range; 60 seconds are a leap second.
    package var isValid: Bool {
        (1...12).contains(month) && (1...Self.days(in: month, of: year)).contains(day)
            && (0...23).contains(hour)
            && (0...59).contains(minute) && (0...60).contains(second)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    package var secondsSinceEpoch: Int64 {
        // Days are counted from 0000-03-01, so that the leap day ends a year.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Returns the day of the week; Sunday is 0.
    static func weekday(secondsSinceEpoch: Int64) -> Int {
        let days = floorDivide(secondsSinceEpoch, 86_400)
        return Int(((days + 4) % 7 + 7) % 7)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }
}

extension CivilTime {
    /// Creates a date and time from its parts, which are not checked; see `isValid`.
    package init(_ year: Int, _ month: Int, _ day: Int, at time: (hour: Int, minute: Int, second: Int)) {
        (self.year, self.month, self.day) = (Int64(year), Int64(month), Int64(day))
        (hour, minute, second) = (Int64(time.hour), Int64(time.minute), Int64(time.second))
    }

    /// Creates the date and time of a number of seconds since 1970; years are clamped to 0 to 9999.
    init(secondsSinceEpoch: Int64) {
        let clamped = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
        let days = Self.floorDivide(clamped, 86_400)
        let rest = clamped - days * 86_400
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = rest % 60
    }
}
