/// A violation of one requirement of RFC 9110 §8.4 to §15.5 by a response.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Violation: String, Sendable, Hashable, CaseIterable {
    /// RFC 9110 §13.1.2: `If-None-Match` is ignored.
    case ignoresIfNoneMatch = "ignores-if-none-match"
    /// RFC 9110 §13.1.3: `If-Modified-Since` is ignored.
    case ignoresIfModifiedSince = "ignores-if-modified-since"
    /// RFC 9110 §13.1.1: `If-Match` is ignored.
    case ignoresIfMatch = "ignores-if-match"
    /// RFC 9110 §13.1.4: `If-Unmodified-Since` is ignored.
    case ignoresIfUnmodifiedSince = "ignores-if-unmodified-since"
    /// RFC 9110 §13.1.5: `If-Range` is ignored; the range is always sent.
    case ignoresIfRange = "ignores-if-range"
    /// RFC 9110 §14.2: `Range` is ignored although ranges are offered.
    case ignoresRange = "ignores-range"
    /// RFC 9110 §13.2.2: `If-Modified-Since` takes precedence over `If-None-Match`.
    case lastModifiedBeforeETag = "last-modified-before-etag"
    /// RFC 9110 §8.8.3.2: weak tags match where strong comparison is required.
    case weakAsStrong = "weak-as-strong"
    /// RFC 9110 §13.1.2: `If-None-Match` is compared strongly, so that weak tags never match.
    case strongForIfNoneMatch = "strong-for-if-none-match"
    /// RFC 9110 §13.1.2: only the first entity tag of a list is compared.
    case firstTagOnly = "first-tag-only"
    /// RFC 9110 §13.1.2: `*` is treated as an entity tag, which nothing matches.
    case starAsTag = "star-as-tag"
    /// RFC 9110 §13.1.3: a date later than the modification date does not match, only the same date does.
    case exactDateOnly = "exact-date-only"
    /// RFC 9110 §13.2.1: preconditions are evaluated for every status.
    case preconditionsOnErrors = "preconditions-on-errors"
    /// RFC 9110 §13.1.2: methods other than GET and HEAD are also answered 304.
    case notModifiedForEveryMethod = "304-for-every-method"
    /// RFC 9110 §15.4.5: a 304 has content.
    case notModifiedWithBody = "304-with-body"
    /// RFC 9110 §15.4.5: a 304 lacks the fields that a 200 would have.
    case notModifiedWithoutFields = "304-without-fields"
    /// RFC 9110 §15.4.5: a 304 has another entity tag than the one that matched.
    case notModifiedWithOtherETag = "304-with-other-etag"
    /// RFC 9110 §14.4: the positions in `Content-Range` are one too high.
    case wrongContentRange = "wrong-content-range"
    /// RFC 9110 §14.4: `Content-Range` has a wrong complete length.
    case wrongCompleteLength = "wrong-complete-length"
    /// RFC 9110 §15.3.7: a 206 lacks `Content-Range`.
    case partialWithoutContentRange = "206-without-content-range"
    /// RFC 9110 §14.2: the last byte of a range is omitted, although `Content-Range` includes it.
    case rangeEndExclusive = "range-end-exclusive"
    /// RFC 9110 §14.2: the response to a range has the status 200, but only that part of the content.
    case okForPartial = "200-for-partial"
    /// RFC 9110 §15.5.17: a 416 lacks the length.
    case unsatisfiableWithoutLength = "416-without-length"
    /// RFC 9110 §14.2: an unsatisfiable range is answered with an empty 206.
    case partialForUnsatisfiable = "206-for-unsatisfiable"
    /// RFC 9110 §12.5.5: neither the coded nor the plain response has `Vary`.
    case gzipWithoutVary = "gzip-without-vary"
    /// RFC 9110 §8.8.3.3: coded and plain content have the same strong entity tag.
    case sameETagForCodings = "same-etag-for-codings"
    /// RFC 9110 §12.5.3: content is coded although the coding was not accepted.
    case gzipUnasked = "gzip-unasked"
    /// RFC 9110 §8.4: coded content lacks `Content-Encoding`.
    case gzipUnlabelled = "gzip-unlabelled"
    /// RFC 9110 §8.8.3: the entity tag lacks its quotes.
    case unquotedETag = "unquoted-etag"
    /// RFC 9110 §8.8.2.1: the modification date is an hour after `Date`.
    case lastModifiedInFuture = "last-modified-in-future"
    /// RFC 9110 §9.3.2: a response to HEAD has content.
    case headWithBody = "head-with-body"
    /// RFC 9110 §9.3.2: a response to HEAD lacks the validators and the length of GET.
    case headWithoutFields = "head-without-fields"
}
