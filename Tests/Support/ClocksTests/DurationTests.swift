import Testing

@testable import Clocks

@Suite("Durations from numbers that may be anything")
struct DurationTests {
    @Test(
        "A number beyond all durations becomes the nearest duration, and NaN becomes zero",
        arguments: [
            (0.5, 0), (-0.5, -1), (1e18, 1_000_000_000_000_000_000), (0x1p63, .max), (1e300, .max),
            (.infinity, .max),
            (-1e300, .min), (-.infinity, .min), (.nan, 0),
        ] as [(Double, Int64)]
    )
    func saturating(seconds: Double, expected: Int64) {
        #expect(Duration.saturating(seconds: seconds).wholeSeconds == expected)
    }

    @Test(
        "A duration is printed in seconds with the digits that it was made of",
        arguments: [(300, "0.3"), (700, "0.7"), (1100, "1.1"), (60_000, "60"), (0, "0"), (-500, "-0.5")]
    )
    func text(milliseconds: Int, text: String) {
        #expect(Duration.milliseconds(milliseconds).secondsText == text)
    }
}
