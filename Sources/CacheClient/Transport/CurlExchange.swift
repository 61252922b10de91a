import Ccurl
import HTTPTypes

/// One exchange over libcurl.
final class CurlExchange: TransportExchange, @unchecked Sendable {
    // Reason: the variables are touched on the loop's thread only; other threads post commands.
    /// What is sent.
    let head: HTTPRequest
    let receiver: any TransportReceiver
    let upload: (any UploadSource)?
    private let rules: CurlTransport.Rules
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
    private var attempts = 0
    private var localPort: UInt16 = 0
    /// Whether a connection had to be opened.
    private var hasOpened = false
    @exclusivity(unchecked) private var failure: TransportError?
    /// Whether TLS has said that nothing follows; `nil` where that makes no difference, or cannot be known.
    private var hasClosureAlert: Bool?
    /// Whether the content has no other end than that of the connection.
    private var endsWithConnection = false
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

    /// Takes content; false pauses, and libcurl offers the same bytes again.
    func receive(content: UnsafeRawBufferPointer) -> Bool {
        guard !isReceivePaused else { return false }
        if pending.isEmpty { pending = [UInt8](content) } else { pending.append(contentsOf: content) }
        return true
    }

    func content(into buffer: UnsafeMutableRawBufferPointer) -> UploadStep {
        let step = upload?.read(into: buffer) ?? .bytes(0)
        if case .failed(let error) = step { failure = error }
        if case .later = step { isSendPaused = true }
        return step
    }

    func rewind(to offset: Int) -> Bool { upload?.rewind(to: offset) ?? true }

    func opened(_ descriptor: Int32) {
        hasOpened = true
        easy?.waitForConnection(asLongAsItTakes: true)
        if let easy { core.opened(descriptor, for: easy, isSecure: isSecure) }
    }

    /// Whether it is of TLS.
    private var isSecure: Bool { host?.isSecure == true }

    /// Whether a response has no end of its own (RFC 9112 §6.3).
    private func isDelimitedByClose(_ response: HTTPResponse) -> Bool {
        let hasNone = head.method == .head || [204, 304].contains(response.status.code)
        return !hasNone && easy?.isHTTP2 == false && response.headerFields[.contentLength] == nil
            && response.headerFields[.transferEncoding] == nil
    }

    /// Looks whether TLS has ended in order, while the connection is there; called after everything that libcurl does.
    func lookForClosure() {
        guard endsWithConnection, let easy, let seen = TLSClosure.isAnnounced(on: easy) else { return }
        hasClosureAlert = seen
    }

    /// Called each time a connection is ready and the request is about to go out; false keeps it back.
    func willSend(from port: UInt16, on easy: EasyHandle) -> Bool {
        attempts += 1
        localPort = port
        core.note { $0.sends(easy.number, from: port) }
        if isSecure, !easy.holdsPinnedCertificate {
            failure = TransportError(
                .untrustedCertificate,
                "The server's certificate is none of those that are pinned."
            )
            return false
        }
        guard attempts > 1 else { return true }
        // RFC 9110 §9.2.2: only what is idempotent may be sent again unasked.
        if rules.resendsOnDeadConnection, head.method.isIdempotent { return true }
        failure = TransportError(.connectionLost, "The reused connection was closed without an answer.")
        return false
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

    private func outcome(_ code: CURLcode?) -> Result<TransportEnd, TransportError> {
        guard let code else { return .failure(TransportError(.cancelled, "The request was cancelled.")) }
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            let text = easy?.errorText ?? ""
            let error = isSecure ? TLSFailure(code, text, easy?.chainVerdict ?? 0, trust).error : nil
            return .failure(error ?? TransportError(code, text: text))
        }
        // libcurl reports success for a head that the end of the connection cut short.
        guard easy?.parser.isComplete == true else {
            return .failure(TransportError(.connectionLost, "The connection was closed inside the head."))
        }
        // RFC 9112 §9.8: without the alert nobody knows whether there was more; libcurl 7.88 takes what came for all.
        if endsWithConnection, hasClosureAlert == false {
            return .failure(
                TransportError(.connectionLost, "TLS ended without saying that the content was complete.")
            )
        }
        return .success(summary)
    }

    private var summary: TransportEnd {
        var end = TransportEnd()
        // libcurl takes no more than is announced, and fails where there is less.
        end.isLengthChecked = true
        end.attempts = max(1, attempts)
        end.localPort = localPort
        end.isReusedConnection = !hasOpened
        guard let easy else { return end }
        if easy.parser.hasTrailers { end.trailers = easy.parser.trailers }
        end.bytesSent = easy.requestBytes + (upload == nil ? 0 : easy.uploadBytes)
        end.headBytes = easy.headBytes
        return end
    }
}

extension HTTPRequest.Method {
    /// Whether sending the request twice has the effect of sending it once (RFC 9110 §9.2.2).
    package var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace, .query].contains(self)
    }

    /// Whether the request asks for nothing to change (RFC 9110 §9.2.1).
    var isSafe: Bool {
        [.get, .head, .options, .trace, .query].contains(self)
    }
}

extension TransportError {
    /// What a code of libcurl's means.
    init(_ code: CURLcode, text: String) {
        let text = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        self.init(Self.kind(of: code), text + (text.hasSuffix(".") ? "" : "."))
    }

    private static func kind(of code: CURLcode) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: .connectionLost
        // What is left of these two for an `http` URL is an answer without a status line.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_HTTP_RETURNED_ERROR, CURLE_BAD_CONTENT_ENCODING:
            .badResponse
        default: .unknown
        }
    }
}
