/// Names of the fields that the server and the origin read or write themselves.
public enum FieldName {
    /// RFC 9110 §12.5.3.
    public static let acceptEncoding = "Accept-Encoding"
    /// RFC 9110 §14.3.
    public static let acceptRanges = "Accept-Ranges"
    /// RFC 9110 §12.5.1.
    public static let accept = "Accept"
    /// RFC 9111 §5.1.
    public static let age = "Age"
    /// RFC 9110 §10.2.1.
    public static let allow = "Allow"
    /// RFC 9110 §11.6.2.
    public static let authorization = "Authorization"
    /// RFC 9111 §5.2.
    public static let cacheControl = "Cache-Control"
    /// RFC 9110 §7.6.1.
    public static let connection = "Connection"
    /// RFC 6266.
    public static let contentDisposition = "Content-Disposition"
    /// RFC 9110 §8.4.
    public static let contentEncoding = "Content-Encoding"
    /// RFC 9110 §8.5.
    public static let contentLanguage = "Content-Language"
    /// RFC 9110 §8.6.
    public static let contentLength = "Content-Length"
    /// RFC 9110 §14.4.
    public static let contentRange = "Content-Range"
    /// W3C Content Security Policy: the resources that a page may load.
    public static let contentSecurityPolicy = "Content-Security-Policy"
    /// RFC 9110 §8.3.
    public static let contentType = "Content-Type"
    /// Fetch standard: whether the content type may be guessed.
    public static let contentTypeOptions = "X-Content-Type-Options"
    /// RFC 6265 §4.2.
    public static let cookie = "Cookie"
    /// RFC 9110 §6.6.1.
    public static let date = "Date"
    /// RFC 9110 §8.8.3.
    public static let entityTag = "ETag"
    /// RFC 9111 §5.3.
    public static let expires = "Expires"
    /// RFC 9110 §7.2.
    public static let host = "Host"
    /// RFC 9110 §13.1.1.
    public static let ifMatch = "If-Match"
    /// RFC 9110 §13.1.3.
    public static let ifModifiedSince = "If-Modified-Since"
    /// RFC 9110 §13.1.2.
    public static let ifNoneMatch = "If-None-Match"
    /// RFC 9110 §13.1.5.
    public static let ifRange = "If-Range"
    /// RFC 9110 §13.1.4.
    public static let ifUnmodifiedSince = "If-Unmodified-Since"
    /// RFC 9110 §8.8.2.
    public static let lastModified = "Last-Modified"
    /// RFC 9110 §10.2.2.
    public static let location = "Location"
    /// RFC 9110 §14.2.
    public static let range = "Range"
    /// W3C Referrer Policy: whether requests for links contain the URL of their page.
    public static let referrerPolicy = "Referrer-Policy"
    /// Our own: a name for the request, which its random draws depend on.
    public static let requestLabel = "Request-Label"
    /// RFC 9110 §10.2.3.
    public static let retryAfter = "Retry-After"
    /// RFC 6265 §4.1.
    public static let setCookie = "Set-Cookie"
    /// RFC 9112 §6.1.
    public static let transferEncoding = "Transfer-Encoding"
    /// RFC 9110 §10.1.5.
    public static let userAgent = "User-Agent"
    /// RFC 9110 §12.5.5.
    public static let vary = "Vary"
    /// RFC 9110 §11.6.1.
    public static let wwwAuthenticate = "WWW-Authenticate"
}
