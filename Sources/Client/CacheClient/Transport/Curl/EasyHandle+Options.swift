import Ccurl

// The options that all transfers have in common.
extension EasyHandle {
    /// Restricts libcurl to one exchange: no redirects, cookies, credentials, codings, proxies or timers by libcurl itself.
    ///
    /// By default it follows no redirects, reads no `.netrc` and sends small packets at once.
    func setPlain() {
        set(CURLOPT_NOSIGNAL, 1)
        // No proxy for any host, regardless of the environment.
        set(CURLOPT_NOPROXY, text: "*")
        // Each transfer copies these several times; `use(_:)` sets what a transfer over TLS needs.
        for path in [CURLOPT_CAINFO, CURLOPT_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH] {
            _ = cachecheck_set_text(raw, path, nil)
        }
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, text: "http,https")
        // The C library trims its heap each time that 64 KiB or more are freed.
        set(CURLOPT_BUFFERSIZE, 1 << 15)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        _ = cachecheck_set_pointer(raw, CURLOPT_ERRORBUFFER, message)
    }

    func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA, CURLOPT_XFERINFODATA,
        ] {
            _ = cachecheck_set_pointer(raw, option, me)
        }
        // A connection outlives the handle that opened it, so the loop is notified when it closes.
        _ = cachecheck_set_pointer(raw, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(core).toOpaque())
        _ = cachecheck_set_data_callback(raw, CURLOPT_HEADERFUNCTION, curlDidReceiveLine)
        _ = cachecheck_set_data_callback(raw, CURLOPT_WRITEFUNCTION, curlDidReceiveContent)
        _ = cachecheck_set_data_callback(raw, CURLOPT_READFUNCTION, curlWantsContent)
        _ = cachecheck_set_seek_callback(raw, curlWantsContentAgain)
        _ = cachecheck_set_open_callback(raw, curlOpensSocket)
        _ = cachecheck_set_close_callback(raw, curlClosesSocket)
        _ = cachecheck_set_request_callback(raw, curlWillSendRequest)
        _ = cachecheck_set_progress_callback(raw, curlMakesProgress)
    }
}
