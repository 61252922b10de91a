/// One move of a scenario's clock.
package struct ClockMove: Sendable, Hashable, CustomStringConvertible {
    /// Seconds on the clock from the scenario's beginning to the move.
    package let moment: Double
    /// Seconds that the clock was moved by; negative if the wall clock was set back.
    package let seconds: Double
    /// Whether only the wall clock was set.
    package let isWallAlone: Bool

    /// Creates a move.
    package init(moment: Double, seconds: Double, isWallAlone: Bool = false) {
        self.moment = moment
        self.seconds = seconds
        self.isWallAlone = isWallAlone
    }

    /// The time and size of the move, as in logs.
    package var description: String {
        "at \(secondsText(moment)) " + (isWallAlone ? "wall " : "+") + secondsText(seconds)
    }
}
