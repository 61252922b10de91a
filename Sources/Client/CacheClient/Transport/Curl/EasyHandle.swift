import Ccurl
import HTTPTypes

/// libcurl's easy handle, for one transfer after another; accessed on the loop's thread only.
final class EasyHandle {
    private(set) var raw: UnsafeMutableRawPointer
    /// The handle of which `raw` is a copy, with the options that all transfers have in common; it never carries one
    /// itself.
    ///
    /// `nil` if libcurl's handles may be reused, and `raw` carries one transfer after another.
    @exclusivity(unchecked) private var prototype: UnsafeMutableRawPointer?
    /// The options of the last transfer, which are left alone if the next one needs the same.
    struct Settings {
        /// `nil` before the first transfer over TLS.
        var trust: TrustPolicy?
        var hasURL = false
        /// `nil` if it is part of the URL.
        var path: String?
        var method = HTTPRequest.Method.get
        var hadContent = false
        var hasLines = false
        /// 0 before the first transfer.
        var newestVersion = 0
        // The values of other numeric options; initially libcurl's defaults.
        var hidesProgress = 1
        var opensConnection = 0
        var closesConnection = 0
        var connectMilliseconds = 0
        var secondsOfNames = 60
    }
    @exclusivity(unchecked) var settings = Settings()
    /// Unique among the handles that a loop has at the same time.
    let number: Int
    /// The exchange that it carries, or carried last until it is removed.
    @exclusivity(unchecked) var exchange: CurlExchange?
    /// Whether the exchange is running.
    @exclusivity(unchecked) var isActive = false
    /// Whether the exchange has something to pass on.
    @exclusivity(unchecked) var hasNews = false
    @exclusivity(unchecked) private(set) var parser = HeadParser()
    var lines: UnsafeMutablePointer<curl_slist>?
    /// The values from which `lines` were made: consecutive transfers are often alike.
    @exclusivity(unchecked) var linesSource: RequestLines.Source?
    /// The number of the host of its last request.
    @exclusivity(unchecked) var host: Int?
    /// The loop's core, which owns all its handles and outlives them.
    unowned(unsafe) let core: LoopCore
    private let sessions: SharedSessions
    /// The origin from which `url` was parsed.
    @exclusivity(unchecked) var origin: Origin?
    struct Origin: Equatable {
        let scheme: String
        let authority: String
        /// Empty until the origin is parsed.
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
        if core.reusesHandles {
            sessions.attach(to: raw)
        } else if !copyPrototype(raw) {
            return nil
        }
    }

    /// Prepares for another transfer, with a new handle of libcurl if each carries a single transfer; false if there
    /// is none.
    func renew() -> Bool {
        guard let prototype else { return true }
        // Freed first, so that the copy can use its memory.
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

    /// libcurl's message about the last failure.
    var errorText: String { String(cString: message) }

    /// Starts to carry an exchange.
    func begin(_ exchange: CurlExchange, onNewConnection opensConnection: Bool = false) {
        self.exchange = exchange
        isActive = true
        parser.begin(acceptsHTTP2: exchange.head.scheme == "https")
        openConnection(opensConnection)
        prepare(exchange.head, exchange)
    }

    /// Takes a line of the response's head; false cancels the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        let step = parser.take(line)
        if case .incomplete = step { return true }
        if case .final = step { announce() }
        guard let exchange, exchange.receive(step, on: self) else { return false }
        if case .final = step { return !exchange.endsWithHead }
        return true
    }

    /// Requests that received bytes are passed on at the end of the round.
    func announce() {
        guard !hasNews else { return }
        hasNews = true
        core.handlesWithNews.append(self)
    }

    /// Resumes what was paused, except for the directions that stay paused.
    func resume(receivePaused: Bool, sendPaused: Bool) {
        curl_easy_pause(raw, (receivePaused ? CURLPAUSE_RECV : 0) | (sendPaused ? CURLPAUSE_SEND : 0))
    }

    /// Whether no connection had to be opened.
    var isReusedConnection: Bool { cachecheck_get_long(raw, CURLINFO_NUM_CONNECTS) == 0 }
    /// Whether the exchange uses HTTP/2, which marks the end of content itself.
    var isHTTP2: Bool { cachecheck_get_long(raw, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) }
    var requestBytes: Int { cachecheck_get_long(raw, CURLINFO_REQUEST_SIZE) }
    var uploadBytes: Int { cachecheck_get_offset(raw, CURLINFO_SIZE_UPLOAD_T) }
    var headBytes: Int { cachecheck_get_long(raw, CURLINFO_HEADER_SIZE) }

    func set(_ option: CURLoption, _ value: Int) { _ = cachecheck_set_long(raw, option, value) }

    /// Sets an option unless it has the value already; `last` is its value.
    func set(_ option: CURLoption, _ value: Int, last: inout Int) {
        guard value != last else { return }
        last = value
        set(option, value)
    }

    func set(_ option: CURLoption, text: String) { _ = cachecheck_set_text(raw, option, text) }
}
