import TestSupport
import Testing

@testable import CacheSemantics

@Suite("Dates, RFC 9110 §5.6.7")
struct HTTPDateTests {
    static let now = HTTPDate(secondsSinceEpoch: 1_767_225_600)

    @Test(
        "The three forms represent the same time",
        .checks("rfc9110.5.6.7.three-forms"),
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "  Sun, 06 Nov 1994 08:49:37 GMT ",
        ]
    )
    func forms(text: String) {
        #expect(HTTPDate(parsing: text, now: Self.now)?.secondsSinceEpoch == 784_111_777)
    }

    @Test(
        "Names are parsed in any case",
        .checks("rfc9111.4.2.date-case"),
        arguments: [
            "sun, 06 nov 1994 08:49:37 gmt", "SUNDAY, 06-NOV-94 08:49:37 GMT", "sun nov  6 08:49:37 1994",
        ]
    )
    func anyCase(text: String) {
        #expect(HTTPDate(parsing: text, now: Self.now)?.secondsSinceEpoch == 784_111_777)
    }

    @Test(
        "Malformed dates are rejected",
        .checks("rfc9110.5.6.7.three-forms", "rfc9111.4.2.date-zone"),
        arguments: [
            "", "0", "-1", "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 199",
            "Sun, 06 Nov 1994 08:49:37 GMT, x",
            "Sun, 06 Nov 1994 08:49:37 GMTx",
            "1994-11-06T08:49:37Z", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "Sün, 06 Nov 1994 08:49:37 GMT",
        ]
    )
    func junk(text: String) {
        #expect(HTTPDate(parsing: text, now: Self.now) == nil)
    }

    @Test(
        "No byte of a form is ignored",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun Nov 16 08:49:37 1994",
        ]
    )
    func everyByte(text: String) {
        let read = text.utf8.indices.map { index in
            // A character of no form.
            let changed = text[..<index] + "#" + text[text.index(after: index)...]
            return HTTPDate(parsing: String(changed), now: Self.now)
        }
        #expect(read == Array(repeating: nil, count: text.utf8.count))
    }

    @Test("The usual form is read in one piece as it is read by its grammar, with any byte in any place")
    func usualForm() {
        let text = "Sun, 06 Nov 1994 08:49:37 GMT"
        let others = Array("#0123456789 ,:-AaBbCcDdEeFfGgJjMmNnOoPpSsTtUuVv".utf8)
        var count = 0
        for index in 0..<text.utf8.count {
            for other in others {
                var bytes = Array(text.utf8)
                bytes[index] = other
                let whole = HTTPDate(parsing: String(decoding: bytes, as: UTF8.self), now: Self.now)
                let byGrammar = HTTPDate(parsing: bytes[...], now: Self.now)
                #expect(whole == byGrammar, "\(String(decoding: bytes, as: UTF8.self))")
                count += 1
            }
        }
        #expect(count == text.utf8.count * others.count)
    }

    @Test("What is written is read as the same time, from year 0 to year 9999")
    func roundTrip() {
        // 97 days, an hour and a second: all months, days and times of day, in all years of the leap cycle.
        var count = 0
        let moments = stride(from: Int64(-62_167_219_200), through: 253_402_300_799, by: 97 * 86_400 + 3_661)
        for seconds in moments {
            let date = HTTPDate(secondsSinceEpoch: seconds)
            #expect(HTTPDate(parsing: date.text, now: Self.now) == date, "\(date.text)")
            count += 1
        }
        #expect(count > 37_000)
    }

    @Test(
        "Days of the calendar are counted correctly",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
        ] as [(String, Int64)]
    )
    func calendar(text: String, seconds: Int64) {
        #expect(HTTPDate(parsing: text, now: Self.now)?.secondsSinceEpoch == seconds)
    }

    @Test(
        "A two-digit year is no more than 50 years ahead",
        .checks("rfc9110.5.6.7.two-digit-year"),
        arguments: [
            ("Thursday, 01-Jan-76 00:00:00 GMT", "Wed, 01 Jan 2076 00:00:00 GMT"),
            ("Thursday, 01-Jan-76 00:00:01 GMT", "Thu, 01 Jan 1976 00:00:01 GMT"),
            ("Friday, 01-Jan-77 00:00:00 GMT", "Sat, 01 Jan 1977 00:00:00 GMT"),
            ("Thursday, 01-Jan-26 00:00:00 GMT", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("Friday, 31-Dec-99 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"),
        ]
    )
    func twoDigitYear(text: String, written: String) {
        #expect(HTTPDate(parsing: text, now: Self.now)?.text == written)
    }

    @Test("A two-digit year is relative to the current time, not to a fixed century")
    func twoDigitYearLater() {
        let in2080 = HTTPDate(secondsSinceEpoch: 3_471_292_800)
        #expect(
            HTTPDate(parsing: "Sunday, 01-Jan-05 00:00:00 GMT", now: in2080)?.text
                == "Thu, 01 Jan 2105 00:00:00 GMT"
        )
    }

    @Test(
        "Dates are written as IMF-fixdate",
        .checks("rfc9110.5.6.7.written"),
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"),
            (1_767_225_600, "Thu, 01 Jan 2026 00:00:00 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func written(seconds: Int64, text: String) {
        #expect(HTTPDate(secondsSinceEpoch: seconds).text == text)
    }

    @Test("Arithmetic is clamped at the ends")
    func saturates() {
        let last = HTTPDate(secondsSinceEpoch: .max)
        let first = HTTPDate(secondsSinceEpoch: .min)
        #expect(last.advanced(by: 1) == last)
        #expect(first.advanced(by: -1) == first)
        #expect(last.seconds(since: first) == .max)
        #expect(first.seconds(since: last) == .min)
        #expect(HTTPDate(secondsSinceEpoch: 61).seconds(since: HTTPDate(secondsSinceEpoch: 1)) == 60)
    }
}
