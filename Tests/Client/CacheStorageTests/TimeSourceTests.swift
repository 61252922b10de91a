import CacheStorage
import Testing

@Suite("The time of a clock, in the engine's form")
struct TimeSourceTests {
    @Test(
        "It is in whole seconds, rounded down, and a time beyond all numbers is the last",
        arguments: [
            (1_767_225_600.9, 1_767_225_600), (0, 0), (-0.5, -1), (1e30, .max), (-1e30, .min),
        ] as [(Double, Int64)]
    )
    func now(wallSeconds: Double, expected: Int64) {
        #expect(VirtualClock(wallSeconds: wallSeconds).now.secondsSinceEpoch == expected)
    }
}
