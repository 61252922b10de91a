/// A violation of one requirement of RFC 9110, in §8.4 to §15.5, by a response.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Violation: String, Sendable, Hashable, CaseIterable {
    /// §13.1.2: `If-None-Match` is ignored.
    case ignoresIfNoneMatch = "ignores-if-none-match"
    /// §13.1.3: `If-Modified-Since` is ignored.
    case ignoresIfModifiedSince = "ignores-if-modified-since"
    /// §13.1.1: `If-Match` is ignored.
    case ignoresIfMatch = "ignores-if-match"
    /// §13.1.4: `If-Unmodified-Since` is ignored.
    case ignoresIfUnmodifiedSince = "ignores-if-unmodified-since"
    /// §13.1.5: `If-Range` is ignored; the range is always sent.
    case ignoresIfRange = "ignores-if-range"
    /// §14.2: `Range` is ignored although ranges are offered.
    case ignoresRange = "ignores-range"
    /// §13.2.2: `If-Modified-Since` takes precedence over `If-None-Match`.
    case lastModifiedBeforeETag = "last-modified-before-etag"
    /// §8.8.3.2: weak tags match where strong comparison is required.
    case weakAsStrong = "weak-as-strong"
    /// §13.1.2: `If-None-Match` is compared strongly, so that weak tags never match.
    case strongForIfNoneMatch = "strong-for-if-none-match"
    /// §13.1.2: only the first entity tag of a list is compared.
    case firstTagOnly = "first-tag-only"
    /// §13.1.2: `*` is treated as an entity tag, which nothing matches.
    case starAsTag = "star-as-tag"
    /// §13.1.3: a date later than the modification date does not match, only the same date does.
    case exactDateOnly = "exact-date-only"
    /// §13.2.1: preconditions are evaluated for every status.
    case preconditionsOnErrors = "preconditions-on-errors"
    /// §13.1.2: methods other than GET and HEAD are also answered 304.
    case notModifiedForEveryMethod = "304-for-every-method"
    /// §15.4.5: a 304 has content.
    case notModifiedWithBody = "304-with-body"
    /// §15.4.5: a 304 lacks the fields that a 200 would have.
    case notModifiedWithoutFields = "304-without-fields"
    /// §15.4.5: a 304 has another entity tag than the one that matched.
    case notModifiedWithOtherETag = "304-with-other-etag"
    /// §14.4: the positions in `Content-Range` are one too high.
    case wrongContentRange = "wrong-content-range"
    /// §14.4: `Content-Range` has a wrong complete length.
    case wrongCompleteLength = "wrong-complete-length"
    /// §15.3.7: a 206 lacks `Content-Range`.
    case partialWithoutContentRange = "206-without-content-range"
    /// §14.2: the last byte of a range is omitted, although `Content-Range` includes it.
    case rangeEndExclusive = "range-end-exclusive"
    /// §14.2: the response to a range has the status 200, but only that part of the content.
    case okForPartial = "200-for-partial"
    /// §15.5.17: a 416 lacks the length.
    case unsatisfiableWithoutLength = "416-without-length"
    /// §14.2: an unsatisfiable range is answered with an empty 206.
    case partialForUnsatisfiable = "206-for-unsatisfiable"
    /// §12.5.5: neither the coded nor the plain response has `Vary`.
    case gzipWithoutVary = "gzip-without-vary"
    /// §8.8.3.3: coded and plain content have the same strong entity tag.
    case sameETagForCodings = "same-etag-for-codings"
    /// §12.5.3: content is coded although the coding was not accepted.
    case gzipUnasked = "gzip-unasked"
    /// §8.4: coded content lacks `Content-Encoding`.
    case gzipUnlabelled = "gzip-unlabelled"
    /// §8.8.3: the entity tag lacks its quotes.
    case unquotedETag = "unquoted-etag"
    /// §8.8.2.1: the modification date is an hour after `Date`.
    case lastModifiedInFuture = "last-modified-in-future"
    /// §9.3.2: a response to HEAD has content.
    case headWithBody = "head-with-body"
    /// §9.3.2: a response to HEAD lacks the validators and the length of GET.
    case headWithoutFields = "head-without-fields"
}
