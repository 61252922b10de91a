import Ccurl

/// Options that only matter to exchanges that open a connection, and cost the others time.
extension EasyHandle {
    /// Sets the time to open a connection in place of libcurl's own: `limit`, or any.
    ///
    /// Set in advance if there is a limit, or no free connection is expected; otherwise as soon as a connection that is
    /// opened has a socket.
    func waitForConnection(_ limit: Duration?) {
        guard let limit else { return limitConnecting(milliseconds: Int(Int32.max)) }
        let (seconds, attoseconds) = limit.limited.components
        let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
        limitConnecting(milliseconds: Int(min(max(milliseconds.rounded(.up), 1), Double(Int32.max))))
    }

    /// Sets the time to open a connection; 0 for libcurl's own.
    func limitConnecting(milliseconds: Int) {
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds, last: &settings.connectMilliseconds)
    }

    /// Sets whether libcurl checks all resolved names when the exchange is over, to remove the old ones.
    ///
    /// On unless a reused connection has started to answer: until then the name may have to be resolved again, and no
    /// old address may be found. The removal with each connection that is opened is enough.
    func tidyNames(_ isOn: Bool) {
        // By default, libcurl uses a name's addresses for a minute without resolving it again.
        set(CURLOPT_DNS_CACHE_TIMEOUT, isOn ? 60 : -1, last: &settings.secondsOfNames)
    }
}
