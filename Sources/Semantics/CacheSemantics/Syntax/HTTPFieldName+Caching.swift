public import HTTPTypes

extension HTTPField.Name {
    /// Returns a name that is known to be valid.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return known
    }

    static let acceptCharset = known("Accept-Charset")
    /// `Accept-Query` (RFC 10008 §3).
    public static let acceptQuery = known("Accept-Query")
    static let forwarded = known("Forwarded")
    static let prefer = known("Prefer")
    /// `Cache-Group-Invalidation` (RFC 9875 §3).
    public static let cacheGroupInvalidation = known("Cache-Group-Invalidation")
    /// `Cache-Groups` (RFC 9875 §2).
    public static let cacheGroups = known("Cache-Groups")
    static let clearSiteData = known("Clear-Site-Data")
    /// `Content-Digest` (RFC 9530 §2).
    public static let contentDigest = known("Content-Digest")
    /// `Incremental` (draft-ietf-httpbis-incremental).
    public static let incremental = known("Incremental")
    static let keepAlive = known("Keep-Alive")
    /// `No-Vary-Search` (draft-ietf-httpbis-no-vary-search).
    public static let noVarySearch = known("No-Vary-Search")
    static let pragma = known("Pragma")
    static let proxyConnection = known("Proxy-Connection")
    /// `Repr-Digest` (RFC 9530 §3).
    public static let reprDigest = known("Repr-Digest")

    /// `CDN-Cache-Control`, the targeted field of content delivery networks (RFC 9213 §3.1).
    public static let cdnCacheControl = known("CDN-Cache-Control")
}
