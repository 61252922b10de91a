extension Scenario {
    /// The time that the steps wait: the sum of `advance`, with repetitions counted.
    ///
    /// If the clock cannot be moved, this is real time.
    package var advancedTime: Duration { Self.advancedTime(of: steps) }

    /// Whether a step sets only the wall clock, which requires a clock that can be moved.
    package var jumpsWallClock: Bool {
        allSteps.contains { if case .jumpWall = $0 { true } else { false } }
    }

    /// The reason why the scenario cannot run if the clock cannot be moved; `nil` if it can.
    ///
    /// For a scenario decoded with its real-time values. The longest permitted wait is 5 s.
    package var realTimeObstacle: String? {
        if case .never(let reason) = realTime { return reason }
        if jumpsWallClock { return "The scenario sets the wall clock." }
        let waits = advancedTime
        return waits > Self.longestRealWait
            ? "The scenario would have to wait \(waits.components.seconds) s." : nil
    }

    private static let longestRealWait = Duration.seconds(5)

    private static func advancedTime(of steps: [LocatedStep]) -> Duration {
        steps.reduce(.zero) { sum, located in
            switch located.step {
            case .advance(let duration): sum + duration
            case .repeat(let times, let steps): sum + advancedTime(of: steps) * times
            default: sum
            }
        }
    }
}
