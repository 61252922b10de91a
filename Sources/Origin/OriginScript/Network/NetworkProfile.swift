/// A named network: rates, delays and loss.
public struct NetworkProfile: Sendable, Hashable {
    /// The unit that is delayed.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Layer: String, Sendable, Hashable, CaseIterable {
        /// Of packets, each way: a new connection costs a round trip, a request another.
        case packet
        /// Of requests: each waits before its head, and connections cost nothing.
        case request
    }
    /// `apple:3g`.
    public var name: String
    /// Bytes per second to the client; `nil` is unlimited.
    public var down: Double?
    /// Bytes per second from the client; `nil` is unlimited.
    public var up: Double?
    /// Time from the origin to the client; of a request layer the whole latency.
    public var delayDown = Duration.zero
    /// Time from the client to the origin; zero in a request layer.
    public var delayUp = Duration.zero
    /// The unit that is delayed; default packets.
    public var layer = Layer.packet
    /// Share of packets lost on the way to the client, 0 to 1.
    public var lossDown = 0.0
    /// Share of packets lost on the way to the origin, 0 to 1.
    public var lossUp = 0.0
    /// Time that a name's resolution takes, which is the client's affair.
    public var dnsDelay = Duration.zero

    /// Creates a profile that changes nothing.
    public init(name: String) {
        self.name = name
    }

    /// Time from a request's first byte to the first of its answer that is the network's, without rates and loss.
    public var roundTrip: Duration { delayDown + delayUp }

    /// Whether nothing arrives at all.
    public var isBlocked: Bool { lossDown >= 1 || lossUp >= 1 || down == 0 || up == 0 }

    /// Returns the time for a number of bytes at a rate.
    public static func time(_ bytes: Int, at rate: Double?) -> Duration {
        guard let rate, rate > 0 else { return .zero }
        return .nanoseconds(Int64(Double(bytes) / rate * 1e9))
    }

    /// Bytes of a packet's content: 1,500 without the heads of IP and TCP.
    public static let packetBytes = 1460

    /// Returns the delay by a packet's `attempt`-th loss: a retransmission timeout, doubled each time, at most a minute.
    ///
    /// The timeout is 200 ms, the least that a TCP stack waits, and the round trip.
    public func retransmission(_ attempt: Int) -> Duration {
        min((.milliseconds(200) + roundTrip) * (1 << min(attempt, 9)), .seconds(60))
    }
}
