/// A mock server's clock was to be advanced, and it is not one that can be.
public struct FixedClockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    public var description: String {
        "The server's clock cannot be advanced: create the server with a MovableClock or a VirtualClock."
    }
}
