extension Violation {
    /// The violation's row of the table; the section of RFC 9110 is in place of values.
    package var row: ReferenceRow {
        let (section, summary) = requirement
        return ReferenceRow(
            rawValue,
            takes: ValueForm(section),
            summary,
            example: "{violations: \(rawValue)}"
        )
    }

    /// The section of RFC 9110 that is violated, and how.
    private var requirement: (section: String, summary: String) {
        switch self {
        case .ignoresIfNoneMatch: ("13.1.2", "`If-None-Match` is ignored")
        case .ignoresIfModifiedSince: ("13.1.3", "`If-Modified-Since` is ignored")
        case .ignoresIfMatch: ("13.1.1", "`If-Match` is ignored")
        case .ignoresIfUnmodifiedSince: ("13.1.4", "`If-Unmodified-Since` is ignored")
        case .ignoresIfRange: ("13.1.5", "`If-Range` is ignored; the range is always sent")
        case .ignoresRange: ("14.2", "`Range` is ignored although ranges are offered")
        case .lastModifiedBeforeETag: ("13.2.2", "`If-Modified-Since` takes precedence over `If-None-Match`")
        case .weakAsStrong: ("8.8.3.2", "weak tags match where strong comparison is required")
        case .strongForIfNoneMatch:
            ("13.1.2", "`If-None-Match` is compared strongly, so that weak tags never match")
        case .firstTagOnly: ("13.1.2", "only the first entity tag of a list is compared")
        case .starAsTag: ("13.1.2", "`*` is treated as an entity tag, which nothing matches")
        case .exactDateOnly:
            ("13.1.3", "a date later than the modification date does not match, only the same date does")
        case .preconditionsOnErrors: ("13.2.1", "preconditions are evaluated for every status")
        case .notModifiedForEveryMethod: ("13.1.2", "methods other than GET and HEAD are also answered 304")
        case .notModifiedWithBody: ("15.4.5", "a 304 has content")
        case .notModifiedWithoutFields: ("15.4.5", "a 304 lacks the fields that a 200 would have")
        case .notModifiedWithOtherETag: ("15.4.5", "a 304 has another entity tag than the one that matched")
        case .wrongContentRange: ("14.4", "the positions in `Content-Range` are one too high")
        case .wrongCompleteLength: ("14.4", "`Content-Range` has a wrong complete length")
        case .partialWithoutContentRange: ("15.3.7", "a 206 lacks `Content-Range`")
        case .rangeEndExclusive:
            ("14.2", "the last byte of a range is omitted, although `Content-Range` includes it")
        case .okForPartial:
            ("14.2", "the response to a range has the status 200, but only that part of the content")
        case .unsatisfiableWithoutLength: ("15.5.17", "a 416 lacks the length")
        case .partialForUnsatisfiable: ("14.2", "an unsatisfiable range is answered with an empty 206")
        case .gzipWithoutVary: ("12.5.5", "neither the coded nor the plain response has `Vary`")
        case .sameETagForCodings: ("8.8.3.3", "coded and plain content have the same strong entity tag")
        case .gzipUnasked: ("12.5.3", "content is coded although the coding was not accepted")
        case .gzipUnlabelled: ("8.4", "coded content lacks `Content-Encoding`")
        case .unquotedETag: ("8.8.3", "the entity tag lacks its quotes")
        case .lastModifiedInFuture: ("8.8.2.1", "the modification date is an hour after `Date`")
        case .headWithBody: ("9.3.2", "a response to HEAD has content")
        case .headWithoutFields: ("9.3.2", "a response to HEAD lacks the validators and the length of GET")
        }
    }
}
