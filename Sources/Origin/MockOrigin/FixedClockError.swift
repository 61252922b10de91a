/// An attempt to advance the clock of a mock server that cannot be advanced.
public struct FixedClockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "The server's clock cannot be advanced: create the server with a MovableClock or a VirtualClock."
    }
}
