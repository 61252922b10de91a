/// Names of fields that recording treats in its own way, as they are usually written.
enum FieldNames {
    static let acceptEncoding = "Accept-Encoding"
    static let age = "Age"
    static let authorization = "Authorization"
    static let contentEncoding = "Content-Encoding"
    static let contentLength = "Content-Length"
    static let contentType = "Content-Type"
    static let cookie = "Cookie"
    static let date = "Date"
    static let entityTag = "ETag"
    static let expires = "Expires"
    static let host = "Host"
    static let lastModified = "Last-Modified"
    static let location = "Location"
    static let proxyAuthorization = "Proxy-Authorization"
    static let retryAfter = "Retry-After"
    static let setCookie = "Set-Cookie"
    static let transferEncoding = "Transfer-Encoding"
    static let vary = "Vary"

    /// What belongs to one connection (RFC 9110 §7.6.1).
    static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "http2-settings", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// What makes a request one for other answers, whatever `Vary` says (RFC 9110 §13.1 and §14.2).
    static let conditions = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]
}
