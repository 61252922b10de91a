import Ccurl
import HTTPTypes

/// libcurl's easy handle: one transfer after another; touched on the loop's thread only.
final class EasyHandle {
    private(set) var raw: UnsafeMutableRawPointer
    /// No other of the same loop has it at the same time.
    let number: Int
    /// The exchange it carries, or carried last until it is taken out.
    @exclusivity(unchecked) var exchange: CurlExchange?
    /// Whether the exchange goes on.
    @exclusivity(unchecked) var isActive = false
    /// Whether the exchange has something to hand on.
    @exclusivity(unchecked) var hasNews = false
    @exclusivity(unchecked) private(set) var parser = HeadParser()
    /// What it was told of trust; `nil` before the first transfer.
    @exclusivity(unchecked) var trust: TrustPolicy?
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// What `lines` were made from: one transfer is often like the one before.
    @exclusivity(unchecked) private var linesSource: RequestLines.Source?
    /// The number of the host that it has asked last.
    @exclusivity(unchecked) private var host: Int?
    /// It has all its handles, and goes after them.
    unowned(unsafe) let core: LoopCore
    /// The path that was set last; `nil` where it stands in the URL.
    @exclusivity(unchecked) private var path: String?
    /// The origin that `url` was parsed from.
    @exclusivity(unchecked) private var origin: Origin?
    private struct Origin: Equatable {
        let scheme: String
        let authority: String
        /// Empty until it is parsed.
        var url = ""

        static func == (one: Origin, other: Origin) -> Bool {
            one.scheme == other.scheme && one.authority == other.authority
        }
    }
    private let url = curl_url()
    @exclusivity(unchecked) private var method: HTTPRequest.Method?
    private var hadContent = false
    private var watchesProgress = false
    /// What `waitForConnection` and `tidyNames` have set last.
    @exclusivity(unchecked) var isPatient = false
    @exclusivity(unchecked) var tidiesNames = true
    /// Whether the connections that are there are left alone.
    private var opensConnection = false
    let message: UnsafeMutablePointer<CChar>

    /// Creates a handle whose sockets belong to `core`.
    init?(core: LoopCore, number: Int) {
        guard let raw = curl_easy_init() else { return nil }
        self.core = core
        self.number = number
        self.raw = raw
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setPlain()
        setCallbacks()
    }

    /// Takes a copy of libcurl's handle in its place, which has all options and nothing of the last transfer; false where
    /// there is none.
    func renew() -> Bool {
        guard let next = curl_easy_duphandle(raw) else { return false }
        curl_easy_cleanup(raw)
        raw = next
        // Or libcurl has to write the URL from its parts again.
        if let origin { set(CURLOPT_URL, text: origin.url) }
        return true
    }

    deinit {
        curl_easy_cleanup(raw)
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

    /// Prepares the transfer; what is as it was for the one before is left alone.
    private func prepare(_ head: HTTPRequest, _ exchange: CurlExchange) {
        message[0] = 0
        // Without TLS nobody is trusted or not, and to compare two policies takes time.
        let host = exchange.host
        let isPlain = host?.isPlain == true
        if !isPlain { use(exchange.trust) }
        watchProgress(!isPlain)
        let isSameHost = host?.number == self.host && self.host != nil
        setTarget(head, isSameHost: isSameHost)
        // Most often there is a connection to whom it has asked last.
        waitForConnection(asLongAsItTakes: !isSameHost)
        tidyNames(true)
        self.host = host?.number
        let method = head.method
        setMethod(method, exchange.upload)
        setLines(head.headerFields, method, hasContent: exchange.upload != nil)
    }

    /// Has libcurl open a connection, even where there is one that is free.
    private func openConnection(_ isOn: Bool) {
        guard isOn != opensConnection else { return }
        opensConnection = isOn
        set(CURLOPT_FRESH_CONNECT, isOn ? 1 : 0)
    }

    /// Has libcurl call after everything that it does, as long as it has the connection.
    private func watchProgress(_ isOn: Bool) {
        guard isOn != watchesProgress else { return }
        watchesProgress = isOn
        set(CURLOPT_NOPROGRESS, isOn ? 0 : 1)
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

    /// Parsing a URL costs libcurl more than the rest of its preparations: it parses one of each origin, and the path
    /// goes on the wire as it is.
    private func setTarget(_ head: HTTPRequest, isSameHost: Bool) {
        let next = head.path ?? "/"
        if isSameHost, origin != nil {
            if path == next { return }
        } else {
            setOrigin(Origin(scheme: head.scheme ?? "", authority: head.authority ?? ""))
        }
        if origin != nil, Self.isPlain(next) {
            path = next
            return set(CURLOPT_REQUEST_TARGET, text: next)
        }
        origin = nil
        path = nil
        _ = cachecheck_set_pointer(raw, CURLOPT_CURLU, nil)
        _ = cachecheck_set_text(raw, CURLOPT_REQUEST_TARGET, nil)
        // What is wrong with it is libcurl's to say.
        set(CURLOPT_URL, text: (head.scheme ?? "") + "://" + (head.authority ?? "") + next)
    }

    private func setOrigin(_ next: Origin) {
        if next == origin { return }
        path = nil
        if !parse(next) { origin = nil }
    }

    /// Whether libcurl takes an origin.
    private func parse(_ next: Origin) -> Bool {
        let text = next.scheme + "://" + next.authority + "/"
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
        guard let url, curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK else { return false }
        origin = Origin(scheme: next.scheme, authority: next.authority, url: text)
        set(CURLOPT_URL, text: text)
        _ = cachecheck_set_pointer(raw, CURLOPT_CURLU, UnsafeMutableRawPointer(url))
        return true
    }

    /// Whether nothing but a path and a query can be read into a target, or the URL that a forward proxy is asked for.
    private static func isPlain(_ path: String) -> Bool {
        // RFC 9112 §3.2.4: the asterisk form goes out as it is.
        if path == "*" { return true }
        return (path.utf8.first == UInt8(ascii: "/") || path.hasPrefix("http://"))
            && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }
    }

    private func setMethod(_ method: HTTPRequest.Method, _ upload: (any UploadSource)?) {
        guard method != self.method || upload != nil || hadContent else { return }
        self.method = method
        hadContent = upload != nil
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_NOBODY, method == .head ? 1 : 0)
        if let upload {
            set(CURLOPT_UPLOAD, 1)
            _ = cachecheck_set_offset(raw, CURLOPT_INFILESIZE_LARGE, upload.length ?? -1)
        }
        if upload == nil, method == .get || method == .head {
            _ = cachecheck_set_text(raw, CURLOPT_CUSTOMREQUEST, nil)
        } else {
            set(CURLOPT_CUSTOMREQUEST, text: method.rawValue)
        }
    }

    private func setLines(_ fields: HTTPFields, _ method: HTTPRequest.Method, hasContent: Bool) {
        if linesSource?.isMade(of: fields, method, hasContent: hasContent) == true { return }
        linesSource = RequestLines.Source(fields, method, hasContent: hasContent)
        curl_slist_free_all(lines)
        lines = nil
        for line in RequestLines.lines(of: fields, method, hasContent: hasContent) {
            line.withUnsafeBytes { bytes in
                lines = curl_slist_append(lines, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
        }
        _ = cachecheck_set_list(raw, CURLOPT_HTTPHEADER, lines)
    }
}
