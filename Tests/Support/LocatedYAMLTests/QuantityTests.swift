import LocatedYAML
import Testing

@Suite("Sizes, durations and offsets")
struct QuantityTests {
    @Test(
        "A size is a count with an optional binary unit",
        arguments: [
            ("0", 0), ("512", 512), ("20KiB", 20480), ("4MiB", 4_194_304), ("1GiB", 1_073_741_824),
            ("4MB", nil),
            ("-1", nil), ("", nil), ("KiB", nil), ("1.5MiB", nil), ("9999999999999999999", nil),
            ("2000GiB", nil),
            ("4 MiB", nil),
        ] as [(String, Int?)]
    )
    func size(text: String, expected: Int?) {
        #expect(Quantity.size(text) == expected)
    }

    @Test(
        "A duration is a decimal number with a unit",
        arguments: [
            ("0s", .zero), ("200ms", .milliseconds(200)), ("61s", .seconds(61)), ("2m", .seconds(120)),
            ("3h", .seconds(10800)), ("100d", .seconds(8_640_000)), ("1.5s", .milliseconds(1500)),
            ("600.001s", .milliseconds(600_001)), ("0.5d", .seconds(43200)), ("60", nil), ("s", nil),
            ("", nil),
            ("-1s", nil), ("1.s", nil), ("1..5s", nil), ("99999999999999999999s", nil), ("999999999d", nil),
            ("9223372036854775807ms", nil),
        ] as [(String, Duration?)]
    )
    func duration(text: String, expected: Duration?) {
        #expect(Quantity.duration(text) == expected)
    }

    @Test(
        "An offset is a duration with a sign, and seconds are whole",
        arguments: [
            ("-60s", -60), ("+1h", 3600), ("0s", 0), ("60s", 60), ("-100d", -8_640_000), ("-1.5s", nil),
            ("--1s", nil), ("1", nil),
        ] as [(String, Int64?)]
    )
    func offset(text: String, expected: Int64?) {
        #expect(Quantity.offsetSeconds(text) == expected)
    }
}
