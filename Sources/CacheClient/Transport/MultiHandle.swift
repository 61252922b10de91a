import Ccurl

/// libcurl's multi handle: the connections of one transport.
///
/// Touched on the loop's thread only, except `wakeUp()`.
final class MultiHandle {
    private let raw: UnsafeMutableRawPointer
    private var isClosed = false

    init?() {
        guard curlIsReady, let raw = curl_multi_init() else { return nil }
        self.raw = raw
        _ = cachecheck_multi_set_long(raw, CURLMOPT_MAXCONNECTS, 128)
    }

    deinit { close() }

    /// Closes every connection; may be repeated, and nothing else may be called afterwards.
    func close() {
        if !isClosed { curl_multi_cleanup(raw) }
        isClosed = true
    }

    func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(raw, easy.raw) == CURLM_OK }

    func remove(_ easy: EasyHandle) { curl_multi_remove_handle(raw, easy.raw) }

    func perform() {
        var running: Int32 = 0
        curl_multi_perform(raw, &running)
    }

    /// The next transfer that has ended.
    func nextDone() -> (UnsafeMutableRawPointer, CURLcode)? {
        var code = CURLE_OK
        guard let easy = cachecheck_multi_next_done(raw, &code) else { return nil }
        return (easy, code)
    }

    /// Milliseconds until libcurl wants `perform` for a reason of its own; `nil` for never.
    var dueIn: Int? {
        var milliseconds = -1
        curl_multi_timeout(raw, &milliseconds)
        return milliseconds < 0 ? nil : milliseconds
    }

    func poll(milliseconds: Int32) {
        var ready: Int32 = 0
        curl_multi_poll(raw, nil, 0, milliseconds, &ready)
    }

    /// Ends `poll`, or the next one; from any thread.
    func wakeUp() { curl_multi_wakeup(raw) }
}

/// libcurl wants to be initialised once, before its first use.
private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
