import HTTPTypes

extension HTTPField.Name {
    /// Returns a name that is known to be a token.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("\(name) is not a field name") }
        return known
    }

    static let cacheStatus = known("Cache-Status")
    static let host = known("Host")
    static let http2Settings = known("HTTP2-Settings")
    static let keepAlive = known("Keep-Alive")
    static let maxForwards = known("Max-Forwards")
    static let proxyConnection = known("Proxy-Connection")
    static let via = known("Via")
}
