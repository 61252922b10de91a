extension Scenario {
    /// How long the steps wait by themselves: the sum of `advance`, repetitions counted.
    ///
    /// Where the clock cannot be moved, this is real time.
    public var advancedTime: Duration { Self.advancedTime(of: steps) }

    /// Whether a step sets the wall clock alone, which needs a clock that can be moved.
    public var jumpsWallClock: Bool { Self.jumpsWallClock(steps) }

    private static func advancedTime(of steps: [LocatedStep]) -> Duration {
        steps.reduce(.zero) { sum, located in
            switch located.step {
            case .advance(let duration): sum + duration
            case .repeat(let times, let steps): sum + advancedTime(of: steps) * times
            default: sum
            }
        }
    }

    private static func jumpsWallClock(_ steps: [LocatedStep]) -> Bool {
        steps.contains { located in
            switch located.step {
            case .jumpWall: true
            case .repeat(_, let steps): jumpsWallClock(steps)
            default: false
            }
        }
    }
}
