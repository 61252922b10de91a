/// A requirement that the engine or the client implements, with a stable identifier.
///
/// The raw value is the identifier: specification, section, keywords. `sentence` has the requirement.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Rule: String, Sendable, Hashable, CaseIterable {
    // RFC 9111 §1.2.2
    case deltaSecondsOverflow = "rfc9111.1.2.2.overflow"
    case deltaSecondsDigitsOnly = "rfc9111.1.2.2.digits-only"

    // RFC 9111 §2
    case keyHasMethodAndTarget = "rfc9111.2.key"
    case keyHasCredentials = "rfc9111.2.credentials"
    case credentialsUnreadable = "rfc9111.2.credentials-unreadable"

    // RFC 9111 §3
    case storeMethodUnderstood = "rfc9111.3.method-understood"
    case storeFinalStatus = "rfc9111.3.final-status"
    case storeStatusUnderstood = "rfc9111.3.status-understood"
    case storeNotForbidden = "rfc9111.3.no-store"
    case storeNotPrivateInShared = "rfc9111.3.private-in-shared"
    case storeExplicitOrHeuristic = "rfc9111.3.explicit-or-heuristic"
    case storeExplicitAnyStatus = "rfc9111.3.explicit-any-status"
    case storeReplacesOlder = "rfc9111.3.replaces"

    // RFC 9111 §3.1
    case storeAllFields = "rfc9111.3.1.all-fields"
    case dropConnectionFields = "rfc9111.3.1.connection-listed"
    case dropHopByHopFields = "rfc9111.3.1.hop-by-hop"
    case dropProxyFields = "rfc9111.3.1.proxy-fields"
    case dropNoCacheFields = "rfc9111.3.1.no-cache-fields"
    case dropPrivateFields = "rfc9111.3.1.private-fields"
    case trailersApart = "rfc9111.3.1.trailers-apart"

    // RFC 9111 §3.2
    case updateReplacesFields = "rfc9111.3.2.replaces-fields"
    case updateKeepsOtherFields = "rfc9111.3.2.keeps-others"
    case updateKeepsContentLength = "rfc9111.3.2.content-length"
    case updateSkipsUnstoredFields = "rfc9111.3.2.unstored-fields"
    case updateKeepsContentFraming = "rfc9111.3.2.content-coding"

    // RFC 9111 §3.3
    case incompleteNotComplete = "rfc9111.3.3.incomplete-not-complete"
    case partialNotStored = "rfc9111.3.3.partial-not-stored"
    case partialStored = "rfc9111.3.3.partial-stored"
    case incompleteCompleted = "rfc9111.3.3.completed-by-range"
    case partialServed = "rfc9111.3.3.range-from-stored"

    // RFC 9111 §3.4
    case partsCombined = "rfc9111.3.4.combined"

    // RFC 9111 §3.5
    case authorizationInShared = "rfc9111.3.5.authorization"
    case authorizationAllowed = "rfc9111.3.5.allowed"

    // RFC 9111 §4
    case reuseSameTarget = "rfc9111.4.target-uri"
    case reuseMethodAllows = "rfc9111.4.method"
    case reuseNoCacheValidated = "rfc9111.4.no-cache"
    case reuseFreshOrAllowed = "rfc9111.4.fresh-or-allowed"
    case reuseSetsAge = "rfc9111.4.age-field"
    case writeThrough = "rfc9111.4.write-through"
    case mostRecentSelected = "rfc9111.4.most-recent"
    case collapsedForwarding = "rfc9111.4.collapsed"

    // RFC 9111 §4.1
    case varyMatches = "rfc9111.4.1.match"
    case varyStarNeverMatches = "rfc9111.4.1.star"
    case varyAbsentMatchesAbsent = "rfc9111.4.1.absent"
    case varyLinesCombined = "rfc9111.4.1.lines-combined"
    case varyWhitespaceNormalised = "rfc9111.4.1.whitespace"
    case varyNameCase = "rfc9111.4.1.name-case"
    case variantsSideBySide = "rfc9111.4.1.side-by-side"
    case varyPreferredOverNone = "rfc9111.4.1.vary-over-none"
    case varyPreferences = "rfc9111.4.1.preferences"
    case varyQuality = "rfc9111.4.1.quality"
    case variantAlias = "rfc9111.4.1.alias"
    case languageChosen = "rfc9111.4.1.content-language"

    // RFC 9111 §4.2
    case freshWhileLifetimeExceedsAge = "rfc9111.4.2.fresh"
    case expiryDateCase = "rfc9111.4.2.date-case"
    case expiryDateZone = "rfc9111.4.2.date-zone"

    // RFC 9111 §4.2.1
    case lifetimeSharedMaxAge = "rfc9111.4.2.1.s-maxage"
    case lifetimeSharedMaxAgePrivate = "rfc9111.4.2.1.s-maxage-private"
    case lifetimeMaxAge = "rfc9111.4.2.1.max-age"
    case lifetimeExpires = "rfc9111.4.2.1.expires"
    case lifetimeConflict = "rfc9111.4.2.1.conflict"
    case lifetimeInvalid = "rfc9111.4.2.1.invalid"
    case lifetimeMostRestrictive = "rfc9111.4.2.1.most-restrictive"

    // RFC 9111 §4.2.2
    case heuristicOnlyWithoutExplicit = "rfc9111.4.2.2.no-explicit"
    case heuristicStatus = "rfc9111.4.2.2.status"
    case heuristicTenPercent = "rfc9111.4.2.2.ten-percent"
    case heuristicLimited = "rfc9111.4.2.2.limit"

    // RFC 9111 §4.2.3
    case ageApparent = "rfc9111.4.2.3.apparent"
    case ageCorrected = "rfc9111.4.2.3.corrected"
    case ageLarger = "rfc9111.4.2.3.larger"
    case ageResident = "rfc9111.4.2.3.resident"

    // RFC 9111 §4.2.4
    case staleForbidden = "rfc9111.4.2.4.forbidden"
    case staleOnlyAllowed = "rfc9111.4.2.4.allowed"
    case staleDisconnected = "rfc9111.4.2.4.disconnected"

    // RFC 9111 §4.3.1
    case conditionEntityTag = "rfc9111.4.3.1.entity-tag"
    case conditionLastModified = "rfc9111.4.3.1.last-modified"
    case conditionSeveralTags = "rfc9111.4.3.1.several-tags"
    case conditionNone = "rfc9111.4.3.1.no-validator"
    case conditionKeepsRequest = "rfc9111.4.3.1.keeps-request"
    case conditionPartial = "rfc9111.4.3.1.range"

    // RFC 9111 §4.3.2
    case callerConditionForwarded = "rfc9111.4.3.2.forwarded"
    case originOnlyConditions = "rfc9111.4.3.2.origin-only"
    case callerIfNoneMatch = "rfc9111.4.3.2.if-none-match"
    case callerIfModifiedSince = "rfc9111.4.3.2.if-modified-since"
    case callerIfRange = "rfc9111.4.3.2.if-range"
    case callerTagsJoined = "rfc9111.4.3.2.union"
    case callerTagOther = "rfc9111.4.3.2.other-tag"
    case partialTagApart = "rfc9111.4.3.2.partial-tag"

    // RFC 9111 §4.3.3
    case validationNotModified = "rfc9111.4.3.3.not-modified"
    case validationFull = "rfc9111.4.3.3.full"
    case validationServerError = "rfc9111.4.3.3.server-error"

    // RFC 9111 §4.3.4
    case freshenStrong = "rfc9111.4.3.4.strong"
    case freshenWeak = "rfc9111.4.3.4.weak"
    case freshenOnlyCandidate = "rfc9111.4.3.4.only-candidate"
    case freshenNone = "rfc9111.4.3.4.none"

    // RFC 9111 §4.3.5
    case headFreshens = "rfc9111.4.3.5.updates"
    case headInvalidates = "rfc9111.4.3.5.mismatch"

    // RFC 9111 §4.4
    case unsafeInvalidates = "rfc9111.4.4.unsafe"
    case unknownMethodInvalidates = "rfc9111.4.4.unknown-method"
    case locationInvalidated = "rfc9111.4.4.location"
    case contentLocationInvalidated = "rfc9111.4.4.content-location"
    case otherOriginKept = "rfc9111.4.4.same-origin"
    case errorInvalidatesNothing = "rfc9111.4.4.error"
    case safeInvalidatesNothing = "rfc9111.4.4.safe"
    case invalidatedNeedsValidation = "rfc9111.4.4.validates"

    // RFC 9111 §5.1
    case ageFirstValue = "rfc9111.5.1.first"
    case ageInvalid = "rfc9111.5.1.invalid"

    // RFC 9111 §5.2
    case directiveNameCase = "rfc9111.5.2.case"
    case directiveArgumentForms = "rfc9111.5.2.argument-forms"
    case directiveUnknown = "rfc9111.5.2.unknown"
    case directiveLines = "rfc9111.5.2.lines"

    // RFC 9111 §5.2.1
    case requestMaxAge = "rfc9111.5.2.1.1.max-age"
    case requestMaxStale = "rfc9111.5.2.1.2.max-stale"
    case requestMaxStaleAny = "rfc9111.5.2.1.2.max-stale-any"
    case requestMinFresh = "rfc9111.5.2.1.3.min-fresh"
    case requestNoCache = "rfc9111.5.2.1.4.no-cache"
    case requestNoStore = "rfc9111.5.2.1.5.no-store"
    case requestNoStoreHit = "rfc9111.5.2.1.5.hit"
    case requestNoTransform = "rfc9111.5.2.1.6.no-transform"
    case requestOnlyIfCached = "rfc9111.5.2.1.7.only-if-cached"

    // RFC 9111 §5.2.2
    case responseMaxAge = "rfc9111.5.2.2.1.max-age"
    case responseMustRevalidate = "rfc9111.5.2.2.2.must-revalidate"
    case responseMustRevalidateFailed = "rfc9111.5.2.2.2.gateway-timeout"
    case responseMustUnderstand = "rfc9111.5.2.2.3.must-understand"
    case responseMustUnderstandUnknown = "rfc9111.5.2.2.3.unknown-status"
    case responseNoCache = "rfc9111.5.2.2.4.no-cache"
    case responseNoCacheFields = "rfc9111.5.2.2.4.qualified"
    case responseNoStore = "rfc9111.5.2.2.5.no-store"
    case responseNoTransform = "rfc9111.5.2.2.6.no-transform"
    case responsePrivate = "rfc9111.5.2.2.7.private"
    case responsePrivateFields = "rfc9111.5.2.2.7.qualified"
    case responseProxyRevalidate = "rfc9111.5.2.2.8.proxy-revalidate"
    case responsePublic = "rfc9111.5.2.2.9.public"
    case responseSharedMaxAge = "rfc9111.5.2.2.10.s-maxage"

    // RFC 9111 §5.3, §5.4
    case expiresInvalid = "rfc9111.5.3.invalid"
    case expiresIgnored = "rfc9111.5.3.max-age-wins"
    case pragmaNoCache = "rfc9111.5.4.pragma"

    // RFC 9111 §7.3
    case heuristicSetCookie = "rfc9111.7.3.set-cookie"

    // RFC 5861
    case staleWhileRevalidate = "rfc5861.3.window"
    case staleWhileRevalidateBackground = "rfc5861.3.background"
    case staleWhileRevalidatePast = "rfc5861.3.past-window"
    case staleIfErrorResponse = "rfc5861.4.response"
    case staleIfErrorRequest = "rfc5861.4.request"
    case staleIfErrorPast = "rfc5861.4.past-window"
    case staleIfErrorStatus = "rfc5861.4.errors"
    case storeKeptOnError = "rfc5861.4.kept"

    // RFC 8246
    case immutableFresh = "rfc8246.2.fresh"
    case immutableStale = "rfc8246.2.stale"

    // RFC 9110
    case targetNormalised = "rfc9110.4.2.3.normalised"
    case dateForms = "rfc9110.5.6.7.three-forms"
    case dateTwoDigitYear = "rfc9110.5.6.7.two-digit-year"
    case dateWritten = "rfc9110.5.6.7.written"
    case dateMissing = "rfc9110.6.6.1.missing"
    case entityTagStrong = "rfc9110.8.8.3.2.strong"
    case entityTagWeak = "rfc9110.8.8.3.2.weak"
    case contentUnshared = "rfc9110.9.3.1.content"
    case headFromGet = "rfc9110.9.3.2.from-get"
    case postReused = "rfc9110.9.3.3.reused-for-get"
    case unsolicitedPart = "rfc9110.15.3.7.unsolicited"
    case unsolicitedNotModified = "rfc9110.15.4.5.unsolicited"
    case partsSeparated = "rfc9110.15.3.7.2.separated"
    case postExplicit = "rfc9110.9.3.3.explicit"
    case postLocation = "rfc9110.9.3.3.content-location"
    case heuristicStatuses = "rfc9110.15.1.heuristic"
    case rangeForwarded = "rfc9110.14.2.range-forwarded"
    case rangeOfGet = "rfc9110.14.2.get-only"
    case rangeIgnored = "rfc9110.14.2.ignored"
    case rangeUnsatisfiable = "rfc9110.15.5.17.unsatisfiable"
    case contentDecoded = "rfc9110.8.4.decoded"
    case codingsInOrder = "rfc9110.8.4.order"
    case codingCase = "rfc9110.8.4.1.case"
    case codingAlias = "rfc9110.8.4.1.3.x-gzip"
    case redirectMethod = "rfc9110.15.4.method"
    case redirectMethodKept = "rfc9110.15.4.8.method-kept"
    case redirectContentFields = "rfc9110.15.4.content-fields"
    case redirectCredentials = "rfc9110.15.4.credentials"
    case redirectLoops = "rfc9110.15.4.loops"

    // RFC 9211
    case statusHit = "rfc9211.2.1.hit"
    case forwardBypass = "rfc9211.2.2.bypass"
    case forwardMethod = "rfc9211.2.2.method"
    case forwardURIMiss = "rfc9211.2.2.uri-miss"
    case forwardVaryMiss = "rfc9211.2.2.vary-miss"
    case forwardMiss = "rfc9211.2.2.miss"
    case forwardRequest = "rfc9211.2.2.request"
    case forwardStale = "rfc9211.2.2.stale"
    case forwardPartial = "rfc9211.2.2.partial"
    case statusForwardStatus = "rfc9211.2.3.fwd-status"
    case statusTimeToLive = "rfc9211.2.4.ttl"
    case statusStored = "rfc9211.2.5.stored"
    case statusCollapsed = "rfc9211.2.6.collapsed"
    case statusMembers = "rfc9211.2.members"

    // RFC 9213
    case targetedStructured = "rfc9213.2.1.structured"
    case targetedInvalid = "rfc9213.2.1.invalid"
    case targetedType = "rfc9213.2.1.type"
    case targetedFirst = "rfc9213.2.2.targeted-first"
    case targetedNoMixing = "rfc9213.2.2.no-mixing"
    case targetedUnlisted = "rfc9213.2.2.unlisted"
    case targetedForwarded = "rfc9213.3.1.forwarded"

    // RFC 9875
    case groupInvalidation = "rfc9875.3.invalidation"
    case groupShared = "rfc9875.2.2.shared"
    case groupOrigin = "rfc9875.2.1.origin"

    // QUERY
    case queryKey = "query.caching.key"
    case queryNeedsContent = "query.caching.content"

    // No-Vary-Search
    case searchIgnored = "no-vary-search.match"
    case searchMalformed = "no-vary-search.malformed"

    // Clear-Site-Data
    case clearSiteData = "clear-site-data.3.1.cache"
    case clearSiteTrustworthy = "clear-site-data.3.1.trustworthy"

    // Apple's request policies
    case policyProtocol = "apple.policy.protocol"
    case policyReloadIgnoringLocal = "apple.policy.reload-ignoring-local"
    case policyReloadIgnoringRemote = "apple.policy.reload-ignoring-remote"
    case policyReturnElseLoad = "apple.policy.return-else-load"
    case policyReturnDontLoad = "apple.policy.return-dont-load"
    case policyReloadRevalidating = "apple.policy.reload-revalidating"
}

/// How binding a rule is.
public enum RuleLevel: String, Sendable, Hashable, CaseIterable {
    /// Required.
    case must
    /// Recommended.
    case should
    /// Allowed, and worth having.
    case optimal
    /// No verdict, information.
    case check
}
