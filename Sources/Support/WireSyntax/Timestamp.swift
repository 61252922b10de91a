/// Timestamps of the Internet (RFC 3339), such as `2026-01-01T00:00:00.5Z`.
public enum Timestamp {
    /// Returns the seconds since 1970-01-01T00:00:00Z, with fraction; `nil` for anything but a timestamp.
    ///
    /// The zone is `Z` or an offset with or without a colon.
    public static func parse(_ text: some StringProtocol) -> Double? {
        var rest = Array(text.utf8)[...]
        guard let year = number(4, &rest), take("-", &rest), let month = number(2, &rest), take("-", &rest),
            let day = number(2, &rest), take("Tt ", &rest), let time = time(&rest)
        else { return nil }
        let fraction = fraction(&rest)
        guard let fraction, let offset = offset(rest) else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.exists else { return nil }
        return Double(date.daysSince1970 * 86_400 + Int64(time - offset)) + fraction
    }

    /// Returns the timestamp of a moment in seconds since 1970-01-01T00:00:00Z, in milliseconds, such as
    /// `2026-01-01T00:00:00.500Z`; the first or last moment of the years 0 to 9999 for one outside them.
    public static func text(_ seconds: Double) -> String {
        let bounded = min(max(seconds.isNaN ? 0 : seconds, -62_167_219_200), 253_402_300_799)
        let milliseconds = Int64((bounded * 1000).rounded(.down))
        let day = Int64((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = Int(milliseconds - day * 86_400_000)
        let date = CivilDate(daysSince1970: day)
        return
            "\(padded(date.year, to: 4))-\(padded(date.month))-\(padded(date.day))T\(padded(rest / 3_600_000)):"
            + "\(padded(rest / 60_000 % 60)):\(padded(rest / 1000 % 60)).\(padded(rest % 1000, to: 3))Z"
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        CivilTimestamp.padded(number, to: width)
    }

    /// Parses the seconds of the day.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int? {
        // RFC 3339 §5.6: 60 seconds are a leap second.
        guard let hour = number(2, &rest), hour < 24, take(":", &rest),
            let minute = number(2, &rest), minute < 60, take(":", &rest),
            let second = number(2, &rest), second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// Parses the fraction of a second; 0 without one, `nil` if it has no digits.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Double? {
        guard take(".", &rest) else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Parses the seconds east of Greenwich.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        var rest = zone
        if take("Zz", &rest) { return rest.isEmpty ? 0 : nil }
        let isWest = rest.first == UInt8(ascii: "-")
        guard take("+-", &rest), let hours = number(2, &rest), hours < 24 else { return nil }
        _ = take(":", &rest)
        guard let minutes = number(2, &rest), minutes < 60, rest.isEmpty else { return nil }
        return (hours * 3_600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private static func take(_ characters: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func number(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
