extension DateForm {
    /// Returns a moment in this form (RFC 9110 §5.6.7); `secondsSinceEpoch` counts from 1970-01-01T00:00:00Z.
    public func text(secondsSinceEpoch: Int64) -> String {
        let moment = CivilMoment(secondsSinceEpoch: secondsSinceEpoch)
        let day = String(CivilMoment.dayNames[moment.weekday].prefix(3))
        let month = CivilMoment.monthNames[moment.month - 1]
        let time = "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
        switch self {
        case .imf:
            return "\(day), \(padded(moment.day)) \(month) \(padded(moment.year, to: 4)) \(time) GMT"
        case .rfc850:
            let year = padded(((moment.year % 100) + 100) % 100)
            return
                "\(CivilMoment.dayNames[moment.weekday]), \(padded(moment.day))-\(month)-\(year) \(time) GMT"
        case .asctime:
            let dayOfMonth = moment.day < 10 ? " \(moment.day)" : "\(moment.day)"
            return "\(day) \(month) \(dayOfMonth) \(time) \(padded(moment.year, to: 4))"
        }
    }

    private func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A moment by the calendar, in UTC.
private struct CivilMoment {
    static let dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let year: Int
    let month: Int
    let day: Int
    let weekday: Int
    let hour: Int
    let minute: Int
    let second: Int

    init(secondsSinceEpoch: Int64) {
        let clamped = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
        let seconds = Int(clamped)
        let days = Int((Double(seconds) / 86400).rounded(.down))
        let secondOfDay = seconds - days * 86400
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
        // 1970-01-01 was a Thursday.
        weekday = ((days + 4) % 7 + 7) % 7
        (year, month, day) = Self.date(daysSinceEpoch: days)
    }

    /// The proleptic Gregorian date, counted in eras of 400 years that begin on 1 March.
    private static func date(daysSinceEpoch: Int) -> (Int, Int, Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
