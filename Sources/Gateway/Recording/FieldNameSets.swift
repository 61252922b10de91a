import HTTPServing

/// Sets of fields with special treatment in recordings.
enum FieldNameSets {
    /// Hop-by-hop fields (RFC 9110 §7.6.1), in lower case.
    static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "http2-settings", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// Preconditions and ranges, on which responses depend regardless of `Vary` (RFC 9110 §13.1 and §14.2).
    static let conditions = [
        FieldName.ifMatch, FieldName.ifNoneMatch, FieldName.ifModifiedSince, FieldName.ifUnmodifiedSince,
        FieldName.ifRange, FieldName.range,
    ]
}
