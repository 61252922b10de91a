/// One move of a scenario's clock.
public struct ClockMove: Sendable, Hashable, CustomStringConvertible {
    /// Seconds on the clock since the scenario began, before the move.
    public let moment: Double
    /// Seconds that the clock was moved by; negative where the wall clock was set back.
    public let seconds: Double
    /// Whether the wall clock alone was set.
    public let isWallAlone: Bool

    /// Creates a move.
    public init(moment: Double, seconds: Double, isWallAlone: Bool = false) {
        self.moment = moment
        self.seconds = seconds
        self.isWallAlone = isWallAlone
    }

    /// As logs have it: when, and by how much.
    public var description: String {
        "at \(secondsText(moment)) " + (isWallAlone ? "wall " : "+") + secondsText(seconds)
    }
}
