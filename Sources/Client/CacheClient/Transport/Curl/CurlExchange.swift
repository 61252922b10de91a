import Addresses
import CacheStorage
import Ccurl
import HTTPTypes

/// One exchange over libcurl.
final class CurlExchange: TransportExchange, @unchecked Sendable {
    // Reason: the variables are accessed on the loop's thread only; other threads post commands.
    /// The request to send.
    let head: HTTPRequest
    let receiver: any TransportReceiver
    let upload: (any UploadSource)?
    let rules: CurlTransport.Rules
    /// The rule for the addresses that may be connected to; `nil` permits any address.
    @exclusivity(unchecked) var addresses: AddressRule?
    /// The time to open a connection; `nil` means no limit.
    @exclusivity(unchecked) var connectTimeout: Duration?
    /// The newest version of HTTP to send the request in.
    @exclusivity(unchecked) var newestVersion = HTTPVersion.http2
    /// An address that the rule has refused.
    @exclusivity(unchecked) var refusedAddress: IPAddress?
    // The exchange retains neither: the loop holds both as long as they are referenced here.
    /// The queue of its host; `nil` before and after.
    @exclusivity(unchecked) unowned(unsafe) var queue: HostQueues.Queue?
    /// Its host; `nil` before the exchange is queued.
    @exclusivity(unchecked) var host: HostQueues.Host?
    /// The handle that carries it; `nil` before and after.
    @exclusivity(unchecked) unowned(unsafe) var easy: EasyHandle?
    /// The final head that has arrived in this round and has not been passed on yet.
    @exclusivity(unchecked) private var response: HTTPResponse?
    /// The bytes that have arrived in this round and have not been passed on yet.
    @exclusivity(unchecked) private var pending: [UInt8] = []
    private var isReceivePaused = false
    private var isSendPaused = false
    /// The number of times the request was sent.
    private(set) var attempts = 0
    /// Whether a connection had to be opened.
    private(set) var hasOpened = false
    /// Whether the request was sent on a connection that had carried another exchange.
    private(set) var wasSentOnReusedConnection = false
    /// Whether the request was not sent, because the connection had received bytes, or its end, while it was idle.
    private(set) var foundUncleanConnection = false
    @exclusivity(unchecked) private(set) var failure: TransportError?
    /// Whether TLS has announced that nothing follows; `nil` if that makes no difference, or is unknown.
    private(set) var hasClosureAlert: Bool?
    /// Whether only the end of the connection ends the content.
    private(set) var endsWithConnection = false
    /// Whether an expectation of the request has been refused, with content that libcurl would ignore.
    @exclusivity(unchecked) private(set) var isExpectationRefused = false
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

    /// The trust policy over TLS.
    var trust: TrustPolicy { rules.trust }

    func resume() { core.post(.resumeReceiving(self)) }

    func cancel() { core.post(.cancel(self)) }

    func workInPlace() -> Bool { core.workInPlace() }

    // MARK: Calls by libcurl

    /// Takes what a line of the head has completed on `easy`; false cancels the exchange.
    func receive(_ step: HeadParser.Step, on easy: EasyHandle) -> Bool {
        switch step {
        case .incomplete: return true
        case .interim(let response): receiver.receive(interim: response)
        case .final(let response):
            reportStart(easy.parser.version)
            // libcurl would send the next request on this connection as HTTP/1.0, against RFC 9112 §2.3.
            let speaksHTTP10 = easy.parser.version == .http10
            if speaksHTTP10 { easy.closeConnection(true) }
            // A reply of 5xx may be that of a proxy in front of the server.
            if response.status.kind != .serverError { queue?.speaksHTTP10 = speaksHTTP10 }
            isExpectationRefused = refusesExpectation(response)
            self.response = isExpectationRefused ? response.withoutContent : response
            // From here on nothing is sent again, on a connection for which the name would be resolved.
            if !hasOpened { easy.tidyNames(false) }
            if isSecure { endsWithConnection = isDelimitedByClose(response) }
        case .malformed(let problem):
            failure = TransportError(.cannotParse, problem)
            return false
        }
        return true
    }

    /// Whether the content would have to be sent in chunks to a server that speaks HTTP/1.0, against RFC 9112 §6.1.
    var lacksLength: Bool {
        guard let upload, upload.length == nil else { return false }
        return queue?.speaksHTTP10 == true
    }

    /// Whether a response refuses the expectation of a request with content.
    ///
    /// libcurl would ignore its content, and send the request again without `Expect`: a client may do that (RFC 9110 §15.5.18),
    /// but an intermediary has to forward the response.
    private func refusesExpectation(_ response: HTTPResponse) -> Bool {
        response.status.code == 417 && upload != nil && head.headerFields.contains(.expect)
    }

