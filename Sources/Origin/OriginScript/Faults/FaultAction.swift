/// The action of a fault.
///
/// `Kind.row` describes each kind.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FaultAction: Sendable, Hashable {
    /// Refuses new connections and cuts open ones.
    case refuse
    /// Resets the connection.
    case reset
    /// Closes the connection.
    case close
    /// Closes the sending direction of the connection and reads on.
    case halfClose
    /// Sends nothing for a time.
    case stall(Stall)
    /// Waits.
    case delay(RandomRange<Duration>)
    /// Omits the rest of the event's bytes and sends what follows it.
    case truncate
    /// Sends bytes that belong to no message.
    case garbage(Garbage)
    /// Sends this many of the following bytes twice; `nil` is the rest of the event's bytes.
    case duplicate(bytes: Int?)
    /// Replaces as many of the following bytes by these.
    case rewrite([UInt8])
    /// Sends the rest of the event's bytes at this rate.
    case slow(bytesPerSecond: Int)
    /// Adds this to the value of `Content-Length`.
    case contentLength(change: Int)
    /// Replaces the response by one without content; `retryAfter`, in whole seconds, is the value of its `Retry-After`.
    case status(Int, retryAfter: Duration?)
    /// Sends a 1xx response first.
    case interim(Int)

    /// The duration of a stall.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Stall: Sendable, Hashable {
        /// Until the route is released.
        case untilReleased
        /// Until the client gives up.
        case forever
        /// For a time.
        case time(RandomRange<Duration>)
    }

    /// The bytes of garbage.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Garbage: Sendable, Hashable {
        /// This many random bytes.
        case drawn(count: Int)
        /// These bytes.
        case bytes([UInt8])
    }

    /// The kinds of actions, by the names that scripts use.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// `FaultAction.refuse`.
        case refuse
        /// `FaultAction.reset`.
        case reset
        /// `FaultAction.close`.
        case close
        /// `FaultAction.halfClose`.
        case halfClose = "half-close"
        /// `FaultAction.stall`.
        case stall
        /// `FaultAction.delay`.
        case delay
        /// `FaultAction.truncate`.
        case truncate
        /// `FaultAction.garbage`.
        case garbage
        /// `FaultAction.duplicate`.
        case duplicate
        /// `FaultAction.rewrite`.
        case rewrite
        /// `FaultAction.slow`.
        case slow
        /// `FaultAction.contentLength`.
        case contentLength = "content-length"
        /// `FaultAction.status`.
        case status
        /// `FaultAction.interim`.
        case interim
    }
}
