extension AuditRule {
    /// Rules about what caches have done, in archives.
    static let ofRecorded: [AuditRule] = [
        AuditRule(
            "unstorable-reuse",
            .error,
            "a cache that used a response that it must not store",
            "RFC 9111 §3",
            "A cache MUST NOT store a response to a request unless"
        ),
        AuditRule(
            "other-variant-reuse",
            .error,
            "a cache that used the response to another request",
            "RFC 9111 §4.1",
            "the cache MUST NOT use that stored response without revalidation unless all the presented request "
                + "header fields nominated by that Vary field value match"
        ),
        AuditRule(
            "unvalidated-reuse",
            .warning,
            "a cache that did not validate",
            "RFC 9111 §5.2.2.4",
            "the response MUST NOT be used to satisfy any other request without forwarding it for validation"
        ),
        AuditRule(
            "stale-reuse",
            .warning,
            "a cache that used a stale response",
            "RFC 9111 §4.2.4",
            "A cache MUST NOT generate a stale response unless it is disconnected or doing so is explicitly permitted"
        ),
        AuditRule(
            "invalidated-reuse",
            .warning,
            "a cache that used an invalidated response",
            "RFC 9111 §4.4",
            "A cache MUST invalidate the target URI when it receives a non-error status code in response to an "
                + "unsafe request method"
        ),
        AuditRule("missed-reuse", .advice, "a transfer that a cache could have saved", "RFC 9111 §4"),
        AuditRule("missed-validation", .advice, "a transfer instead of a validation", "RFC 9111 §4.3.1"),
    ]
}