    /// Reports how the head was received, if that is unusual.
    private func reportStart(_ version: HTTPVersion) {
        guard attempts > 1 || version != .http11 else { return }
        receiver.receive(start: TransportStart(version: version, attempts: max(1, attempts)))
    }

    /// Records the failure of an exchange for which libcurl has taken a head for final that is not.
    func refuseContent() {
        failure = TransportError(
            .cannotParse,
            "The server's response is not HTTP: content precedes the head."
        )
    }

    /// Takes content; false pauses, and libcurl offers the same bytes again.
    ///
    /// In one round libcurl reads everything that a fast server sends, so content is passed on, and may be paused,
    /// within it.
    func receive(content: UnsafeRawBufferPointer) -> Bool {
        guard !isReceivePaused else { return false }
        if pending.isEmpty { pending = [UInt8](content) } else { pending.append(contentsOf: content) }
        if pending.count >= Self.pieceBytes { flush() }
        return true
    }

    /// The number of bytes that are collected before they are passed on.
    private static let pieceBytes = 32 << 10

    func content(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece {
        let step = upload?.read(into: buffer) ?? .bytes(0)
        if case .failed(let error) = step { failure = error }
        if case .later = step { isSendPaused = true }
        return step
    }

    func rewind(to offset: Int) -> Bool { upload?.rewind(to: offset) ?? true }

    /// Whether a connection may be opened: not by libcurl itself, in place of a reused one that was closed unanswered.
    var mayOpenConnection: Bool { !wasSentOnReusedConnection && !foundUncleanConnection }

    func opened(_ descriptor: Int32) {
        hasOpened = true
        easy?.waitForConnection(connectTimeout)
        if let easy { core.opened(descriptor, for: easy, isSecure: isSecure) }
    }

    /// Whether it uses TLS.
    var isSecure: Bool { host?.isSecure == true }

    /// Returns whether the content of a response ends only with the connection (RFC 9112 §6.3).
    private func isDelimitedByClose(_ response: HTTPResponse) -> Bool {
        let hasNone = head.method == .head || [204, 304].contains(response.status.code)
        return !hasNone && easy?.isHTTP2 == false
            && ResponseFraming.endsWithConnection(response.headerFields)
    }

    /// Checks whether TLS has ended properly, while the connection exists; called after everything that libcurl does.
    func lookForClosure() {
        guard endsWithConnection, let easy, let seen = TLSClosure.isAnnounced(on: easy) else { return }
        hasClosureAlert = seen
    }

    /// Called each time a connection is ready and the request is about to be sent; false prevents that.
    func willSend(on ends: ConnectionEnds, with easy: EasyHandle) -> Bool {
        if attempts > 0, !maySendAgain { return false }
        let descriptor = core.note { $0.sends(easy.number, on: ends) }
        foundUncleanConnection = !hasOpened && !IdleConnection.isClean(descriptor)
        if foundUncleanConnection { return false }
        attempts += 1
        wasSentOnReusedConnection = !hasOpened
        guard isSecure, !easy.holdsPinnedCertificate else { return true }
        failure = TransportError(
            .untrustedCertificate,
            "The server's certificate does not match a pin."
        )
        return false
    }

    /// Whether the request may be sent again: in another transfer, and in the same one over HTTP/2, if the server has refused it.
    ///
    /// libcurl may not do so by itself after a reused connection was closed unanswered: the loop decides about that.
    private var maySendAgain: Bool {
        if wasSentOnReusedConnection { return false }
        if rules.resendsOnDeadConnection, head.isRepeatable { return true }
        failure = TransportError(.connectionLost, "The connection was closed without a response.")
        return false
    }

    /// Prepares for a transfer that sends the request again.
    func beginAgain() {
        hasOpened = false
        wasSentOnReusedConnection = false
        foundUncleanConnection = false
    }

    // MARK: Calls by the loop

    /// Passes on what has been collected.
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

    /// Reports the rest and the end to the receiver; `nil` for a cancelled exchange.
    func end(_ code: CURLcode?) {
        guard !hasEnded else { return }
        hasEnded = true
        (upload as? StreamSource)?.stop()
        let outcome = outcome(code)
        // Moved, not copied, because they are reference-counted.
        var rest = TransportRest(head: nil, piece: [], end: outcome)
        swap(&rest.head, &response)
        swap(&rest.piece, &pending)
        receiver.receive(rest: consume rest)
    }
}
