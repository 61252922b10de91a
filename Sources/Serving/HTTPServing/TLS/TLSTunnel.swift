import CLibrary
import Clocks
import Locks

/// One client's TLS connection and the plain connection within this process that carries its content.
///
/// The rest of the server sees only the plain connection: the client sees each byte that the server writes there, and
/// its close, half-close and reset, within TLS.
final class TLSTunnel: @unchecked Sendable {
    // Reason: the variables are accessed only on the relay's thread; what other threads access is behind the lock.
    private struct Shared {
        /// Whether bytes of the server may be in transit here.
        var isCarrying = false
        /// Whether the connection ends without the TLS alert that marks an orderly end.
        var cuts = false
        /// Whether the server has closed its socket, not only its direction.
        var isReleased = false
        /// The relay's socket of the plain connection; −1 before and after it.
        var plain: CInt = -1
        /// Called when no bytes of the server are in transit.
        var onDelivery: (@Sendable () -> Void)?
    }
    enum Phase {
        case handshake
        case open
        /// The server has ended its side, and the alert is being sent to the client.
        case ending
        /// The alert was sent, and the client may still send.
        case ended
        /// The handshake has failed, the alert was sent, and the client's bytes are read until it disconnects.
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
    /// Whether TLS can continue only when the client's socket is writable.
    var wantsOutput = false
    /// The timer of the current time limit.
    var deadline: Sleeper?
    /// The events that the relay waits for at each socket.
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

    /// Whether all bytes that the server has written are on their way to the client; may be called from any thread.
    var isDelivered: Bool {
        let plain = shared.withLock { $0.plain }
        guard plain < 0 || Socket.unreadCount(plain) == 0 else { return false }
        return shared.withLock { !$0.isCarrying }
    }

    /// Ends the connection without the alert that distinguishes an orderly end from a cut.
    func cut() { shared.withLock { $0.cuts = true } }

    var isCut: Bool { shared.withLock { $0.cuts } }

    /// Releases the tunnel once the server has closed its socket, or is about to.
    func release() {
        shared.withLock { $0.isReleased = true }
        onRelease(self)
    }

    var isReleased: Bool { shared.withLock { $0.isReleased } }

    func setCarrying(_ isCarrying: Bool) {
        shared.withLock { $0.isCarrying = isCarrying }
        if !isCarrying { reportDelivery() }
    }

    /// Calls `action` once all bytes that the server has written are on their way to the client; may be called from any
    /// thread.
    ///
    /// The client may have read them by then, so a response of the client is no sign of it.
    func onDelivery(_ action: @escaping @Sendable () -> Void) {
        shared.withLock { $0.onDelivery = action }
        // Checked after that: bytes delivered in between are reported here, or by the thread that delivers them.
        if isDelivered { reportDelivery() }
    }

    private func reportDelivery() {
        let action = shared.withLock { shared in
            defer { shared.onDelivery = nil }
            return shared.onDelivery
        }
        action?()
    }
}
