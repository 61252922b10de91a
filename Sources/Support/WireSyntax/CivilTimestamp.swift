/// A date and time of the calendar in UTC, to the second, with its forms in HTTP (RFC 9110 §5.6.7).
public struct CivilTimestamp: Sendable, Hashable {
    /// The day, within the years 0 to 9999.
    public let date: CivilDate
    /// Hour, 0 to 23.
    public let hour: Int
    /// Minute, 0 to 59.
    public let minute: Int
    /// Second, 0 to 59.
    public let second: Int

    /// Creates the timestamp of a moment, counted from 1970-01-01T00:00:00Z; the first or last one of the years 0 to 9999
    /// for a moment outside them.
    public init(secondsSinceEpoch: Int64) {
        let seconds = min(max(secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
        let second = (seconds % 86_400 + 86_400) % 86_400
        date = CivilDate(daysSince1970: (seconds - second) / 86_400)
        (hour, minute, self.second) = (Int(second / 3600), Int(second / 60 % 60), Int(second % 60))
    }

    /// As `Sun, 06 Nov 1994 08:49:37 GMT`, the form that senders use.
    public var imfFixdate: String {
        "\(weekday.prefix(3)), \(Self.padded(date.day)) \(month) \(year) \(time) GMT"
    }

    /// As `Sunday, 06-Nov-94 08:49:37 GMT`, which is obsolete.
    public var rfc850Date: String {
        "\(weekday), \(Self.padded(date.day))-\(month)-\(year.suffix(2)) \(time) GMT"
    }

    /// As `Sun Nov  6 08:49:37 1994`, which is obsolete.
    public var asctimeDate: String {
        let day = date.day < 10 ? " \(date.day)" : "\(date.day)"
        return "\(weekday.prefix(3)) \(month) \(day) \(time) \(year)"
    }

    private var weekday: String { CivilDate.weekdayNames[date.weekday] }
    private var month: String { CivilDate.monthNames[date.month - 1] }
    private var year: String { Self.padded(date.year, to: 4) }
    private var time: String { "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))" }

    /// Returns a number with at least `width` digits.
    static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
