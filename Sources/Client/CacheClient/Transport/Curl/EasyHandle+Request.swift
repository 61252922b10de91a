import CacheStorage
import Ccurl
import HTTPTypes

// The options for one request; those that are the same as for the previous one are left alone.
extension EasyHandle {
    /// Prepares the transfer of an exchange.
    func prepare(_ head: HTTPRequest, _ exchange: CurlExchange) {
        message[0] = 0
        // Without TLS, trust does not matter, and comparing two policies takes time.
        let host = exchange.host
        let isPlain = host?.isPlain == true
        if !isPlain { use(exchange.trust) }
        watchProgress(!isPlain)
        let isSameHost = host?.number == self.host && self.host != nil
        setTarget(head, isSameHost: isSameHost)
        // Usually there is a connection to the host of the previous request.
        if isSameHost, exchange.connectTimeout == nil {
            limitConnecting(milliseconds: 0)
        } else {
            waitForConnection(exchange.connectTimeout)
        }
        tidyNames(true)
        closeConnection(false)
        limitVersion(exchange.newestVersion)
        self.host = host?.number
        let method = head.method
        setMethod(method, exchange.upload)
        setLines(head.headerFields, method, hasContent: exchange.upload != nil)
    }

    /// Sets whether libcurl opens a connection even if one is free.
    func openConnection(_ isOn: Bool) {
        set(CURLOPT_FRESH_CONNECT, isOn ? 1 : 0, last: &settings.opensConnection)
    }

    /// Sets whether libcurl closes the connection after the transfer, even if it could be used again.
    func closeConnection(_ isOn: Bool) {
        set(CURLOPT_FORBID_REUSE, isOn ? 1 : 0, last: &settings.closesConnection)
    }

    /// Sets the newest version of HTTP that libcurl may use.
    private func limitVersion(_ version: HTTPVersion) {
        let number =
            switch version {
            case .http10: CURL_HTTP_VERSION_1_0
            case .http11: CURL_HTTP_VERSION_1_1
            case .http2: CURL_HTTP_VERSION_2TLS
            }
        set(CURLOPT_HTTP_VERSION, Int(number), last: &settings.newestVersion)
    }

    /// Sets whether libcurl calls back after everything that it does while it has the connection.
    private func watchProgress(_ isOn: Bool) {
        set(CURLOPT_NOPROGRESS, isOn ? 0 : 1, last: &settings.hidesProgress)
    }

    /// Sets the target of the request.
    ///
    /// Parsing a URL costs libcurl more than the rest of its preparations, so it parses one for each origin, and the
    /// path is sent unchanged.
    private func setTarget(_ head: HTTPRequest, isSameHost: Bool) {
        let next = head.path ?? "/"
        if isSameHost, settings.hasURL {
            if settings.path == next { return }
        } else {
            setOrigin(isSameHost ? origin : nil, head)
        }
        if origin != nil, Self.isPlain(next) {
            settings.path = next
            return set(CURLOPT_REQUEST_TARGET, text: next)
        }
        origin = nil
        settings.path = nil
        settings.hasURL = false
        _ = cachecheck_set_pointer(raw, CURLOPT_CURLU, nil)
        _ = cachecheck_set_text(raw, CURLOPT_REQUEST_TARGET, nil)
        // libcurl reports what is wrong with it. Without a slash it would continue the authority; a space is always wrong.
        let path = next.isEmpty || next.hasPrefix("/") ? next : "/ " + next
        set(CURLOPT_URL, text: (head.scheme ?? "") + "://" + (head.authority ?? "") + path)
    }

    /// Sets the origin of the request, which is `known` unless that is `nil`.
    private func setOrigin(_ known: Origin?, _ head: HTTPRequest) {
        let next = known ?? Origin(scheme: head.scheme ?? "", authority: head.authority ?? "")
        if next != origin {
            settings.hasURL = false
            origin = parsed(next)
        }
        guard let origin, !settings.hasURL else { return }
        settings.hasURL = true
        settings.path = nil
        // With the URL as text, too, libcurl need not compose it from its parts.
        set(CURLOPT_URL, text: origin.url)
        _ = cachecheck_set_pointer(raw, CURLOPT_CURLU, url.map { UnsafeMutableRawPointer($0) })
    }

    /// Returns an origin with its URL, whose parts `url` then contains; `nil` if libcurl does not accept it.
    private func parsed(_ origin: Origin) -> Origin? {
        let text = origin.scheme + "://" + origin.authority + "/"
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
        guard let url, curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
        return Origin(scheme: origin.scheme, authority: origin.authority, url: text)
    }

    /// Returns whether a target can only be read as a path and a query, or as the URL in a request to a forward proxy.
    private static func isPlain(_ path: String) -> Bool {
        // RFC 9112 §3.2.4: the asterisk form is sent unchanged.
        if path == "*" { return true }
        return (path.utf8.first == UInt8(ascii: "/") || path.hasPrefix("http://"))
            && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }
    }

    private func setMethod(_ method: HTTPRequest.Method, _ upload: (any UploadSource)?) {
        guard method != settings.method || upload != nil || settings.hadContent else { return }
        settings.method = method
        settings.hadContent = upload != nil
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
        if linesSource?.isMade(of: fields, method, hasContent: hasContent) != true {
            linesSource = RequestLines.Source(fields, method, hasContent: hasContent)
            makeLines(fields, method, hasContent: hasContent)
        } else if settings.hasLines {
            return
        }
        settings.hasLines = true
        _ = cachecheck_set_list(raw, CURLOPT_HTTPHEADER, lines)
    }

    private func makeLines(_ fields: HTTPFields, _ method: HTTPRequest.Method, hasContent: Bool) {
        curl_slist_free_all(lines)
        lines = nil
        for line in RequestLines.lines(of: fields, method, hasContent: hasContent) {
            line.withUnsafeBytes { bytes in
                lines = curl_slist_append(lines, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
        }
    }
}
