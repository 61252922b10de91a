extension AuditRule {
    /// Rules that need separate requests; the sentences are those of the sections.
    static let ofProbes = ofRepeats + ofConditions + ofRanges + ofContent + ofTargets

    private static let ofRepeats: [AuditRule] = [
        AuditRule(
            "same-etag-other-content",
            .error,
            "a strong entity tag that stays the same while the content changes",
            "RFC 9110 §8.8.1",
            "A strong validator is representation metadata that changes value whenever a change occurs to the "
                + "representation data"
        ).unstored(.warning),
        AuditRule(
            "same-date-other-content",
            .warning,
            "a Last-Modified that stays the same while the content changes",
            "RFC 9110 §8.8.2.1"
        ).unstored(.advice),
        AuditRule(
            "other-etag-same-content",
            .warning,
            "an entity tag that changes while the content stays the same",
            "RFC 9110 §8.8.1",
            "it is in the best interests of the origin server to only change the value when it is necessary"
        ).unstored(.advice),
        AuditRule(
            "origins-disagree",
            .warning,
            "different directives for identical requests",
            "RFC 9111 §5.2"
        ),
        AuditRule(
            "hit-without-age",
            .warning,
            "a stored response without Age",
            "RFC 9111 §4",
            "When a stored response is used to satisfy a request without validation, a cache MUST generate an "
                + "Age header field"
        ).unstored(.advice),
    ]

    private static let ofConditions: [AuditRule] = [
        AuditRule(
            "condition-refused",
            .error,
            "an error for a conditional request",
            "RFC 9110 §13.2.2",
            "if false for GET/HEAD, respond 304 (Not Modified)"
        ).unstored(.warning),
        AuditRule(
            "etag-not-validated",
            .warning,
            "If-None-Match with the current tag gets no 304",
            "RFC 9110 §13.1.2",
            "the origin server MUST respond with either a) the 304 (Not Modified) status code if the request "
                + "method is GET or HEAD"
        ).unstored(.advice),
        AuditRule(
            "weak-comparison",
            .warning,
            "If-None-Match compared strongly",
            "RFC 9110 §13.1.2",
            "A recipient MUST use the weak comparison function when comparing entity tags for If-None-Match"
        ).unstored(.advice),
        AuditRule(
            "etag-list",
            .warning,
            "only the first of several tags is compared",
            "RFC 9110 §13.1.2",
            "the condition is false if one of the listed tags matches the entity tag of the selected "
                + "representation."
        ).unstored(.advice),
        AuditRule(
            "etag-star",
            .advice,
            "If-None-Match: * gets no 304",
            "RFC 9110 §13.1.2",
            "the condition is false if the origin server has a current representation for the target resource."
        ).unstored(.advice),
        AuditRule(
            "304-for-other-etag",
            .error,
            "a 304 for a tag that is not the current one",
            "RFC 9110 §13.1.2",
            "If the field value is a list of entity tags, the condition is false if one of the listed tags "
                + "matches"
        ).unstored(.warning),
        AuditRule(
            "date-before-etag",
            .error,
            "If-Modified-Since is evaluated despite If-None-Match",
            "RFC 9110 §13.1.3",
            "A recipient MUST ignore If-Modified-Since if the request contains an If-None-Match header field"
        ).unstored(.warning),
        AuditRule(
            "date-not-validated",
            .warning,
            "If-Modified-Since with the current date gets no 304",
            "RFC 9110 §13.1.3",
            "An origin server that evaluates an If-Modified-Since condition SHOULD NOT perform the requested "
                + "method if the condition evaluates to false"
        ).unstored(.advice),
        AuditRule(
            "304-for-older-date",
            .error,
            "a 304 for a date before the modification",
            "RFC 9110 §13.1.3",
            "If the selected representation's last modification date is earlier or equal to the date provided "
                + "in the field value, the condition is false."
        ).unstored(.warning),
        AuditRule(
            "304-lacks-fields",
            .warning,
            "a 304 without fields of the 200",
            "RFC 9110 §15.4.5",
            "MUST generate any of the following header fields that would have been sent in a 200 (OK) response "
                + "to the same request"
        ).unstored(.advice),
        AuditRule(
            "304-other-etag",
            .warning,
            "a 304 with an entity tag other than that of the 200",
            "RFC 9111 §4.3.4",
            "then the cache MUST NOT use the new response to update any stored responses."
        ).unstored(.advice),
        AuditRule(
            "304-differs",
            .warning,
            "a 304 whose fields contradict the 200",
            "RFC 9110 §15.4.5",
            "MUST generate any of the following header fields that would have been sent in a 200 (OK) response "
                + "to the same request"
        ).unstored(.advice),
        AuditRule(
            "304-cookie",
            .error,
            "a cookie that a 304 adds to a shared response",
            "RFC 9111 §3.2",
            "the cache MUST add each header field in the provided response to the stored response"
        ),
    ]

    private static let ofRanges: [AuditRule] = [
        AuditRule(
            "range-refused",
            .warning,
            "an error for a range that the content has",
            "RFC 9110 §14.2",
            "A server MAY ignore the Range header field."
        ),
        AuditRule(
            "wrong-range",
            .error,
            "a 206 with bytes other than those requested",
            "RFC 9110 §15.3.7.1",
            "a Content-Range header field, describing what range of the selected representation is enclosed, "
                + "and a content consisting of the range."
        ),
        AuditRule(
            "range-ignored",
            .advice,
            "ranges that are advertised but not served",
            "RFC 9110 §14.3",
            "to indicate that it supports byte range requests for that target resource"
        ),
        AuditRule(
            "206-lacks-fields",
            .warning,
            "a 206 without fields of the 200",
            "RFC 9110 §15.3.7",
            "Date, Cache-Control, ETag, Expires, Content-Location, and Vary."
        ).unstored(.advice),
        AuditRule(
            "206-differs",
            .warning,
            "a 206 whose fields contradict the 200",
            "RFC 9110 §15.3.7",
            "if the field would have been sent in a 200 (OK) response to the same request: Date, Cache-Control, "
                + "ETag, Expires, Content-Location, and Vary."
        ).unstored(.advice),
        AuditRule(
            "if-range-ignored",
            .error,
            "a part of a representation other than the one that If-Range names",
            "RFC 9110 §13.1.5",
            "A recipient of an If-Range header field MUST ignore the Range header field if the If-Range "
                + "condition evaluates to false."
        ),
        AuditRule(
            "if-range-refused",
            .advice,
            "the whole representation although If-Range holds",
            "RFC 9110 §13.1.5",
            "Otherwise, the recipient SHOULD process the Range header field as requested."
        ),
        AuditRule(
            "weak-if-range",
            .warning,
            "a weak tag that makes If-Range hold",
            "RFC 9110 §13.1.5",
            "exactly matches the ETag field value for the selected representation using the strong comparison "
                + "function"
        ),
        AuditRule(
            "unsatisfiable-range",
            .warning,
            "an unsatisfiable range that does not get a 416",
            "RFC 9110 §14.2",
            "the ranges-specifier is unsatisfiable with respect to the selected representation, the server SHOULD "
                + "send a 416 (Range Not Satisfiable) response."
        ),
        AuditRule(
            "416-lacks-length",
            .advice,
            "a 416 without the length",
            "RFC 9110 §15.5.17",
            "A server that generates a 416 response to a byte-range request SHOULD generate a Content-Range "
                + "header field"
        ),
    ]

    private static let ofContent: [AuditRule] = [
        AuditRule(
            "uncoded-without-vary",
            .warning,
            "an uncoded variant without the Vary of the coded one",
            "RFC 9110 §12.5.5",
            "An origin server SHOULD generate a Vary header field on a cacheable response when it wishes that "
                + "response to be selectively reused"
        ),
        AuditRule(
            "language-without-vary",
            .error,
            "a language that the request chooses without Vary",
            "RFC 9110 §12.5.5",
            "An origin server SHOULD generate a Vary header field on a cacheable response when it wishes that "
                + "response to be selectively reused"
        ),
        AuditRule(
            "coding-refused",
            .error,
            "coded content for a request that accepts none",
            "RFC 9110 §12.5.3",
            "the origin server SHOULD send a response without any content coding unless the identity coding is "
                + "indicated as unacceptable."
        ),
        AuditRule(
            "same-etag-for-codings",
            .error,
            "one strong tag for several content codings",
            "RFC 9110 §8.8.3.3",
            "Content codings are a property of the representation data, so a strong entity tag"
        ).unstored(.warning),
        AuditRule(
            "codings-differ",
            .error,
            "content that depends on its coding",
            "RFC 9110 §8.4.1",
            "without loss of information"
        ),
        AuditRule("coding-larger", .advice, "content that its coding makes larger", "RFC 9110 §8.4.1"),
        AuditRule(
            "undecodable-content",
            .error,
            "content that is not what its coding produces",
            "RFC 9110 §8.4",
            "the sender that applied the encodings MUST generate a Content-Encoding header field that lists the "
                + "content codings in the order in which they were applied"
        ),
        AuditRule(
            "head-differs",
            .warning,
            "fields of HEAD that differ from those of GET",
            "RFC 9110 §9.3.2",
            "The server SHOULD send the same header fields in response to a HEAD request as it would have sent"
        ),
        AuditRule(
            "head-refused",
            .warning,
            "HEAD is refused",
            "RFC 9110 §9.1",
            "All general-purpose servers MUST support the methods GET and HEAD."
        ),
        AuditRule(
            "unkeyed-field",
            .error,
            "a shared response that depends on a field outside Vary",
            "RFC 9110 §12.5.5",
            "Vary expands the cache key required to match a new request to the stored cache entry."
        ),
        AuditRule(
            "origin-without-vary",
            .error,
            "a reflected Origin without Vary",
            "RFC 9110 §12.5.5",
            "An origin server SHOULD generate a Vary header field on a cacheable response when it wishes that "
                + "response to be selectively reused"
        ),
    ]
}
