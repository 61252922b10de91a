/// Dates in the preferred format, as seconds since 1970 (RFC 9110 §5.6.7).
public enum OracleDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the time an HTTP-date names; `nil` if it is invalid.
    ///
    /// The obsolete formats are never generated (RFC 9110 §5.6.7), and a zone other than GMT is invalid (RFC
    /// 9111 §4.2).
    public static func parse(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(","), let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        return daysSince1970(year, month + 1, day) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    }

    /// Returns the preferred format of a time at or after 1970.
    public static func format(_ time: Int) -> String {
        let day = time / 86_400
        let (year, month, dayOfMonth) = civil(day)
        let seconds = time % 86_400
        return "\(days[day % 7]), \(two(dayOfMonth)) \(months[month - 1]) \(year) "
            + "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(_ month: Int, _ year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func leaps(before year: Int) -> Int {
        (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
    }

    private static func firstDay(of year: Int) -> Int {
        (year - 1970) * 365 + leaps(before: year) - leaps(before: 1970)
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        firstDay(of: year) + (1..<month).reduce(0) { $0 + length($1, year) } + day - 1
    }

    private static func civil(_ day: Int) -> (Int, Int, Int) {
        var year = 1970 + day / 366
        while firstDay(of: year + 1) <= day { year += 1 }
        var rest = day - firstDay(of: year)
        var month = 1
        while rest >= length(month, year) {
            rest -= length(month, year)
            month += 1
        }
        return (year, month, rest + 1)
    }
}
