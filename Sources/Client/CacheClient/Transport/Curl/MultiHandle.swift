import Ccurl

/// libcurl's multi handle: the connections of one transport, with the sockets and the time for which it waits.
///
/// Accessed on the loop's thread only, except `wakeUp()`, and so its accesses are not checked for overlaps.
final class MultiHandle {
    private let raw: UnsafeMutableRawPointer
    private let sockets: SocketPoller
    private var isClosed = false
    /// The functions that `follow` has set, by socket.
    @exclusivity(unchecked) private var followers: [Int32: (Bool) -> Void] = [:]
    /// When libcurl must be called regardless of its sockets, in nanoseconds of CLOCK_MONOTONIC; `nil` means never.
    @exclusivity(unchecked) private var due: Int64?
    /// Whether libcurl is running, and must not be called.
    @exclusivity(unchecked) private(set) var isInside = false

    init?() {
        guard curlIsReady, let sockets = SocketPoller(), let raw = curl_multi_init() else { return nil }
        self.raw = raw
        self.sockets = sockets
        _ = cachecheck_multi_set_long(raw, CURLMOPT_MAXCONNECTS, 128)
        // After any status line "HTTP/2", libcurl would send requests on connections whose response has not arrived, even where
        // they speak HTTP/1.1, and give one request the response to another.
        _ = cachecheck_multi_set_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = cachecheck_multi_set_socket_callback(raw, curlWatchesSocket, me)
        _ = cachecheck_multi_set_timer_callback(raw, curlSetsTimer, me)
    }

    deinit { close() }

    /// Closes every connection; may be repeated, and nothing else may be called afterwards.
    func close() {
        if !isClosed { curl_multi_cleanup(raw) }
        isClosed = true
    }

    func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(raw, easy.raw) == CURLM_OK }

    func remove(_ easy: EasyHandle) { curl_multi_remove_handle(raw, easy.raw) }

    /// Lets libcurl do its timed work, if it is due.
    func performDue() {
        guard dueIn == 0 else { return }
        due = nil
        act(on: CURL_SOCKET_BAD, 0)
    }

    /// Waits until a socket is ready or `wakeUp` is called; false if neither happened in time.
    func poll(milliseconds: Int32, isEager: Bool) -> Bool {
        sockets.wait(milliseconds: milliseconds, isEager: isEager)
    }

    /// Lets libcurl use the sockets that `poll` has found ready.
    func performReady() {
        while let (descriptor, readiness) = sockets.nextReady() { act(on: descriptor, readiness) }
    }

    /// Returns the next transfer that has ended.
    func nextDone() -> (EasyHandle, CURLcode)? {
        var code = CURLE_OK
        guard let raw = cachecheck_multi_next_done(raw, &code), let me = cachecheck_get_private(raw) else {
            return nil
        }
        return (Unmanaged<EasyHandle>.fromOpaque(me).takeUnretainedValue(), code)
    }

    /// Milliseconds until libcurl must be called regardless of its sockets; `nil` means never.
    var dueIn: Int? {
        guard let due else { return nil }
        if due == 0 { return 0 }
        return Int(max(0, due - MonotonicTime.now() + 999_999) / 1_000_000)
    }

    /// Ends `poll`, or the next one; may be called from any thread.
    func wakeUp() { sockets.wakeUp() }

    /// Records the socket of a new connection.
    func opened(_ descriptor: Int32) { sockets.opened(descriptor) }

    /// Removes the socket of a connection, which is about to be closed.
    func closes(_ descriptor: Int32) {
        if !followers.isEmpty { followers[descriptor] = nil }
        sockets.closes(descriptor)
    }

    /// Calls `report`, until the socket is closed, each time with whether libcurl waits for nothing but input on it.
    func follow(_ descriptor: Int32, _ report: @escaping (Bool) -> Void) { followers[descriptor] = report }

    // MARK: Calls by libcurl

    func watch(_ descriptor: Int32, _ interest: Int32) {
        let input = interest & CURL_POLL_IN != 0
        sockets.watch(descriptor, input: input, output: interest & CURL_POLL_OUT != 0)
        if !followers.isEmpty { followers[descriptor]?(interest == CURL_POLL_IN) }
    }

    func setTimer(milliseconds: Int) {
        switch milliseconds {
        case ..<0: due = nil
        case 0: due = 0
        default: due = MonotonicTime.now() + Int64(milliseconds) * 1_000_000
        }
    }

    private func act(on descriptor: Int32, _ readiness: Int32) {
        var running: Int32 = 0
        isInside = true
        defer { isInside = false }
        curl_multi_socket_action(raw, descriptor, readiness, &running)
    }
}

/// Whether libcurl is initialised, which must happen once, before its first use.
private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
