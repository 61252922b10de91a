/// One right behaviour of RFC 9110 §8 and §12–15 that an answer breaks on purpose: what clients must survive.
public enum Violation: String, Sendable, Hashable, CaseIterable {
    /// §13.1.2: `If-None-Match` is not looked at.
    case ignoresIfNoneMatch = "ignores-if-none-match"
    /// §13.1.3: `If-Modified-Since` is not looked at.
    case ignoresIfModifiedSince = "ignores-if-modified-since"
    /// §13.1.1: `If-Match` is not looked at.
    case ignoresIfMatch = "ignores-if-match"
    /// §13.1.4: `If-Unmodified-Since` is not looked at.
    case ignoresIfUnmodifiedSince = "ignores-if-unmodified-since"
    /// §13.1.5: `If-Range` is not looked at, the range is always sent.
    case ignoresIfRange = "ignores-if-range"
    /// §14.2: `Range` is not looked at although ranges are offered.
    case ignoresRange = "ignores-range"
    /// §13.2.2: a modification date is asked although there is an entity tag.
    case lastModifiedBeforeETag = "last-modified-before-etag"
    /// §8.8.3.2: where strong comparison is asked for, weak tags match.
    case weakAsStrong = "weak-as-strong"
    /// §13.1.2: `If-None-Match` is compared strongly, so that weak tags never match.
    case strongForIfNoneMatch = "strong-for-if-none-match"
    /// §13.1.2: of a list only the first entity tag counts.
    case firstTagOnly = "first-tag-only"
    /// §13.1.2: `*` is taken for an entity tag, which nothing matches.
    case starAsTag = "star-as-tag"
    /// §13.1.3: only the same date is not modified, a later one is.
    case exactDateOnly = "exact-date-only"
    /// §13.2.1: preconditions count whatever the status would be.
    case preconditionsOnErrors = "preconditions-on-errors"
    /// §13.1.2: methods other than GET and HEAD are answered 304 as well.
    case notModifiedForEveryMethod = "304-for-every-method"
    /// §15.4.5: a 304 comes with content.
    case notModifiedWithBody = "304-with-body"
    /// §15.4.5: a 304 comes without the fields that a 200 would have.
    case notModifiedWithoutFields = "304-without-fields"
    /// §15.4.5: a 304 names another entity tag than the one that matched.
    case notModifiedWithOtherETag = "304-with-other-etag"
    /// §14.4: `Content-Range` names bytes one further on than those that are sent.
    case wrongContentRange = "wrong-content-range"
    /// §14.4: `Content-Range` names another complete length.
    case wrongCompleteLength = "wrong-complete-length"
    /// §15.3.7: a 206 comes without `Content-Range`.
    case partialWithoutContentRange = "206-without-content-range"
    /// §14.2: the last byte of a range is left out, although `Content-Range` names it.
    case rangeEndExclusive = "range-end-exclusive"
    /// §14.2: the answer to a range has the status 200, though with its part of the content.
    case okForPartial = "200-for-partial"
    /// §15.5.17: what cannot be satisfied is answered 416 without the length.
    case unsatisfiableWithoutLength = "416-without-length"
    /// §14.2: what cannot be satisfied is answered with an empty 206.
    case partialForUnsatisfiable = "206-for-unsatisfiable"
    /// §12.5.5: coded and plain content come without `Vary`.
    case gzipWithoutVary = "gzip-without-vary"
    /// §8.8.3.3: coded and plain content have one strong entity tag.
    case sameETagForCodings = "same-etag-for-codings"
    /// §12.5.3: content is coded although that was not accepted.
    case gzipUnasked = "gzip-unasked"
    /// §8.4: coded content comes without `Content-Encoding`.
    case gzipUnlabelled = "gzip-unlabelled"
    /// §8.8.3: the entity tag comes without its quotes.
    case unquotedETag = "unquoted-etag"
    /// §8.8.2.1: the modification date lies an hour after `Date`.
    case lastModifiedInFuture = "last-modified-in-future"
    /// §9.3.2: HEAD is answered with content.
    case headWithBody = "head-with-body"
    /// §9.3.2: HEAD is answered without the validators and the length of GET.
    case headWithoutFields = "head-without-fields"
}
