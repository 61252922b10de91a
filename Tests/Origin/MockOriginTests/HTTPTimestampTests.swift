import OriginScript
import Testing

@testable import MockOrigin

@Suite("The origin's dates, RFC 9110 §5.6.7")
struct HTTPMomentTests {
    private static let now = HTTPTimestamp(seconds: 1_767_225_600)

    @Test(
        "All three forms represent the same time",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func forms(text: String) {
        #expect(HTTPTimestamp(reading: text, now: Self.now)?.seconds == 784_111_777)
    }

    @Test(
        "Text that is not a date is rejected",
        arguments: [
            "", "0", "Sun, 06 Nov 1994", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
            "Sunday 06-Nov-94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 UTC",
            "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov-94-1 08:49:37 GMT",
            "Sunday, 6-Nov-94 08:49:37 GMT",
            "Sunday, 06-nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 31-Feb-94 08:49:37 GMT", "Sunday Nov  6 08:49:37 1994", "Sun nov  6 08:49:37 1994",
            "Sun Nov 006 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Feb 31 08:49:37 1994",
        ]
    )
    func noDate(text: String) {
        #expect(HTTPTimestamp(reading: text, now: Self.now) == nil)
    }

    @Test("A two-digit year over 50 years ahead belongs to the past century")
    func century() {
        let ahead = HTTPTimestamp(reading: "Saturday, 01-Jan-77 00:00:00 GMT", now: Self.now)
        #expect(ahead?.text() == "Sat, 01 Jan 1977 00:00:00 GMT")
        let near = HTTPTimestamp(reading: "Wednesday, 01-Jan-75 00:00:00 GMT", now: Self.now)
        #expect(near?.text() == "Tue, 01 Jan 2075 00:00:00 GMT")
        // Exactly fifty years ahead, and a day more.
        let half = HTTPTimestamp(reading: "Wednesday, 01-Jan-76 00:00:00 GMT", now: Self.now)
        #expect(half?.text() == "Wed, 01 Jan 2076 00:00:00 GMT")
        let more = HTTPTimestamp(reading: "Friday, 02-Jan-76 00:00:00 GMT", now: Self.now)
        #expect(more?.text() == "Fri, 02 Jan 1976 00:00:00 GMT")
    }

    @Test("A leap second is a date, and the day of the last form has one digit or two")
    func unusual() {
        let leap = HTTPTimestamp(reading: "Sat, 31 Dec 2016 23:59:60 GMT", now: Self.now)
        #expect(leap?.text() == "Sun, 01 Jan 2017 00:00:00 GMT")
        let late = HTTPTimestamp(reading: "Wed Nov 16 08:49:37 1994", now: Self.now)
        #expect(late?.text() == "Wed, 16 Nov 1994 08:49:37 GMT")
    }

    @Test("A time outside the range of dates is clamped")
    func clamped() {
        #expect(Self.now.adding(.max).text() == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(Self.now.adding(.min).seconds == -62_167_219_200)
    }
}
