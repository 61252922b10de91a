extension AuditRule {
    /// Rules about older versions of HTTP and about parameters of the query.
    static let ofTargets: [AuditRule] = [
        AuditRule(
            "chunks-for-1.0",
            .error,
            "Transfer-Encoding in the response to an HTTP/1.0 request",
            "RFC 9112 §6.1",
            "A server MUST NOT send a response containing Transfer-Encoding unless the corresponding request "
                + "indicates HTTP/1.1 (or later minor revisions)."
        ),
        AuditRule(
            "version-changes-policy",
            .warning,
            "different directives or a different Vary for HTTP/1.0",
            "RFC 9110 §5.1",
            "The interpretation of a field does not change between minor versions of the same major HTTP version"
        ),
        AuditRule(
            "no-vary-search-differs",
            .warning,
            "content that depends on a parameter that No-Vary-Search declares insignificant",
            "draft-ietf-httpbis-no-vary-search",
            "some or all parts of the query component do not semantically affect the served response"
        ),
        AuditRule(
            "campaign-parameters",
            .advice,
            "a copy in caches for each value of a parameter without effect",
            "draft-ietf-httpbis-no-vary-search",
            "the cached version will be ignored"
        ),
    ]
}
