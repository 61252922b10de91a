/// The times that a network takes for bytes on their way, without loss.
extension NetworkProfile {
    /// Which way bytes go: up is from the client.
    package enum Direction: String, Sendable {
        case up
        case down
    }
    /// The unit that begins with some bytes.
    package enum Opening: Sendable {
        case nothing
        case message
        case connection
    }

    /// Returns the rate in bytes per second; `nil` is unlimited.
    package func rate(_ direction: Direction) -> Double? { direction == .up ? up : down }

    /// Returns the number of bytes that pass at once, of `count`: at most those of a fiftieth of a second.
    package func piece(of count: Int, _ direction: Direction) -> Int {
        min(count, rate(direction).map { max(Int($0 / 50), 1) } ?? .max)
    }

    /// Returns the time that a number of bytes takes at the rate.
    package func time(of count: Int, _ direction: Direction) -> Duration {
        Self.time(count, at: rate(direction))
    }

    /// Returns the time that bytes take beyond that of their number.
    package func delay(_ direction: Direction, _ opening: Opening) -> Duration {
        switch (layer, direction) {
        case (.packet, .up): delayUp + (opening == .connection ? connecting : .zero)
        case (.packet, .down): delayDown
        case (.request, .up): .zero
        case (.request, .down): opening == .nothing ? .zero : delayDown
        }
    }

    /// The time that establishing a connection takes: a round trip (RFC 9293 §3.5).
    package var connecting: Duration { layer == .packet ? roundTrip : .zero }
}
