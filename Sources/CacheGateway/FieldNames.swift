import HTTPTypes

extension HTTPField.Name {
    /// A name that is known to be a token.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("\(name) is not a field name") }
        return known
    }

    static let cacheStatus = known("Cache-Status")
    static let cdnCacheControl = known("CDN-Cache-Control")
    static let forwarded = known("Forwarded")
    static let host = known("Host")
    static let hostOverride = known("X-HTTP-Host-Override")
    static let httpMethod = known("X-HTTP-Method")
    static let httpMethodOverride = known("X-HTTP-Method-Override")
    static let http2Settings = known("HTTP2-Settings")
    static let keepAlive = known("Keep-Alive")
    static let maxForwards = known("Max-Forwards")
    static let methodOverride = known("X-Method-Override")
    static let originalHost = known("X-Original-Host")
    static let originalURL = known("X-Original-URL")
    static let proxyConnection = known("Proxy-Connection")
    static let realAddress = known("X-Real-IP")
    static let rewriteURL = known("X-Rewrite-URL")
    static let unkeyedHost = known("X-Host")
    static let via = known("Via")
}
