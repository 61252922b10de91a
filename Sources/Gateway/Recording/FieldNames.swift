import HTTPServing

/// Sets of fields that recording treats in its own way.
enum FieldNames {
    /// What belongs to one connection (RFC 9110 §7.6.1), in lower case.
    static let hopByHop: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "http2-settings", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// What makes a request one for other answers, whatever `Vary` says (RFC 9110 §13.1 and §14.2).
    static let conditions = [
        FieldName.ifMatch, FieldName.ifNoneMatch, FieldName.ifModifiedSince, FieldName.ifUnmodifiedSince,
        FieldName.ifRange, FieldName.range,
    ]
}
