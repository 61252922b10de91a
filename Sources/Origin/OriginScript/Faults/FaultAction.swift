/// What is done when a fault strikes.
public enum FaultAction: Sendable, Hashable {
    /// Nobody listens: new connections are refused and open ones cut.
    case refuse
    /// The connection is reset.
    case reset
    /// The connection is closed.
    case close
    /// The origin's direction is closed, the other is still read.
    case halfClose
    /// Nothing happens for a while.
    case stall(Stall)
    /// Time passes.
    case delay(Span<Duration>)
    /// The rest of the event's bytes is left out and what follows it is sent.
    case truncate
    /// Bytes that belong to nothing are sent.
    case garbage(Garbage)
    /// So many of the bytes that follow are sent twice; `nil` is the rest of the event's.
    case duplicate(bytes: Int?)
    /// These bytes take the place of as many that follow.
    case rewrite([UInt8])
    /// What follows of the event's bytes goes at so many bytes per second.
    case slow(bytesPerSecond: Int)
    /// `Content-Length` is told so much too large, or too small.
    case contentLength(change: Int)
    /// Another answer, without content, takes the place of the scripted one.
    case status(Int, retryAfterSeconds: Int64?)
    /// A 1xx answer is sent first.
    case interim(Int)

    /// How long a stall lasts.
    public enum Stall: Sendable, Hashable {
        /// Until somebody releases the route.
        case untilReleased
        /// Until the client gives up.
        case forever
        /// So long.
        case time(Span<Duration>)
    }

    /// What garbage is.
    public enum Garbage: Sendable, Hashable {
        /// So many bytes, drawn.
        case drawn(count: Int)
        /// These.
        case bytes([UInt8])
    }

    /// Names of the kinds, as they are written.
    public enum Name: String, Sendable, Hashable, CaseIterable {
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

    /// The kind.
    public var name: Name {
        switch self {
        case .refuse: .refuse
        case .reset: .reset
        case .close: .close
        case .halfClose: .halfClose
        case .stall: .stall
        case .delay: .delay
        case .truncate: .truncate
        case .garbage: .garbage
        case .duplicate: .duplicate
        case .rewrite: .rewrite
        case .slow: .slow
        case .contentLength: .contentLength
        case .status: .status
        case .interim: .interim
        }
    }

    /// Whether only a socket can show it: where there is none, an answer has no bytes of its own.
    public var needsSocket: Bool {
        switch self {
        case .garbage, .duplicate, .rewrite, .contentLength, .truncate, .halfClose: true
        default: false
        }
    }
}
