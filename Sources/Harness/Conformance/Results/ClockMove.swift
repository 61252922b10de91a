/// One move of a scenario's clock.
public struct ClockMove: Sendable, Hashable, CustomStringConvertible {
    /// Seconds on the clock from the scenario's beginning to the move.
    public let moment: Double
    /// Seconds that the clock was moved by; negative if the wall clock was set back.
    public let seconds: Double
    /// Whether only the wall clock was set.
    public let isWallAlone: Bool

    /// Creates a move.
    public init(moment: Double, seconds: Double, isWallAlone: Bool = false) {
        self.moment = moment
        self.seconds = seconds
        self.isWallAlone = isWallAlone
    }

    /// The time and size of the move, as in logs.
    public var description: String {
        "at \(secondsText(moment)) " + (isWallAlone ? "wall " : "+") + secondsText(seconds)
    }
}
