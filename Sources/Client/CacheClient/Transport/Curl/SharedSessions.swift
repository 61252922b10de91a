import Ccurl

/// The TLS sessions that the handles of one loop resume (RFC 8446 §2.2).
///
/// libcurl resumes a session only with the same host and under the same trust. One thread at a time drives a loop, so
/// libcurl needs no lock.
final class SharedSessions {
    private let raw: UnsafeMutableRawPointer

    init?() {
        guard let raw = curl_share_init() else { return nil }
        self.raw = raw
        guard cachecheck_share_data(raw, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    // Each handle retains this object, because a share must outlive its handles.
    deinit { curl_share_cleanup(raw) }

    /// Makes a handle of libcurl use the sessions.
    func attach(to easy: UnsafeMutableRawPointer) { _ = cachecheck_set_pointer(easy, CURLOPT_SHARE, raw) }
}
