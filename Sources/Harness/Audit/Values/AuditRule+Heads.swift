extension AuditRule {
    /// Rules about one head, which `cachecheck explain` reports, too.
    static let ofHeads: [AuditRule] = [
        // Other users' data, or content that a client cannot use.
        AuditRule("shared-cookie", .error, "a cookie in a response that is shared", "RFC 9111 §7.3"),
        AuditRule("coding-without-vary", .error, "coded content without Vary", "RFC 9110 §12.5.5"),
        AuditRule("dictionary-without-vary", .error, "a dictionary coding without Vary", "RFC 9842 §6.2"),
        // No effect, or another one than it seems.
        AuditRule("arrives-stale", .warning, "a response that is stale on arrival", "RFC 9111 §4.2.3"),
        AuditRule("broken-directive", .warning, "a malformed directive", "RFC 9111 §5.2"),
        AuditRule("broken-etag", .warning, "an ETag that is not an entity tag", "RFC 9110 §8.8.3"),
        AuditRule("broken-vary", .warning, "a Vary that no request matches", "RFC 9110 §12.5.5"),
        AuditRule(
            "dictionary-not-stored",
            .warning,
            "a dictionary that is not kept",
            "RFC 9842 §2.2.1",
            "the dictionary resource MUST be either fresh [HTTP-CACHING] or allowed to be served stale"
        ),
        AuditRule(
            "earlier-no-vary-search",
            .warning,
            "a No-Vary-Search of earlier drafts",
            "draft-ietf-httpbis-no-vary-search §4.1"
        ),
        AuditRule("group-invalidation-of-safe", .warning, "an invalidation by a safe method", "RFC 9875 §3"),
        AuditRule("invalid-age", .warning, "an Age that is not a number", "RFC 9111 §5.1"),
        AuditRule("invalid-seconds", .warning, "a lifetime that is not a number", "RFC 9111 §1.2.2"),
        AuditRule("invalid-status", .warning, "a status code out of range", "RFC 9110 §15"),
        AuditRule("missing-member", .warning, "a field without a required member", "RFC 9842 §2.1"),
        AuditRule("misspelt-directive", .warning, "a misspelt directive", "RFC 9111 §5.2.3"),
        AuditRule("mistyped-member", .warning, "a member of another type", "RFC 9213 §2.1"),
        AuditRule("modified-in-future", .warning, "a Last-Modified in the future", "RFC 9110 §8.8.2.1"),
        AuditRule("must-revalidate-and-stale", .warning, "stale use that is forbidden", "RFC 9111 §5.2.2.2"),
        AuditRule(
            "no-store-and-lifetime",
            .warning,
            "no-store with ineffective directives",
            "RFC 9111 §5.2.2.5"
        ),
        AuditRule("private-and-s-maxage", .warning, "private with s-maxage", "RFC 9111 §5.2.2.10"),
        AuditRule("proxy-revalidate-and-stale", .warning, "stale use that is forbidden", "RFC 9111 §5.2.2.8"),
        AuditRule("public-and-private", .warning, "public with private", "RFC 9111 §4.2.1"),
        AuditRule("quoted-directive", .warning, "a quoted directive", "RFC 9111 §5.2"),
        AuditRule("quoted-seconds", .warning, "a lifetime in quotes", "RFC 9111 §5.2.2.1"),
        AuditRule("repeated-directive", .warning, "a directive with two values", "RFC 9111 §4.2.1"),
        AuditRule("repeated-field", .warning, "a single-valued field with several lines", "RFC 9110 §5.3"),
        AuditRule("s-maxage-and-stale", .warning, "stale use that is forbidden", "RFC 9111 §5.2.2.10"),
        AuditRule("several-expires", .warning, "several Expires", "RFC 9111 §4.2.1"),
        AuditRule("unclosed-quote", .warning, "a quote that is not closed", "RFC 9110 §5.6.4"),
        AuditRule("unparsable-field", .warning, "a structured field that does not parse", "RFC 9651 §4.2"),
        AuditRule("unquoted-etag", .warning, "an ETag without quotes", "RFC 9110 §8.8.3"),
        AuditRule("unreadable-date", .warning, "a date that cannot be read", "RFC 9110 §5.6.7"),
        AuditRule("vary-star", .warning, "Vary: *", "RFC 9111 §4.1"),
        // Costs, and doubtful choices.
        AuditRule("digest-of-nothing", .advice, "Content-Digest in a 304", "RFC 9530 §2"),
        AuditRule("expired-at-once", .advice, "an Expires that is not later than Date", "RFC 9111 §4.2.1"),
        AuditRule("expires-and-max-age", .advice, "Expires and max-age that differ", "RFC 9111 §5.3"),
        AuditRule("expires-is-no-date", .advice, "an Expires that is not a date", "RFC 9111 §5.3"),
        AuditRule("heuristic-lifetime", .advice, "a heuristic freshness lifetime", "RFC 9111 §4.2.2"),
        AuditRule("immutable-but-short", .advice, "immutable with a short lifetime", "RFC 8246 §2"),
        AuditRule(
            "no-cache-and-lifetime",
            .advice,
            "no-cache with ineffective directives",
            "RFC 9111 §5.2.2.4"
        ),
        AuditRule("no-date", .advice, "no Date", "RFC 9110 §6.6.1"),
        AuditRule("no-lifetime", .advice, "no freshness lifetime", "RFC 9111 §4.2.1"),
        AuditRule("no-validator", .advice, "no validator", "RFC 9111 §4.3.1"),
        AuditRule("obsolete-date", .advice, "an obsolete form of date", "RFC 9110 §5.6.7"),
        AuditRule("obsolete-directive", .advice, "an obsolete directive", "RFC 9111 §5.2.3"),
        AuditRule("pragma-in-response", .advice, "Pragma in a response", "RFC 9111 §5.4"),
        AuditRule("public-with-authorization", .advice, "shared responses to credentials", "RFC 9111 §3.5"),
        AuditRule("request-directive", .advice, "a directive of requests", "RFC 9111 §5.2.1"),
        AuditRule("several-ages", .advice, "several Age values", "RFC 9111 §5.1"),
        AuditRule("unknown-status", .advice, "an unknown status code", "RFC 9110 §15"),
        AuditRule("unquoted-field-list", .advice, "a field list without quotes", "RFC 9111 §5.2.2.4"),
        AuditRule("vary-many", .advice, "a Vary with many fields", "RFC 9111 §4.1"),
        AuditRule("vary-scatters", .advice, "a Vary that prevents sharing", "RFC 9111 §4.1"),
        AuditRule("wrong-weekday", .advice, "a date with the wrong day of the week", "RFC 9110 §5.6.7"),
        AuditRule("weak-etag-and-ranges", .advice, "a weak tag with ranges", "RFC 9110 §13.1.5"),
    ]

    /// Rules about one head and its URL, which only an audit reports.
    static let ofSites: [AuditRule] = [
        AuditRule(
            "unrequested-status",
            .error,
            "a 206 or 304 that the request does not ask for",
            "RFC 9110 §15.3.7",
            "indicates that the server is successfully fulfilling a range request for the target resource by "
                + "transferring one or more parts of the selected representation."
        ),
        AuditRule("long-lived-error", .warning, "an error that is stored for a long time", "RFC 9111 §4.2"),
        AuditRule("long-lived-page", .warning, "a page that cannot be updated", "RFC 9111 §4.2"),
        AuditRule(
            "missing-page-kept",
            .warning,
            "a missing page that is a stored success",
            "RFC 9110 §15.5.5"
        ),
        AuditRule(
            "misspelt-field",
            .warning,
            "a misspelt caching field",
            "RFC 9110 §5.1",
            "Other recipients SHOULD ignore unrecognized header and trailer fields."
        ),
        AuditRule(
            "must-understand-alone",
            .warning,
            "must-understand without no-store",
            "RFC 9111 §5.2.2.3",
            "A response that contains the must-understand directive SHOULD also contain the no-store directive."
        ),
        AuditRule(
            "clock-skew",
            .warning,
            "a clock that is wrong",
            "RFC 9110 §6.6.1",
            "the date ought to represent the moment just before generating the message content."
        ),
        AuditRule(
            "immutable-name",
            .advice,
            "immutable under a name that may be reused",
            "RFC 8246 §2",
            "the immutable Cache-Control extension indicates that the origin server will not update the "
                + "representation of that resource during the freshness lifetime of the response."
        ),
        AuditRule("short-lived-asset", .advice, "a short lifetime under a unique name", "RFC 9111 §4.2"),
        AuditRule("no-store-page", .advice, "no-store on a page", "RFC 9111 §5.2.2.5"),
        AuditRule(
            "permanent-redirect",
            .advice,
            "a permanent redirect without lifetime",
            "RFC 9110 §15.4.2",
            "A 301 response is heuristically cacheable"
        ),
    ]
}
