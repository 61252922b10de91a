import Ccurl
import HTTPTypes

/// One exchange over libcurl.
final class CurlExchange: TransportExchange, @unchecked Sendable {
    // Reason: the variables are touched on the loop's thread only; other threads post commands.
    /// What is sent.
    let head: HTTPRequest
    let receiver: any TransportReceiver
    let upload: (any UploadSource)?
    let rules: CurlTransport.Rules
    /// Which addresses may be connected to; `nil` for any.
    @exclusivity(unchecked) var addresses: AddressRule?
    /// An address that was not connected to, because of that.
    @exclusivity(unchecked) var refusedAddress: IPAddress?
    // Neither is kept by a reference of the exchange's: the loop has both for as long as they are named here.
    /// The exchanges with its host; `nil` before and after.
    @exclusivity(unchecked) unowned(unsafe) var queue: HostQueues.Queue?
    /// Its host; `nil` before.
    @exclusivity(unchecked) var host: HostQueues.Host?
    /// The handle that carries it; `nil` before and after.
    @exclusivity(unchecked) unowned(unsafe) var easy: EasyHandle?
    /// What has arrived in this round and was not handed on yet.
    @exclusivity(unchecked) private var response: HTTPResponse?
    @exclusivity(unchecked) private var pending: [UInt8] = []
    private var isReceivePaused = false
    private var isSendPaused = false
    /// How many times the request was sent.
    private(set) var attempts = 0
    /// Of these, by the transfer that goes on.
    private var transferAttempts = 0
    private(set) var localPort: UInt16 = 0
    /// Whether a connection had to be opened.
    private(set) var hasOpened = false
    /// Whether the request went out on a connection that had carried another exchange.
    private(set) var wasSentOnReusedConnection = false
    @exclusivity(unchecked) private(set) var failure: TransportError?
    /// Whether TLS has said that nothing follows; `nil` where that makes no difference, or cannot be known.
    private(set) var hasClosureAlert: Bool?
    /// Whether the content has no other end than that of the connection.
    private(set) var endsWithConnection = false
    private var hasEnded = false

    init(
        _ head: HTTPRequest,
        receiver: any TransportReceiver,
        upload: (any UploadSource)?,
        rules: CurlTransport.Rules
    ) {
        self.head = head
        self.receiver = receiver
        self.upload = upload
        self.rules = rules
    }

    private var core: LoopCore { rules.core }

    /// Whom it believes.
    var trust: TrustPolicy { rules.trust }

    func resume() { core.post(.resumeReceiving(self)) }

    func cancel() { core.post(.cancel(self)) }

    func workInPlace() -> Bool { core.workInPlace() }

    // MARK: What libcurl tells

    /// Takes what a line of the head has completed on `easy`; false breaks the exchange off.
    func receive(_ step: HeadParser.Step, on easy: EasyHandle) -> Bool {
        switch step {
        case .incomplete: return true
        case .interim(let response): receiver.receive(interim: response)
        case .final(let response):
            tellStart(easy.parser.version)
            self.response = response
            // From here on nothing is sent again, on a connection for which the name would be looked up.
            if !hasOpened { easy.tidyNames(false) }
            if isSecure { endsWithConnection = isDelimitedByClose(response) }
        case .malformed(let problem):
            failure = TransportError(.badResponse, problem)
            return false
        }
        return true
    }

    /// Tells how the head has come, where that is not as usual.
    private func tellStart(_ version: HTTPVersion) {
        guard attempts > 1 || version != .http11 else { return }
        receiver.receive(start: TransportStart(version: version, attempts: max(1, attempts)))
    }

    /// Breaks the exchange off where libcurl has taken a head for final that is not.
    func refuseContent() {
        failure = TransportError(
            .badResponse,
            "The server's answer is not HTTP: content comes before the head."
        )
    }

    /// Takes content; false pauses, and libcurl offers the same bytes again.
    ///
    /// In one round libcurl reads all that a fast server sends, so that content is handed on, and may be paused, within it.
    func receive(content: UnsafeRawBufferPointer) -> Bool {
        guard !isReceivePaused else { return false }
        if pending.isEmpty { pending = [UInt8](content) } else { pending.append(contentsOf: content) }
        if pending.count >= Self.pieceBytes { flush() }
        return true
    }

