import OriginScript
import Testing

@Suite("Dates of field values, RFC 9110 §5.6.7")
struct DateFormTests {
    @Test(
        "A time has its text in each of the three forms",
        arguments: [
            (784_111_777, .imf, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_111_777, .rfc850, "Sunday, 06-Nov-94 08:49:37 GMT"),
            (784_111_777, .asctime, "Sun Nov  6 08:49:37 1994"),
            (0, .imf, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, .imf, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, .imf, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400, .imf, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (1_767_225_600, .imf, "Thu, 01 Jan 2026 00:00:00 GMT"),
            (1_767_225_600, .asctime, "Thu Jan  1 00:00:00 2026"),
            (Int64.max, .imf, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, DateForm, String)]
    )
    func form(seconds: Int64, form: DateForm, expected: String) {
        #expect(form.text(secondsSinceEpoch: seconds) == expected)
    }

    @Test("A time is relative to the current time or to the script's start, and variables are replaced")
    func values() {
        let context = FieldContext(
            base: "/-/t",
            other: "http://o/-/t",
            now: .seconds(784_111_777),
            start: .zero
        )
        #expect(
            FieldValue.date(offset: .seconds(60), form: .imf).text(in: context)
                == "Sun, 06 Nov 1994 08:50:37 GMT"
        )
        #expect(
            FieldValue.fixedDate(offset: .seconds(60), form: .imf).text(in: context)
                == "Thu, 01 Jan 1970 00:01:00 GMT"
        )
        #expect(FieldValue.text("${base}/b ${other} $x").text(in: context) == "/-/t/b http://o/-/t $x")
        #expect(FieldValue.text("${now}").text(in: context) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
