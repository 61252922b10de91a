import Ccurl
import HTTPTypes

/// libcurl's easy handle: one transfer after another; touched on the loop's thread only.
final class EasyHandle {
    private(set) var raw: UnsafeMutableRawPointer
    /// What `raw` is a copy of, with the options that all transfers have in common; it never carries one itself.
    ///
    /// `nil` where libcurl's handles may be reused, and `raw` carries one transfer after the other.
    @exclusivity(unchecked) private var prototype: UnsafeMutableRawPointer?
    /// What was set for the last transfer, and is left alone where the next one wants the same.
    struct Settings {
        /// `nil` before the first transfer over TLS.
        var trust: TrustPolicy?
        var hasURL = false
        /// `nil` where it stands in the URL.
        var path: String?
        var method = HTTPRequest.Method.get
        var hadContent = false
        var hasLines = false
        var watchesProgress = false
        /// Whether the connections that are there are left alone.
        var opensConnection = false
        var isPatient = false
        var tidiesNames = true
    }
    @exclusivity(unchecked) var settings = Settings()
    /// No other of the same loop has it at the same time.
    let number: Int
    /// The exchange it carries, or carried last until it is taken out.
    @exclusivity(unchecked) var exchange: CurlExchange?
    /// Whether the exchange goes on.
    @exclusivity(unchecked) var isActive = false
    /// Whether the exchange has something to hand on.
    @exclusivity(unchecked) var hasNews = false
    @exclusivity(unchecked) private(set) var parser = HeadParser()
    var lines: UnsafeMutablePointer<curl_slist>?
    /// What `lines` were made from: one transfer is often like the one before.
    @exclusivity(unchecked) var linesSource: RequestLines.Source?
    /// The number of the host that it has asked last.
    @exclusivity(unchecked) var host: Int?
    /// It has all its handles, and goes after them.
    unowned(unsafe) let core: LoopCore
    private let sessions: SharedSessions
    /// The origin that `url` was parsed from.
    @exclusivity(unchecked) var origin: Origin?
    struct Origin: Equatable {
        let scheme: String
        let authority: String
        /// Empty until it is parsed.
        var url = ""

        static func == (one: Origin, other: Origin) -> Bool {
            one.scheme == other.scheme && one.authority == other.authority
        }
    }
    let url = curl_url()
    let message: UnsafeMutablePointer<CChar>

    /// Creates a handle whose sockets belong to `core`.
    init?(core: LoopCore, number: Int) {
        guard let raw = curl_easy_init() else { return nil }
        self.core = core
        sessions = core.sessions
        self.number = number
        self.raw = raw
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setPlain()
        setCallbacks()
        if CurlVersion.reusesHandles {
            sessions.attach(to: raw)
        } else if !copyPrototype(raw) {
            return nil
        }
    }

    /// Prepares for another transfer, with a new handle of libcurl's where one carries a single transfer; false where
    /// there is none.
    func renew() -> Bool {
        guard let prototype else { return true }
        // Freed first, its memory is what the copy is made in.
        curl_easy_cleanup(raw)
        raw = prototype
        self.prototype = nil
        settings = Settings()
        return copyPrototype(prototype)
    }

    private func copyPrototype(_ original: UnsafeMutableRawPointer) -> Bool {
        guard let copy = curl_easy_duphandle(original) else { return false }
        // A share is not copied.
        sessions.attach(to: copy)
        prototype = original
        raw = copy
        return true
    }

    deinit {
        curl_easy_cleanup(raw)
        if let prototype { curl_easy_cleanup(prototype) }
        curl_url_cleanup(url)
        curl_slist_free_all(lines)
        message.deallocate()
    }

    /// What libcurl says about the last failure.
    var errorText: String { String(cString: message) }

    /// Carries an exchange from now on.
    func begin(_ exchange: CurlExchange, onNewConnection opensConnection: Bool = false) {
        self.exchange = exchange
        isActive = true
        parser.begin()
        openConnection(opensConnection)
        prepare(exchange.head, exchange)
    }

    /// Takes a line of the response's head; false breaks the exchange off.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        let step = parser.take(line)
        if case .incomplete = step { return true }
        if case .final = step { announce() }
        guard let exchange, exchange.receive(step, on: self) else { return false }
        if case .final = step { return !exchange.endsWithHead }
        return true
    }

    /// Asks for what has come to be handed on at the end of the round.
    func announce() {
        guard !hasNews else { return }
        hasNews = true
        core.handlesWithNews.append(self)
    }

    /// Lets what was paused go on, except for what is named.
    func resume(receivePaused: Bool, sendPaused: Bool) {
        curl_easy_pause(raw, (receivePaused ? CURLPAUSE_RECV : 0) | (sendPaused ? CURLPAUSE_SEND : 0))
    }

    /// Whether no connection had to be opened.
    var isReusedConnection: Bool { cachecheck_get_long(raw, CURLINFO_NUM_CONNECTS) == 0 }
    /// Whether the exchange is of HTTP/2, which has ends of its own.
    var isHTTP2: Bool { cachecheck_get_long(raw, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) }
    var requestBytes: Int { cachecheck_get_long(raw, CURLINFO_REQUEST_SIZE) }
    var uploadBytes: Int { cachecheck_get_offset(raw, CURLINFO_SIZE_UPLOAD_T) }
    var headBytes: Int { cachecheck_get_long(raw, CURLINFO_HEADER_SIZE) }

    func set(_ option: CURLoption, _ value: Int) { _ = cachecheck_set_long(raw, option, value) }

    func set(_ option: CURLoption, text: String) { _ = cachecheck_set_text(raw, option, text) }
}
