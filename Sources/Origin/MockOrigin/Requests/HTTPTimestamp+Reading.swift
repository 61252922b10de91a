import WireSyntax

extension HTTPTimestamp {
    /// Parses any of the three forms; `nil` for anything else, including a field value with several members.
    ///
    /// The day's name must be valid but is not compared with the date. A two-digit year more than 50 years after `now`
    /// belongs to the past century.
    package init?(reading text: String, now: HTTPTimestamp) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        let read: HTTPTimestamp? =
            switch words.count {
            case 6: Self.imf(words)
            case 4: Self.rfc850(words, now)
            case 5: Self.asctime(words)
            default: nil
            }
        guard let read else { return nil }
        self = read
    }

    private static func imf(_ words: [Substring]) -> HTTPTimestamp? {
        guard words[0].last == ",", isShortName(words[0].dropLast()), words[5] == "GMT",
            let day = number(words[1], digits: 2), let month = month(words[2]),
            let year = number(words[3], digits: 4)
        else { return nil }
        return moment(year, month, day, words[4])
    }

    private static func rfc850(_ words: [Substring], _ now: HTTPTimestamp) -> HTTPTimestamp? {
        let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard words[0].last == ",", CivilDate.weekdayNames.contains(String(words[0].dropLast())),
            words[3] == "GMT",
            date.count == 3, let day = number(date[0], digits: 2), let month = month(date[1]),
            let shortYear = number(date[2], digits: 2)
        else { return nil }
        let thisYear = CivilDate(daysSince1970: now.seconds / 86_400).year
        let year = thisYear - thisYear % 100 + shortYear
        guard let near = moment(year, month, day, words[2]) else { return nil }
        let isFarAhead = year > thisYear + 50 || (year == thisYear + 50 && near > now.adding(1_577_880_000))
        return isFarAhead ? moment(year - 100, month, day, words[2]) : near
    }

    private static func asctime(_ words: [Substring]) -> HTTPTimestamp? {
        guard isShortName(words[0]), let month = month(words[1]), words[2].count <= 2,
            let day = number(words[2], digits: words[2].count), let year = number(words[4], digits: 4)
        else { return nil }
        return moment(year, month, day, words[3])
    }

    private static func moment(_ year: Int, _ month: Int, _ day: Int, _ time: Substring) -> HTTPTimestamp? {
        let date = CivilDate(year: year, month: month, day: day)
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard date.exists, parts.count == 3, let hour = parts[0], let minute = parts[1],
            let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let secondOfDay = Int64(hour * 3600 + minute * 60 + second)
        return HTTPTimestamp(seconds: date.daysSince1970 * 86_400 + secondOfDay)
    }

    private static func month(_ name: Substring) -> Int? {
        CivilDate.monthNames.firstIndex(of: String(name)).map { $0 + 1 }
    }

    private static func isShortName(_ name: Substring) -> Bool {
        CivilDate.weekdayNames.contains { $0.prefix(3) == name }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
