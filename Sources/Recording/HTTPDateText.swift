import OriginScript

/// Dates of fields, read in the three forms of RFC 9110 §5.6.7.
struct HTTPDateText {
    let seconds: Int64
    let form: DateForm

    /// Reads a date; `nil` for what is none.
    init?(_ text: String) {
        for form in DateForm.allCases {
            guard let seconds = Self.seconds(text, form), form.text(secondsSinceEpoch: seconds) == text else {
                continue
            }
            (self.seconds, self.form) = (seconds, form)
            return
        }
        return nil
    }

    private static func seconds(_ text: String, _ form: DateForm) -> Int64? {
        let parts = text.split(whereSeparator: { " -,".contains($0) }).map(String.init)
        switch form {
        case .imf, .rfc850:
            guard parts.count == 6, let day = Int(parts[1]), let year = Int(parts[3]) else { return nil }
            let whole = form == .imf ? year : year + (year < 70 ? 2000 : 1900)
            return seconds(whole, parts[2], day, parts[4])
        case .asctime:
            guard parts.count == 5, let day = Int(parts[2]), let year = Int(parts[4]) else { return nil }
            return seconds(year, parts[1], day, parts[3])
        }
    }

    private static func seconds(_ year: Int, _ month: String, _ day: Int, _ time: String) -> Int64? {
        let clock = time.split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, let month = months.firstIndex(of: month), (1...9999).contains(year),
            (1...31).contains(day), clock.allSatisfy({ (0...60).contains($0) })
        else { return nil }
        let days = Self.days(year, month + 1, day)
        return Int64(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// Days since 1970 in the proleptic Gregorian calendar, counted in eras of 400 years that begin on 1 March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
