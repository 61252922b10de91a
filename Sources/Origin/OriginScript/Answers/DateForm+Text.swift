import Clocks
import WireSyntax

extension DateForm {
    /// Returns a timestamp in this form (RFC 9110 §5.6.7), in whole seconds; `time` is since 1970-01-01T00:00:00Z.
    public func text(sinceEpoch time: Duration) -> String { text(secondsSinceEpoch: time.wholeSeconds) }

    /// Returns a timestamp in this form; `secondsSinceEpoch` counts from 1970-01-01T00:00:00Z.
    package func text(secondsSinceEpoch: Int64) -> String {
        let moment = CivilTimestamp(secondsSinceEpoch: secondsSinceEpoch)
        let date = moment.date
        let weekday = CivilDate.weekdayNames[date.weekday]
        let month = CivilDate.monthNames[date.month - 1]
        let year = padded(date.year, to: 4)
        let time = "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
        switch self {
        case .imf: return "\(weekday.prefix(3)), \(padded(date.day)) \(month) \(year) \(time) GMT"
        case .rfc850: return "\(weekday), \(padded(date.day))-\(month)-\(year.suffix(2)) \(time) GMT"
        case .asctime:
            let day = date.day < 10 ? " \(date.day)" : "\(date.day)"
            return "\(weekday.prefix(3)) \(month) \(day) \(time) \(year)"
        }
    }

    private func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A date and time of the calendar, in UTC, clamped to the years 0 to 9999.
private struct CivilTimestamp {
    let date: CivilDate
    let hour: Int
    let minute: Int
    let second: Int

    init(secondsSinceEpoch: Int64) {
        let seconds = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
        let second = (seconds % 86_400 + 86_400) % 86_400
        date = CivilDate(daysSince1970: (seconds - second) / 86_400)
        (hour, minute, self.second) = (Int(second / 3600), Int(second / 60 % 60), Int(second % 60))
    }
}
