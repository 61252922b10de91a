import Ccurl

/// Options that only matter to exchanges that open a connection, and cost the others time.
extension EasyHandle {
    /// Disables libcurl's own time limit for opening a connection.
    ///
    /// Set in advance if no free connection is expected; otherwise as soon as a connection that is opened has a
    /// socket.
    func waitForConnection(asLongAsItTakes isPatient: Bool) {
        guard isPatient != settings.isPatient else { return }
        settings.isPatient = isPatient
        set(CURLOPT_CONNECTTIMEOUT_MS, isPatient ? Int(Int32.max) : 0)
    }

    /// Sets whether libcurl checks all resolved names when the exchange is over, to remove the old ones.
    ///
    /// On unless a reused connection has started to answer: until then the name may have to be resolved again, and no
    /// old address may be found. The removal with each connection that is opened is enough.
    func tidyNames(_ isOn: Bool) {
        guard isOn != settings.tidiesNames else { return }
        settings.tidiesNames = isOn
        set(CURLOPT_DNS_CACHE_TIMEOUT, isOn ? Self.secondsOfNames : -1)
    }

    /// The time for which libcurl uses a name's addresses without resolving it again, by its own default.
    private static let secondsOfNames = 60
}
