#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Clocks
import Locks

/// One client's TLS connection and the plain one within this process that it is carried over.
///
/// The rest of the server sees the plain one only: what it writes there to the byte, its close, half-close and reset
/// are what the client sees within TLS.
final class TLSTunnel: @unchecked Sendable {
    // Reason: the variables are touched on the relay's thread only; what others may touch is behind the lock.
    private struct Shared {
        /// Whether bytes of the server's may be on their way here.
        var isCarrying = false
        /// Whether the end comes without the alert that TLS has for it.
        var cuts = false
        /// Whether the server has closed its end, and not only its direction.
        var isReleased = false
        /// The relay's end of the plain connection; −1 before and after.
        var plain: CInt = -1
        /// Whom to tell that nothing is on its way here any more.
        var onDelivery: (@Sendable () -> Void)?
    }
    enum Phase {
        case handshake
        case open
        /// The server has ended its side, and the client is being told.
        case ending
        /// The client was told, and may still send.
        case ended
        /// The handshake has failed, the client was told why and is read from until it goes.
        case refused
    }
    private let shared = Lock(Shared())
    let number: UInt64
    private let onRelease: @Sendable (TLSTunnel) -> Void
    /// The client's socket.
    let secure: CInt
    let session: TLSSession
    var plain: CInt = -1 {
        didSet { shared.withLock { $0.plain = plain } }
    }
    var phase = Phase.handshake
    /// Bytes for the server.
    var inbound: ArraySlice<UInt8> = []
    /// Bytes for the client.
    var outbound: ArraySlice<UInt8> = []
    var hasClientEnded = false
    /// Whether TLS can go on only when the client's socket takes bytes.
    var wantsOutput = false
    /// Ends what takes too long.
    var deadline: Sleeper?
    /// What the relay waits for at each socket.
    var watched: (secure: UInt32, plain: UInt32) = (0, 0)

    init(
        number: UInt64,
        socket: CInt,
        session: TLSSession,
        onRelease: @escaping @Sendable (TLSTunnel) -> Void
    ) {
        self.number = number
        self.onRelease = onRelease
        secure = socket
        self.session = session
    }

    /// Whether all that the server has written is on its way to the client; from any thread.
    var isDelivered: Bool {
        let plain = shared.withLock { $0.plain }
        guard plain < 0 || Socket.unreadCount(plain) == 0 else { return false }
        return shared.withLock { !$0.isCarrying }
    }

    /// Lets the connection end without the alert that tells an end from a cut.
    func cut() { shared.withLock { $0.cuts = true } }

    var isCut: Bool { shared.withLock { $0.cuts } }

    /// The server has closed its end, or does so next.
    func release() {
        shared.withLock { $0.isReleased = true }
        onRelease(self)
    }

    var isReleased: Bool { shared.withLock { $0.isReleased } }

    func setCarrying(_ isCarrying: Bool) {
        shared.withLock { $0.isCarrying = isCarrying }
        if !isCarrying { tellDelivery() }
    }

    /// Calls `tell` once all that the server has written is on its way to the client; from any thread.
    ///
    /// The client may have read it by then, so that its bytes are no sign of it.
    func onDelivery(_ tell: @escaping @Sendable () -> Void) {
        shared.withLock { $0.onDelivery = tell }
        // Looked at after that: what is delivered in between is told here, or by whoever delivers it.
        if isDelivered { tellDelivery() }
    }

    private func tellDelivery() {
        let tell = shared.withLock { shared in
            defer { shared.onDelivery = nil }
            return shared.onDelivery
        }
        tell?()
    }
}
