extension HTTPDate {
    /// Parses one of the three forms of RFC 9110 §5.6.7; `nil` for anything else.
    ///
    /// Names are compared without case, and a zone other than GMT is rejected (RFC 9111 §4.2). `now` decides the century
    /// of a two-digit year.
    public init?(parsing text: String, now: HTTPDate) {
        if let civil = CivilTime(usualForm: text) {
            self.init(secondsSinceEpoch: civil.secondsSinceEpoch)
        } else {
            self.init(parsing: ArraySlice(Array(text.utf8)), now: now)
        }
    }

    init?(parsing bytes: ArraySlice<UInt8>, now: HTTPDate) {
        var reader = DateReader(rest: ASCII.trimmed(bytes))
        guard let civil = reader.fixdate() ?? reader.rfc850(now: now) ?? reader.asctime(), civil.isValid
        else {
            return nil
        }
        self.init(secondsSinceEpoch: civil.secondsSinceEpoch)
    }

    /// The IMF-fixdate form, as "Sun, 06 Nov 1994 08:49:37 GMT".
    public var text: String {
        let civil = CivilTime(secondsSinceEpoch: secondsSinceEpoch)
        let weekday = CivilTime.dayNames[CivilTime.weekday(secondsSinceEpoch: civil.secondsSinceEpoch)]
        let month = CivilTime.monthNames[Int(civil.month) - 1]
        let time = [civil.hour, civil.minute, civil.second].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(Self.padded(civil.day, 2)) \(month) \(Self.padded(civil.year, 4)) \(time) GMT"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Parses a date byte by byte; a failed attempt at one form leaves the position unchanged.
private struct DateReader {
    var rest: ArraySlice<UInt8>

    mutating func fixdate() -> CivilTime? {
        attempt { reader in
            guard reader.name(CivilTime.dayNames) != nil, reader.literal(", "), let day = reader.number(2),
                reader.literal(" "), let month = reader.name(CivilTime.monthNames), reader.literal(" "),
                let year = reader.number(4), reader.literal(" "), let time = reader.time(),
                reader.literal(" GMT")
            else { return nil }
            return CivilTime(year: year, month: Int64(month) + 1, day: day).at(time)
        }
    }

    mutating func rfc850(now: HTTPDate) -> CivilTime? {
        attempt { reader in
            guard reader.name(Self.longDayNames) != nil, reader.literal(", "), let day = reader.number(2),
                reader.literal("-"), let month = reader.name(CivilTime.monthNames), reader.literal("-"),
                let year = reader.number(2), reader.literal(" "), let time = reader.time(),
                reader.literal(" GMT")
            else { return nil }
            return CivilTime(year: year, month: Int64(month) + 1, day: day).at(time).withCentury(now: now)
        }
    }

    mutating func asctime() -> CivilTime? {
        attempt { reader in
            guard reader.name(CivilTime.dayNames) != nil, reader.literal(" "),
                let month = reader.name(CivilTime.monthNames), reader.literal(" "),
                let day = reader.literal(" ") ? reader.number(1) : reader.number(2), reader.literal(" "),
                let time = reader.time(), reader.literal(" "), let year = reader.number(4)
            else { return nil }
            return CivilTime(year: year, month: Int64(month) + 1, day: day).at(time)
        }
    }

    private static let longDayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private mutating func attempt(_ form: (inout DateReader) -> CivilTime?) -> CivilTime? {
        var copy = self
        guard let civil = form(&copy), copy.rest.isEmpty else { return nil }
        self = copy
        return civil
    }

    private mutating func time() -> (Int64, Int64, Int64)? {
        guard let hour = number(2), literal(":"), let minute = number(2), literal(":"), let second = number(2)
        else {
            return nil
        }
        return (hour, minute, second)
    }

    private mutating func number(_ digits: Int) -> Int64? {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(ASCII.isDigit) else { return nil }
        defer { rest = rest.dropFirst(digits) }
        return rest.prefix(digits).reduce(0) { $0 * 10 + Int64($1 - ASCII.zero) }
    }

    private mutating func literal(_ text: String) -> Bool {
        let head = rest.prefix(text.utf8.count)
        guard head.elementsEqual(text.utf8, by: { ASCII.lowercased($0) == ASCII.lowercased($1) }) else {
            return false
        }
        rest = rest.dropFirst(head.count)
        return true
    }

    private mutating func name(_ names: [String]) -> Int? {
        names.firstIndex { literal($0) }
    }
}

extension CivilTime {
    fileprivate func at(_ time: (Int64, Int64, Int64)) -> CivilTime {
        var copy = self
        (copy.hour, copy.minute, copy.second) = time
        return copy
    }

    /// Returns the same date in the century in which it is at most 50 years in the future.
    fileprivate func withCentury(now: HTTPDate) -> CivilTime {
        var limit = CivilTime(secondsSinceEpoch: now.secondsSinceEpoch)
        var copy = self
        copy.year += limit.year - limit.year % 100 + 100
        limit.year += 50
        while copy.secondsSinceEpoch > limit.secondsSinceEpoch { copy.year -= 100 }
        return copy
    }
}
