import Ccurl

/// What only matters to exchanges that open a connection, and costs the others time.
extension EasyHandle {
    /// Keeps libcurl's own limit away from the opening of a connection.
    ///
    /// On where none is expected to be there; wherever one is opened all the same, as soon as it has a socket.
    func waitForConnection(asLongAsItTakes isPatient: Bool) {
        guard isPatient != settings.isPatient else { return }
        settings.isPatient = isPatient
        set(CURLOPT_CONNECTTIMEOUT_MS, isPatient ? Int(Int32.max) : 0)
    }

    /// Whether libcurl goes through all names that it has resolved when the exchange is over, to forget the old ones.
    ///
    /// On unless a reused connection has begun to answer: until then the name may have to be looked up once more, and no
    /// old address may be found. What is forgotten with each connection that is opened is enough.
    func tidyNames(_ isOn: Bool) {
        guard isOn != settings.tidiesNames else { return }
        settings.tidiesNames = isOn
        set(CURLOPT_DNS_CACHE_TIMEOUT, isOn ? Self.secondsOfNames : -1)
    }

    /// So long libcurl uses a name's addresses without asking again, by its own default.
    private static let secondsOfNames = 60
}
