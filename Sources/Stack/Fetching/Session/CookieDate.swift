import CacheSemantics

/// Parses the date formats that cookies use (RFC 6265 §5.1.1).
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Returns the time since 1970-01-01T00:00:00Z; `nil` if the text is not a date.
    static func sinceEpoch(_ text: String) -> Duration? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            if time == nil, let found = timeOfDay(token) {
                time = found
            } else if day == nil, let number = leadingNumber(token, digits: 1...2) {
                day = number
            } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = index + 1
            } else if year == nil, let number = leadingNumber(token, digits: 2...4) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time[2] <= 59 else { return nil }
        let date = CivilTime(year, month, day, at: (time[0], time[1], time[2]))
        return date.isValid ? .seconds(date.secondsSinceEpoch) : nil
    }

    private static func isDelimiter(_ character: Character) -> Bool {
        !(character.isLetter || character.isNumber || character == ":")
    }

    private static func timeOfDay(_ token: Substring) -> [Int]? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { leadingNumber($0, digits: 1...2) }
        return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }

    private static func leadingNumber(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix { $0.isASCII && $0.isNumber }
        return digits.contains(number.count) ? Int(number) : nil
    }
}