    /// What comes together before it is handed on, in bytes.
    private static let pieceBytes = 32 << 10

    func content(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece {
        let step = upload?.read(into: buffer) ?? .bytes(0)
        if case .failed(let error) = step { failure = error }
        if case .later = step { isSendPaused = true }
        return step
    }

    func rewind(to offset: Int) -> Bool { upload?.rewind(to: offset) ?? true }

    /// Whether a connection may be opened: not by libcurl itself, in place of a reused one that was closed unanswered.
    var mayOpenConnection: Bool { !wasSentOnReusedConnection }

    func opened(_ descriptor: Int32) {
        hasOpened = true
        easy?.waitForConnection(asLongAsItTakes: true)
        if let easy { core.opened(descriptor, for: easy, isSecure: isSecure) }
    }

    /// Whether it is of TLS.
    var isSecure: Bool { host?.isSecure == true }

    /// Whether a response has no end of its own (RFC 9112 §6.3).
    private func isDelimitedByClose(_ response: HTTPResponse) -> Bool {
        let hasNone = head.method == .head || [204, 304].contains(response.status.code)
        return !hasNone && easy?.isHTTP2 == false
            && ResponseFraming.endsWithConnection(response.headerFields)
    }

    /// Looks whether TLS has ended in order, while the connection is there; called after everything that libcurl does.
    func lookForClosure() {
        guard endsWithConnection, let easy, let seen = TLSClosure.isAnnounced(on: easy) else { return }
        hasClosureAlert = seen
    }

    /// Called each time a connection is ready and the request is about to go out; false keeps it back.
    func willSend(from port: UInt16, on easy: EasyHandle) -> Bool {
        if transferAttempts > 0, !maySendAgainInTransfer { return false }
        transferAttempts += 1
        attempts += 1
        localPort = port
        wasSentOnReusedConnection = !hasOpened
        core.note { $0.sends(easy.number, from: port) }
        guard isSecure, !easy.holdsPinnedCertificate else { return true }
        failure = TransportError(
            .untrustedCertificate,
            "The server's certificate is none of those that are pinned."
        )
        return false
    }

    /// Whether libcurl may send the request again by itself: over HTTP/2, where the server has refused it.
    ///
    /// After a reused connection that was closed unanswered it may not: the loop decides about that.
    private var maySendAgainInTransfer: Bool {
        if wasSentOnReusedConnection { return false }
        if rules.resendsOnDeadConnection, head.isRepeatable { return true }
        failure = TransportError(.connectionLost, "The connection was closed without an answer.")
        return false
    }

    /// Prepares for a transfer that sends the request again.
    func beginAgain() {
        transferAttempts = 0
        localPort = 0
        hasOpened = false
        wasSentOnReusedConnection = false
        isReceivePaused = false
        isSendPaused = false
    }

    // MARK: What the loop does

    /// Hands on what has come together.
    func flush() {
        guard !hasEnded else { return }
        if let response = response.take() { receiver.receive(head: response) }
        guard !pending.isEmpty else { return }
        let piece = pending
        pending = []
        if !receiver.receive(piece: piece) {
            setReceivePaused(true)
        }
    }

    private func setReceivePaused(_ isPaused: Bool) {
        isReceivePaused = isPaused
        guard let number = easy?.number else { return }
        core.note { $0.setPaused(number, isPaused) }
    }

    func resumeReceiving() {
        guard isReceivePaused, !hasEnded else { return }
        setReceivePaused(false)
        easy?.resume(receivePaused: false, sendPaused: isSendPaused)
    }

    func resumeSending() {
        guard isSendPaused, !hasEnded else { return }
        isSendPaused = false
        easy?.resume(receivePaused: isReceivePaused, sendPaused: false)
    }

    /// Tells the receiver what is left and the end; `nil` for a broken-off exchange.
    func end(_ code: CURLcode?) {
        guard !hasEnded else { return }
        hasEnded = true
        (upload as? StreamSource)?.stop()
        let outcome = outcome(code)
        // Moved, not copied: somebody counts their references.
        var rest = TransportRest(head: nil, piece: [], end: outcome)
        swap(&rest.head, &response)
        swap(&rest.piece, &pending)
        receiver.receive(rest: consume rest)
    }
}
