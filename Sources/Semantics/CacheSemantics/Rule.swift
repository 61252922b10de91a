// ci/rules writes this file from rules.toml: a change belongs there.
// swift-format-ignore-file

/// A requirement that the engine or the client implements, with a stable identifier.
///
/// The raw value is the identifier: specification, section, words. `sentence` has the requirement.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// A delta-seconds value too large to represent is read as 2147483648.
    case deltaSecondsOverflow = "rfc9111.1.2.2.overflow"
    /// A delta-seconds value consists only of digits; a sign, a fraction or anything else makes it invalid.
    case deltaSecondsDigitsOnly = "rfc9111.1.2.2.digits-only"
    /// The primary key of a stored response is at least the request method and the target URI, including the query.
    case keyHasMethodAndTarget = "rfc9111.2.key"
    /// A private cache of several accounts can be configured to keep the stored responses of different credentials apart.
    case keyHasCredentials = "rfc9111.2.credentials"
    /// Credentials that are part of a key are stored only as salted digests.
    case credentialsUnreadable = "rfc9111.2.credentials-unreadable"
    /// A response is stored only if the cache understands the request method.
    case storeMethodUnderstood = "rfc9111.3.method-understood"
    /// Only a final response is stored, never an interim one.
    case storeFinalStatus = "rfc9111.3.final-status"
    /// A 206, a 304 and a response with must-understand are stored only by a cache that understands the status code; a 428, 429, 431 or 511 is never stored (RFC 6585).
    case storeStatusUnderstood = "rfc9111.3.status-understood"
    /// A response with no-store is not stored.
    case storeNotForbidden = "rfc9111.3.no-store"
    /// A shared cache stores no response with unqualified private.
    case storeNotPrivateInShared = "rfc9111.3.private-in-shared"
    /// A response is stored only with public, private, Expires, max-age, s-maxage in a shared cache, or a heuristically cacheable status code.
    case storeExplicitOrHeuristic = "rfc9111.3.explicit-or-heuristic"
    /// A response with explicit freshness and a final status code is stored, even if the cache does not know the status code.
    case storeExplicitAnyStatus = "rfc9111.3.explicit-any-status"
    /// A newly received response replaces the stored response of the same key and variant, or removes it if it may not be stored itself.
    case storeReplacesOlder = "rfc9111.3.replaces"
    /// All received header fields are stored, including unknown ones, unless an exception names them.
    case storeAllFields = "rfc9111.3.1.all-fields"
    /// Connection and the fields it lists are not stored.
    case dropConnectionFields = "rfc9111.3.1.connection-listed"
    /// Fields that concern one connection (Keep-Alive, Proxy-Connection, TE, Transfer-Encoding, Upgrade) are not stored.
    case dropHopByHopFields = "rfc9111.3.1.hop-by-hop"
    /// Proxy-Authenticate, Proxy-Authentication-Info and Proxy-Authorization are not stored.
    case dropProxyFields = "rfc9111.3.1.proxy-fields"
    /// Fields that a qualified no-cache lists are not stored.
    case dropNoCacheFields = "rfc9111.3.1.no-cache-fields"
    /// Fields that a qualified private lists are not stored by a shared cache.
    case dropPrivateFields = "rfc9111.3.1.private-fields"
    /// Trailer fields are not merged into the stored header fields.
    case trailersApart = "rfc9111.3.1.trailers-apart"
    /// Updating adds each field of the new response to the stored one and replaces its previous values.
    case updateReplacesFields = "rfc9111.3.2.replaces-fields"
    /// Updating keeps the stored fields that the new response does not have.
    case updateKeepsOtherFields = "rfc9111.3.2.keeps-others"
    /// Updating does not change Content-Length.
    case updateKeepsContentLength = "rfc9111.3.2.content-length"
    /// Updating adds no field that is excluded from storage.
    case updateSkipsUnstoredFields = "rfc9111.3.2.unstored-fields"
    /// Updating does not change Content-Encoding and Content-Range, which the stored content depends on.
    case updateKeepsContentFraming = "rfc9111.3.2.content-coding"
    /// An interrupted response is never used as a complete one.
    case incompleteNotComplete = "rfc9111.3.3.incomplete-not-complete"
    /// A 206 is stored only for a request with Range, and with one valid Content-Range that matches its content; any other response with Content-Range is not stored.
    case partialNotStored = "rfc9111.3.3.partial-not-stored"
    /// A 206, or the received part of an interrupted 200, is stored as an incomplete response.
    case partialStored = "rfc9111.3.3.partial-stored"
    /// An incomplete stored response is completed by a range request with If-Range.
    case incompleteCompleted = "rfc9111.3.3.completed-by-range"
    /// A range within the stored content is answered from the store.
    case partialServed = "rfc9111.3.3.range-from-stored"
    /// Partial responses are combined only if they share a strong validator.
    case partsCombined = "rfc9111.3.4.combined"
    /// A shared cache does not store the response to a request with Authorization unless a directive allows it.
    case authorizationInShared = "rfc9111.3.5.authorization"
    /// must-revalidate, public or s-maxage lets a shared cache store the response to a request with Authorization.
    case authorizationAllowed = "rfc9111.3.5.allowed"
    /// A stored response is used only for a request with its target URI.
    case reuseSameTarget = "rfc9111.4.target-uri"
    /// A stored response is used only for a request method that allows it.
    case reuseMethodAllows = "rfc9111.4.method"
    /// A stored response with no-cache is used only after successful validation.
    case reuseNoCacheValidated = "rfc9111.4.no-cache"
    /// A stored response is used only if it is fresh, allowed to be stale, or successfully validated.
    case reuseFreshOrAllowed = "rfc9111.4.fresh-or-allowed"
    /// A stored response used without validation carries its current age in Age, in place of any other value.
    case reuseSetsAge = "rfc9111.4.age-field"
    /// A request with an unsafe or unknown method is forwarded before anything is answered.
    case writeThrough = "rfc9111.4.write-through"
    /// If several stored responses are suitable, the one with the most recent Date is used.
    case mostRecentSelected = "rfc9111.4.most-recent"
    /// The response to one forwarded request answers the concurrent requests for which it may be used.
    case collapsedForwarding = "rfc9111.4.collapsed"
    /// A stored response is used without validation only if every field its Vary nominates matches the original request's.
    case varyMatches = "rfc9111.4.1.match"
    /// A stored response whose Vary contains * never matches.
    case varyStarNeverMatches = "rfc9111.4.1.star"
    /// A nominated field that is absent from one request matches only if it is absent from the other.
    case varyAbsentMatchesAbsent = "rfc9111.4.1.absent"
    /// Field lines of one name are combined before they are compared.
    case varyLinesCombined = "rfc9111.4.1.lines-combined"
    /// Optional whitespace around the members of a list makes no difference to a match.
    case varyWhitespaceNormalised = "rfc9111.4.1.whitespace"
    /// The names in Vary are compared case-insensitively, over all Vary field lines.
    case varyNameCase = "rfc9111.4.1.name-case"
    /// Variants of one target URI that differ in selecting fields are stored side by side.
    case variantsSideBySide = "rfc9111.4.1.side-by-side"
    /// A matching stored response with Vary is preferred to one without.
    case varyPreferredOverNone = "rfc9111.4.1.vary-over-none"
    /// Accept-Language, Accept-Encoding and Accept-Charset match whatever the case of their members, the latter two whatever the order.
    case varyPreferences = "rfc9111.4.1.preferences"
    /// Quality values are compared as numbers, and a refusal (q=0) is not the same as absence.
    case varyQuality = "rfc9111.4.1.quality"
    /// A 304 with the strong entity tag of another variant is stored as a variant with the same content, so that the next request with these selecting fields is a hit.
    case variantAlias = "rfc9111.4.1.alias"
    /// Deviation from §4.1, off by default: if responses in several languages are stored, the one in the request's preferred language is used, even if the request's Accept-Language differs from the stored one.
    case languageChosen = "rfc9111.4.1.content-language"
    /// A response is fresh while its freshness lifetime exceeds its current age.
    case freshWhileLifetimeExceedsAge = "rfc9111.4.2.fresh"
    /// The names in a date are read case-insensitively when freshness is calculated.
    case expiryDateCase = "rfc9111.4.2.date-case"
    /// A date in a zone other than GMT is invalid for calculating expiration.
    case expiryDateZone = "rfc9111.4.2.date-zone"
    /// In a shared cache, s-maxage gives the freshness lifetime and overrides all else.
    case lifetimeSharedMaxAge = "rfc9111.4.2.1.s-maxage"
    /// A private cache ignores s-maxage.
    case lifetimeSharedMaxAgePrivate = "rfc9111.4.2.1.s-maxage-private"
    /// max-age gives the freshness lifetime and overrides Expires.
    case lifetimeMaxAge = "rfc9111.4.2.1.max-age"
    /// Expires minus Date gives the freshness lifetime if no directive does.
    case lifetimeExpires = "rfc9111.4.2.1.expires"
    /// If a directive or Expires has differing values, the smallest is used.
    case lifetimeConflict = "rfc9111.4.2.1.conflict"
    /// A response with invalid freshness information is stale.
    case lifetimeInvalid = "rfc9111.4.2.1.invalid"
    /// Of conflicting directives the most restrictive one is honoured.
    case lifetimeMostRestrictive = "rfc9111.4.2.1.most-restrictive"
    /// Heuristic freshness is not used if the response has an explicit expiration time.
    case heuristicOnlyWithoutExplicit = "rfc9111.4.2.2.no-explicit"
    /// Heuristic freshness is used only with a heuristically cacheable status code or an explicit mark of cacheability.
    case heuristicStatus = "rfc9111.4.2.2.status"
    /// The heuristic freshness lifetime is a tenth of the time between Last-Modified and Date.
    case heuristicTenPercent = "rfc9111.4.2.2.ten-percent"
    /// The heuristic freshness lifetime has a limit, and a lower one for responses that are errors.
    case heuristicLimited = "rfc9111.4.2.2.limit"
    /// The apparent age is the response time minus Date, and never negative.
    case ageApparent = "rfc9111.4.2.3.apparent"
    /// The corrected age value is the Age field plus the time between request and response.
    case ageCorrected = "rfc9111.4.2.3.corrected"
    /// The initial age is the larger of apparent age and corrected age value.
    case ageLarger = "rfc9111.4.2.3.larger"
    /// The current age is the initial age plus the time since the response time.
    case ageResident = "rfc9111.4.2.3.resident"
    /// no-cache, must-revalidate and, in a shared cache, proxy-revalidate and s-maxage forbid using a stale response.
    case staleForbidden = "rfc9111.4.2.4.forbidden"
    /// A stale response is used only when the cache is disconnected or the client or the origin allows it.
    case staleOnlyAllowed = "rfc9111.4.2.4.allowed"
    /// A stale response is used when the origin cannot be reached and nothing forbids it.
    case staleDisconnected = "rfc9111.4.2.4.disconnected"
    /// A validation carries the stored entity tag in If-None-Match, exactly as it was received.
    case conditionEntityTag = "rfc9111.4.3.1.entity-tag"
    /// A validation carries the stored Last-Modified in If-Modified-Since, exactly as it was received.
    case conditionLastModified = "rfc9111.4.3.1.last-modified"
    /// A validation carries the entity tags of all stored variants of the target URI.
    case conditionSeveralTags = "rfc9111.4.3.1.several-tags"
    /// Without a stored validator the request is sent without preconditions.
    case conditionNone = "rfc9111.4.3.1.no-validator"
    /// A validation keeps the method, target and fields of the request that causes it.
    case conditionKeepsRequest = "rfc9111.4.3.1.keeps-request"
    /// A range request for a stored response without an entity tag is validated with its strong modification date in If-Range.
    case conditionPartial = "rfc9111.4.3.1.range"
    /// A request whose preconditions the store cannot evaluate is forwarded with them, and its 304 is delivered unchanged.
    case callerConditionForwarded = "rfc9111.4.3.2.forwarded"
    /// If-Match and If-Unmodified-Since are left to the origin.
    case originOnlyConditions = "rfc9111.4.3.2.origin-only"
    /// If-None-Match of a request is evaluated against the stored response.
    case callerIfNoneMatch = "rfc9111.4.3.2.if-none-match"
    /// If-Modified-Since of a request without If-None-Match is evaluated against the stored response.
    case callerIfModifiedSince = "rfc9111.4.3.2.if-modified-since"
    /// If-Range is evaluated against the stored response before a range is answered from it.
    case callerIfRange = "rfc9111.4.3.2.if-range"
    /// A validation for a request with If-None-Match carries the stored entity tags and those of the request.
    case callerTagsJoined = "rfc9111.4.3.2.union"
    /// A 304 whose entity tag the request does not list is answered with the freshened stored response.
    case callerTagOther = "rfc9111.4.3.2.other-tag"
    /// The entity tag of an incomplete response is sent in If-None-Match only for ranges that it has.
    case partialTagApart = "rfc9111.4.3.2.partial-tag"
    /// After a 304 the stored response is freshened and used.
    case validationNotModified = "rfc9111.4.3.3.not-modified"
    /// A full response to a validation is used, and replaces the stored one if it may be stored.
    case validationFull = "rfc9111.4.3.3.full"
    /// A 5xx response to a validation is passed on, unless the client or the origin allows the stale response in its place.
    case validationServerError = "rfc9111.4.3.3.server-error"
    /// A 304 with a strong validator freshens every candidate that has the same one, and no other.
    case freshenStrong = "rfc9111.4.3.4.strong"
    /// A 304 with only weak validators freshens the most recent candidate that matches.
    case freshenWeak = "rfc9111.4.3.4.weak"
    /// A 304 without validators freshens the only candidate if that has no validator either.
    case freshenOnlyCandidate = "rfc9111.4.3.4.only-candidate"
    /// A 304 that identifies no stored response updates none, which is required if it has a strong validator.
    case freshenNone = "rfc9111.4.3.4.none"
    /// A 200 to HEAD whose validators and Content-Length match updates the stored GET response.
    case headFreshens = "rfc9111.4.3.5.updates"
    /// A 200 to HEAD that differs in ETag, Last-Modified or Content-Length makes the stored GET response stale.
    case headInvalidates = "rfc9111.4.3.5.mismatch"
    /// A non-error response to an unsafe method invalidates what is stored for the target URI.
    case unsafeInvalidates = "rfc9111.4.4.unsafe"
    /// A method of unknown safety invalidates like an unsafe method.
    case unknownMethodInvalidates = "rfc9111.4.4.unknown-method"
    /// The URI in Location of a non-error response to an unsafe method is invalidated, too.
    case locationInvalidated = "rfc9111.4.4.location"
    /// The URI in Content-Location of a non-error response to an unsafe method is invalidated, too.
    case contentLocationInvalidated = "rfc9111.4.4.content-location"
    /// A URI of another origin is not invalidated.
    case otherOriginKept = "rfc9111.4.4.same-origin"
    /// An error response invalidates nothing.
    case errorInvalidatesNothing = "rfc9111.4.4.error"
    /// A response to a safe method invalidates nothing.
    case safeInvalidatesNothing = "rfc9111.4.4.safe"
    /// An invalidated stored response is not used until it has been validated.
    case invalidatedNeedsValidation = "rfc9111.4.4.validates"
    /// Of several Age values, the first is used.
    case ageFirstValue = "rfc9111.5.1.first"
    /// An Age value that is not a non-negative integer is ignored.
    case ageInvalid = "rfc9111.5.1.invalid"
    /// The names of directives are compared case-insensitively.
    case directiveNameCase = "rfc9111.5.2.case"
    /// The argument of a directive is accepted as a token and as a quoted string.
    case directiveArgumentForms = "rfc9111.5.2.argument-forms"
    /// Unknown directives are ignored.
    case directiveUnknown = "rfc9111.5.2.unknown"
    /// Directives of all Cache-Control field lines apply, and empty list members are allowed.
    case directiveLines = "rfc9111.5.2.lines"
    /// A stored response older than the request's max-age is validated.
    case requestMaxAge = "rfc9111.5.2.1.1.max-age"
    /// The request's max-stale=N allows a response that has been stale for no more than N seconds.
    case requestMaxStale = "rfc9111.5.2.1.2.max-stale"
    /// The request's max-stale without an argument allows a stale response of any age.
    case requestMaxStaleAny = "rfc9111.5.2.1.2.max-stale-any"
    /// The request's min-fresh asks for a response that stays fresh for at least that long.
    case requestMinFresh = "rfc9111.5.2.1.3.min-fresh"
    /// The request's no-cache asks for validation of a fresh stored response.
    case requestNoCache = "rfc9111.5.2.1.4.no-cache"
    /// The response to a request with no-store is not stored.
    case requestNoStore = "rfc9111.5.2.1.5.no-store"
    /// A request with no-store may still be answered from the store.
    case requestNoStoreHit = "rfc9111.5.2.1.5.hit"
    /// The content is passed on as it was received.
    case requestNoTransform = "rfc9111.5.2.1.6.no-transform"
    /// The request's only-if-cached is answered from the store or with 504.
    case requestOnlyIfCached = "rfc9111.5.2.1.7.only-if-cached"
    /// A response is stale after its max-age.
    case responseMaxAge = "rfc9111.5.2.2.1.max-age"
    /// Once stale, a response with must-revalidate is not used without validation, not even by a disconnected cache.
    case responseMustRevalidate = "rfc9111.5.2.2.2.must-revalidate"
    /// If must-revalidate keeps a disconnected cache from using a stale response, the cache responds with an error, preferably 504.
    case responseMustRevalidateFailed = "rfc9111.5.2.2.2.gateway-timeout"
    /// no-store is ignored with must-understand if the cache understands the status code.
    case responseMustUnderstand = "rfc9111.5.2.2.3.must-understand"
    /// A response with must-understand and a status code the cache does not understand is not stored.
    case responseMustUnderstandUnknown = "rfc9111.5.2.2.3.unknown-status"
    /// A response with no-cache is stored, and validated before each use.
    case responseNoCache = "rfc9111.5.2.2.4.no-cache"
    /// A response with no-cache and field names is used without those fields.
    case responseNoCacheFields = "rfc9111.5.2.2.4.qualified"
    /// no-store keeps a response out of every cache.
    case responseNoStore = "rfc9111.5.2.2.5.no-store"
    /// no-transform keeps the content from being transformed.
    case responseNoTransform = "rfc9111.5.2.2.6.no-transform"
    /// private keeps a response out of shared caches, and lets a private cache store it.
    case responsePrivate = "rfc9111.5.2.2.7.private"
    /// private with field names keeps only those fields out of shared caches.
    case responsePrivateFields = "rfc9111.5.2.2.7.qualified"
    /// proxy-revalidate is must-revalidate for shared caches.
    case responseProxyRevalidate = "rfc9111.5.2.2.8.proxy-revalidate"
    /// public allows storing a response that could not be stored otherwise.
    case responsePublic = "rfc9111.5.2.2.9.public"
    /// s-maxage forbids a shared cache to use the response without validation once it is stale.
    case responseSharedMaxAge = "rfc9111.5.2.2.10.s-maxage"
    /// An Expires value that is not a date, in particular 0, is treated as a time in the past.
    case expiresInvalid = "rfc9111.5.3.invalid"
    /// Expires is ignored with max-age, and with s-maxage in a shared cache.
    case expiresIgnored = "rfc9111.5.3.max-age-wins"
    /// Pragma: no-cache in a request without Cache-Control is treated as no-cache.
    case pragmaNoCache = "rfc9111.5.4.pragma"
    /// A shared cache does not store a response with Set-Cookie that nothing marks as cacheable.
    case heuristicSetCookie = "rfc9111.7.3.set-cookie"
    /// A response is used stale for no longer than its stale-while-revalidate while it is validated.
    case staleWhileRevalidate = "rfc5861.3.window"
    /// A response used stale because of stale-while-revalidate is validated in the background.
    case staleWhileRevalidateBackground = "rfc5861.3.background"
    /// After the stale-while-revalidate window the response is validated first.
    case staleWhileRevalidatePast = "rfc5861.3.past-window"
    /// The response's stale-if-error allows it to be used stale for that long in place of an error.
    case staleIfErrorResponse = "rfc5861.4.response"
    /// The request's stale-if-error allows the stored response to be used stale for that long in place of an error.
    case staleIfErrorRequest = "rfc5861.4.request"
    /// After the stale-if-error window the error is passed on.
    case staleIfErrorPast = "rfc5861.4.past-window"
    /// An error is 500, 502, 503, 504, a code that is treated as one of them, or an origin that cannot be reached.
    case staleIfErrorStatus = "rfc5861.4.errors"
    /// A server error does not replace a stored response that stale-if-error still covers.
    case storeKeptOnError = "rfc5861.4.kept"
    /// A fresh response with immutable is used without validation unless the request asks for it.
    case immutableFresh = "rfc8246.2.fresh"
    /// A stale response with immutable is validated like any other.
    case immutableStale = "rfc8246.2.stale"
    /// Spellings of one target URI that are equal after normalization share stored responses.
    case targetNormalised = "rfc9110.4.2.3.normalised"
    /// Dates are read in the IMF-fixdate, RFC 850 and asctime forms.
    case dateForms = "rfc9110.5.6.7.three-forms"
    /// A two-digit year that seems more than 50 years ahead is the last past year with those digits.
    case dateTwoDigitYear = "rfc9110.5.6.7.two-digit-year"
    /// Dates are written in the IMF-fixdate form.
    case dateWritten = "rfc9110.5.6.7.written"
    /// A response without Date is treated as generated when it was received.
    case dateMissing = "rfc9110.6.6.1.missing"
    /// A 204 (No Content) response is sent without Content-Length.
    case noContentHasNoLength = "rfc9110.8.6.no-content"
    /// Two entity tags match strongly if both are strong and their opaque tags are equal.
    case entityTagStrong = "rfc9110.8.8.3.2.strong"
    /// Two entity tags match weakly if their opaque tags are equal.
    case entityTagWeak = "rfc9110.8.8.3.2.weak"
    /// A GET or HEAD with content is answered by the origin, and its response answers no other request.
    case contentUnshared = "rfc9110.9.3.1.content"
    /// HEAD is answered from a stored response to GET, without content.
    case headFromGet = "rfc9110.9.3.2.from-get"
    /// A 200 or 203 to POST with explicit freshness and the target URI in Content-Location is stored, and answers GET and HEAD.
    case postReused = "rfc9110.9.3.3.reused-for-get"
    /// A 206 to a request without Range is rejected: the request did not ask for a part.
    case unsolicitedPart = "rfc9110.15.3.7.unsolicited"
    /// A 304 to a request without a precondition is rejected: there is nothing to confirm.
    case unsolicitedNotModified = "rfc9110.15.4.5.unsolicited"
    /// The ranges of a 206 with multipart/byteranges are stored as parts of one representation, at their positions.
    case partsSeparated = "rfc9110.15.3.7.2.separated"
    /// A response to POST is stored only with explicit freshness.
    case postExplicit = "rfc9110.9.3.3.explicit"
    /// A response to POST is stored only if its Content-Location is the target URI.
    case postLocation = "rfc9110.9.3.3.content-location"
    /// The heuristically cacheable status codes are 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414 and 501.
    case heuristicStatuses = "rfc9110.15.1.heuristic"
    /// A range request that no stored response can answer is forwarded unchanged.
    case rangeForwarded = "rfc9110.14.2.range-forwarded"
    /// Range is ignored with methods other than GET and if the response is not a 200.
    case rangeOfGet = "rfc9110.14.2.get-only"
    /// A Range that is malformed, has an unknown unit, or has too many ranges is ignored.
    case rangeIgnored = "rfc9110.14.2.ignored"
    /// Ranges that are all beyond the end are answered with 416 and the complete length.
    case rangeUnsatisfiable = "rfc9110.15.5.17.unsatisfiable"
    /// Content whose codings the client knows is delivered decoded.
    case contentDecoded = "rfc9110.8.4.decoded"
    /// Of several content codings the one that was applied last is decoded first.
    case codingsInOrder = "rfc9110.8.4.order"
    /// The names of content codings are compared case-insensitively.
    case codingCase = "rfc9110.8.4.1.case"
    /// x-gzip is equivalent to gzip.
    case codingAlias = "rfc9110.8.4.1.3.x-gzip"
    /// A followed redirect repeats the request, with GET in place of POST after 301 and 302, and in place of every method but HEAD after 303.
    case redirectMethod = "rfc9110.15.4.method"
    /// A redirect with 307 keeps the request method.
    case redirectMethodKept = "rfc9110.15.4.8.method-kept"
    /// Where a redirect changes the method to GET, the fields about the content are removed.
    case redirectContentFields = "rfc9110.15.4.content-fields"
    /// Credentials are not sent to another origin that a redirect names.
    case redirectCredentials = "rfc9110.15.4.credentials"
    /// An endless chain of redirects ends with an error.
    case redirectLoops = "rfc9110.15.4.loops"
    /// A request answered from the store without the origin is a hit.
    case statusHit = "rfc9211.2.1.hit"
    /// A request that is configured to bypass the cache is forwarded as bypass.
    case forwardBypass = "rfc9211.2.2.bypass"
    /// A request whose method requires it is forwarded as method.
    case forwardMethod = "rfc9211.2.2.method"
    /// A request with nothing stored for its target URI is forwarded as uri-miss.
    case forwardURIMiss = "rfc9211.2.2.uri-miss"
    /// A request with no matching variant is forwarded as vary-miss.
    case forwardVaryMiss = "rfc9211.2.2.vary-miss"
    /// A request with nothing usable, for any other reason, is forwarded as miss.
    case forwardMiss = "rfc9211.2.2.miss"
    /// A request whose own directives or preconditions require it is forwarded as request.
    case forwardRequest = "rfc9211.2.2.request"
    /// A request with a stale stored response is forwarded as stale.
    case forwardStale = "rfc9211.2.2.stale"
    /// A request with an incomplete stored response is forwarded as partial.
    case forwardPartial = "rfc9211.2.2.partial"
    /// The status code of the origin's response is reported if it differs from that of the cache's response.
    case statusForwardStatus = "rfc9211.2.3.fwd-status"
    /// The remaining freshness lifetime is reported, negative for a stale response.
    case statusTimeToLive = "rfc9211.2.4.ttl"
    /// Whether the origin's response was stored is reported.
    case statusStored = "rfc9211.2.5.stored"
    /// Whether the request was answered by another's exchange is reported.
    case statusCollapsed = "rfc9211.2.6.collapsed"
    /// The members of caches closer to the origin come first, in their order.
    case statusMembers = "rfc9211.2.members"
    /// A targeted field is parsed as a structured dictionary; parameters are ignored.
    case targetedStructured = "rfc9213.2.1.structured"
    /// A targeted field that is empty or does not parse is ignored.
    case targetedInvalid = "rfc9213.2.1.invalid"
    /// A directive of a targeted field whose value is of the wrong type is ignored.
    case targetedType = "rfc9213.2.1.type"
    /// Of the targeted fields that the cache lists, the first valid one in its list determines how the response is cached.
    case targetedFirst = "rfc9213.2.2.targeted-first"
    /// If a targeted field applies, Cache-Control and Expires are ignored.
    case targetedNoMixing = "rfc9213.2.2.no-mixing"
    /// A targeted field that the cache does not list changes nothing and is passed on.
    case targetedUnlisted = "rfc9213.2.2.unlisted"
    /// A targeted field that applies here is passed on to caches downstream.
    case targetedForwarded = "rfc9213.3.1.forwarded"
    /// Cache-Group-Invalidation of a successful response to an unsafe method invalidates the stored responses in these groups.
    case groupInvalidation = "rfc9875.3.invalidation"
    /// If an unsafe request invalidates a stored response, those that share a group with it are invalidated, too, and no others.
    case groupShared = "rfc9875.2.2.1.shared"
    /// Groups of the same name at two origins are two groups.
    case groupOrigin = "rfc9875.2.1.origin"
    /// Content-Digest stays with the content that it was computed for: a range, a combination of parts and an update by a response without that content do not have it.
    case contentDigestKept = "rfc9530.2.content-digest"
    /// Repr-Digest stays with the representation that it was computed for: only a response with the same strong entity tag updates it, and a range has it.
    case reprDigestKept = "rfc9530.3.repr-digest"
    /// A stored response is offered as a dictionary only while it is fresh or may be served stale.
    case dictionaryUsable = "rfc9842.2.2.1.usable"
    /// A client without a dictionary for a request does not accept dcb and dcz.
    case dictionaryCodings = "rfc9842.6.1.codings"
    /// A response coded with dcb or dcz is reused only for the same Available-Dictionary and Accept-Encoding, even if its Vary does not name them.
    case dictionaryVaries = "rfc9842.6.2.vary"
    /// After 301, 302, 307 and 308 a QUERY is repeated as QUERY, with its content.
    case queryRedirected = "rfc10008.2.5.redirect"
    /// After 303 a QUERY is followed by a GET for the new URI, without content.
    case querySeeOther = "rfc10008.2.5.see-other"
    /// The preconditions of a QUERY are evaluated for the stored response to the same query.
    case queryConditions = "rfc10008.2.6.conditions"
    /// The key of a QUERY includes its content and the fields that describe the content.
    case queryKey = "rfc10008.2.7.key"
    /// A QUERY whose content is not known before it is sent is neither stored nor answered from the store.
    case queryNeedsContent = "rfc10008.2.7.content"
    /// A stored response to QUERY answers the same QUERY.
    case queryReused = "rfc10008.2.7.reuse"
    /// A QUERY is forwarded with its content and metadata unchanged, however its key is formed.
    case queryUnchanged = "rfc10008.2.7.unchanged"
    /// A range of the stored response to a QUERY answers the same QUERY with Range.
    case queryRanges = "rfc10008.2.8.ranges"
    /// A message with Incremental: ?1 is forwarded as it arrives, and no other request waits for it to end.
    case incrementalForwarded = "incremental.3.forwarded"
    /// A stored response with No-Vary-Search answers requests whose queries differ only in the parameters that it ignores.
    case searchIgnored = "no-vary-search.match"
    /// A malformed No-Vary-Search is ignored: the whole query counts.
    case searchMalformed = "no-vary-search.malformed"
    /// Clear-Site-Data with "cache" or "*" removes the responses of the origin that a private cache has stored.
    case clearSiteData = "clear-site-data.3.1.cache"
    /// Clear-Site-Data is obeyed only from a potentially trustworthy origin.
    case clearSiteTrustworthy = "clear-site-data.3.1.trustworthy"
    /// useProtocolCachePolicy leaves the decision to RFC 9111.
    case policyProtocol = "apple.policy.protocol"
    /// reloadIgnoringLocalCacheData loads from the origin without validators, whatever is stored.
    case policyReloadIgnoringLocal = "apple.policy.reload-ignoring-local"
    /// reloadIgnoringLocalAndRemoteCacheData also instructs caches on the way; that it does so by no-cache in Cache-Control and Pragma is this project's choice, as Apple names no field.
    case policyReloadIgnoringRemote = "apple.policy.reload-ignoring-remote"
    /// returnCacheDataElseLoad uses a stored response of any age, and loads if there is none.
    case policyReturnElseLoad = "apple.policy.return-else-load"
    /// returnCacheDataDontLoad uses a stored response of any age, and fails without the network if there is none.
    case policyReturnDontLoad = "apple.policy.return-dont-load"
    /// reloadRevalidatingCacheData validates the stored response even if it is fresh.
    case policyReloadRevalidating = "apple.policy.reload-revalidating"

    /// The row of rules.toml.
    var row: RuleRow {
        switch self {
        case .deltaSecondsOverflow: RuleRow(.must, "A delta-seconds value too large to represent is read as 2147483648.", quoting: .must, "the cache MUST consider the value to be 2147483648 (231) or the greatest positive integer it can conveniently represent")
        case .deltaSecondsDigitsOnly: RuleRow(.must, "A delta-seconds value consists only of digits; a sign, a fraction or anything else makes it invalid.", quoting: .definition, "The delta-seconds rule specifies a non-negative integer, representing time in seconds.")
        case .keyHasMethodAndTarget: RuleRow(.must, "The primary key of a stored response is at least the request method and the target URI, including the query.", quoting: .definition, "composed from, at a minimum, the request method and target URI used to retrieve the stored response")
        case .keyHasCredentials: RuleRow(.optimal, "A private cache of several accounts can be configured to keep the stored responses of different credentials apart.", quoting: .definition, "Caches might incorporate additional material into the cache key.")
        case .credentialsUnreadable: RuleRow(.optimal, "Credentials that are part of a key are stored only as salted digests.", quoting: .definition, "Caches might incorporate additional material into the cache key.")
        case .storeMethodUnderstood: RuleRow(.must, "A response is stored only if the cache understands the request method.", quoting: .mustNot, "A cache MUST NOT store a response to a request unless: * the request method is understood by the cache")
        case .storeFinalStatus: RuleRow(.must, "Only a final response is stored, never an interim one.", quoting: .definition, "the response status code is final")
        case .storeStatusUnderstood: RuleRow(.must, "A 206, a 304 and a response with must-understand are stored only by a cache that understands the status code; a 428, 429, 431 or 511 is never stored (RFC 6585).", quoting: .definition, "the cache understands the response status code")
        case .storeNotForbidden: RuleRow(.must, "A response with no-store is not stored.", quoting: .definition, "the no-store cache directive is not present in the response")
        case .storeNotPrivateInShared: RuleRow(.must, "A shared cache stores no response with unqualified private.", quoting: .definition, "if the cache is shared: the private response directive is either not present or allows a shared cache to store a modified response")
        case .storeExplicitOrHeuristic: RuleRow(.must, "A response is stored only with public, private, Expires, max-age, s-maxage in a shared cache, or a heuristically cacheable status code.", quoting: .definition, "the response contains at least one of the following")
        case .storeExplicitAnyStatus: RuleRow(.optimal, "A response with explicit freshness and a final status code is stored, even if the cache does not know the status code.", quoting: .definition, "the response contains at least one of the following")
        case .storeReplacesOlder: RuleRow(.optimal, "A newly received response replaces the stored response of the same key and variant, or removes it if it may not be stored itself.", quoting: .definition, "A cache might store multiple responses for a request target that is subject to content negotiation.", in: "RFC 9111 §2")
        case .storeAllFields: RuleRow(.must, "All received header fields are stored, including unknown ones, unless an exception names them.", quoting: .must, "Caches MUST include all received response header fields — including unrecognized ones — when storing a response")
        case .dropConnectionFields: RuleRow(.must, "Connection and the fields it lists are not stored.", quoting: .must, "MUST parse a received Connection header field before a message is forwarded and, for each connection-option in this field, remove any header or trailer field(s)", in: "RFC 9110 §7.6.1")
        case .dropHopByHopFields: RuleRow(.must, "Fields that concern one connection (Keep-Alive, Proxy-Connection, TE, Transfer-Encoding, Upgrade) are not stored.", quoting: .definition, "some fields' semantics require them to be removed before forwarding the message, and this MAY be implemented by doing so before storage")
        case .dropProxyFields: RuleRow(.must, "Proxy-Authenticate, Proxy-Authentication-Info and Proxy-Authorization are not stored.", quoting: .mustNot, "Header fields that are specific to the proxy that a cache uses when forwarding a request MUST NOT be stored")
        case .dropNoCacheFields: RuleRow(.must, "Fields that a qualified no-cache lists are not stored.", quoting: .definition, "can have arguments that prevent storage of header fields by all caches and shared caches, respectively")
        case .dropPrivateFields: RuleRow(.must, "Fields that a qualified private lists are not stored by a shared cache.", quoting: .mustNot, "a shared cache MUST NOT store the listed header fields if they are present in the original response", in: "RFC 9111 §5.2.2.7")
        case .trailersApart: RuleRow(.must, "Trailer fields are not merged into the stored header fields.", quoting: .mustNot, "Caches MUST NOT combine trailer fields with header fields.")
        case .updateReplacesFields: RuleRow(.must, "Updating adds each field of the new response to the stored one and replaces its previous values.", quoting: .must, "the cache MUST add each header field in the provided response to the stored response, replacing field values that are already present")
        case .updateKeepsOtherFields: RuleRow(.must, "Updating keeps the stored fields that the new response does not have.", quoting: .must, "the cache MUST add each header field in the provided response to the stored response")
        case .updateKeepsContentLength: RuleRow(.must, "Updating does not change Content-Length.", quoting: .definition, "with the following exceptions")
        case .updateSkipsUnstoredFields: RuleRow(.must, "Updating adds no field that is excluded from storage.", quoting: .definition, "Header fields excepted from storage in")
        case .updateKeepsContentFraming: RuleRow(.must, "Updating does not change Content-Encoding and Content-Range, which the stored content depends on.", quoting: .definition, "Header fields that the cache's stored response depends upon, as described below")
        case .incompleteNotComplete: RuleRow(.must, "An interrupted response is never used as a complete one.", quoting: .mustNot, "A cache MUST NOT use an incomplete response to answer requests unless the response has been made complete")
        case .partialNotStored: RuleRow(.must, "A 206 is stored only for a request with Range, and with one valid Content-Range that matches its content; any other response with Content-Range is not stored.", quoting: .mustNot, "a cache MUST NOT store incomplete or partial-content responses if it does not support the Range and Content-Range header fields")
        case .partialStored: RuleRow(.optimal, "A 206, or the received part of an interrupted 200, is stored as an incomplete response.", quoting: .may, "a 206 (Partial Content) response MAY be stored as if it were an incomplete 200 (OK) response")
        case .incompleteCompleted: RuleRow(.optimal, "An incomplete stored response is completed by a range request with If-Range.", quoting: .may, "A cache MAY complete a stored incomplete response by making a subsequent range request")
        case .partialServed: RuleRow(.optimal, "A range within the stored content is answered from the store.", quoting: .definition, "the request is partial and specifies a range wholly within the incomplete response")
        case .partsCombined: RuleRow(.must, "Partial responses are combined only if they share a strong validator.", quoting: .definition, "if they all share the same strong validator and the cache complies with the client requirements")
        case .authorizationInShared: RuleRow(.must, "A shared cache does not store the response to a request with Authorization unless a directive allows it.", quoting: .mustNot, "A shared cache MUST NOT use a cached response to a request with an Authorization header field")
        case .authorizationAllowed: RuleRow(.optimal, "must-revalidate, public or s-maxage lets a shared cache store the response to a request with Authorization.", quoting: .definition, "In this specification, the following response directives have such an effect")
        case .reuseSameTarget: RuleRow(.must, "A stored response is used only for a request with its target URI.", quoting: .mustNot, "When presented with a request, a cache MUST NOT reuse a stored response unless")
        case .reuseMethodAllows: RuleRow(.must, "A stored response is used only for a request method that allows it.", quoting: .definition, "the request method associated with the stored response allows it to be used for the presented request")
        case .reuseNoCacheValidated: RuleRow(.must, "A stored response with no-cache is used only after successful validation.", quoting: .definition, "the stored response does not contain the no-cache directive")
        case .reuseFreshOrAllowed: RuleRow(.must, "A stored response is used only if it is fresh, allowed to be stale, or successfully validated.", quoting: .mustNot, "When presented with a request, a cache MUST NOT reuse a stored response unless")
        case .reuseSetsAge: RuleRow(.must, "A stored response used without validation carries its current age in Age, in place of any other value.", quoting: .must, "a cache MUST generate an Age header field")
        case .writeThrough: RuleRow(.must, "A request with an unsafe or unknown method is forwarded before anything is answered.", quoting: .must, "A cache MUST write through requests with methods that are unsafe")
        case .mostRecentSelected: RuleRow(.must, "If several stored responses are suitable, the one with the most recent Date is used.", quoting: .must, "When more than one suitable response is stored, a cache MUST use the most recent one (as determined by the Date header field).")
        case .collapsedForwarding: RuleRow(.optimal, "The response to one forwarded request answers the concurrent requests for which it may be used.", quoting: .definition, "A cache can use a response that is stored or storable to satisfy multiple requests")
        case .varyMatches: RuleRow(.must, "A stored response is used without validation only if every field its Vary nominates matches the original request's.", quoting: .mustNot, "the cache MUST NOT use that stored response without revalidation unless all the presented request header fields nominated by that Vary field value match")
        case .varyStarNeverMatches: RuleRow(.must, "A stored response whose Vary contains * never matches.", quoting: .definition, "A stored response with a Vary header field value containing a member \"*\" always fails to match.")
        case .varyAbsentMatchesAbsent: RuleRow(.must, "A nominated field that is absent from one request matches only if it is absent from the other.", quoting: .definition, "a header field is absent from a request, it can only match another request if it is also absent there")
        case .varyLinesCombined: RuleRow(.optimal, "Field lines of one name are combined before they are compared.", quoting: .definition, "combining multiple header field lines with the same field name")
        case .varyWhitespaceNormalised: RuleRow(.optimal, "Optional whitespace around the members of a list makes no difference to a match.", quoting: .definition, "adding or removing whitespace, where allowed in the header field's syntax")
        case .varyNameCase: RuleRow(.must, "The names in Vary are compared case-insensitively, over all Vary field lines.", quoting: .definition, "Field names are case-insensitive", in: "RFC 9110 §5.1")
        case .variantsSideBySide: RuleRow(.optimal, "Variants of one target URI that differ in selecting fields are stored side by side.", quoting: .definition, "A cache might store multiple responses for a request target that is subject to content negotiation.", in: "RFC 9111 §2")
        case .varyPreferredOverNone: RuleRow(.should, "A matching stored response with Vary is preferred to one without.", quoting: .should, "the cache SHOULD choose the most recent")
        case .varyPreferences: RuleRow(.optimal, "Accept-Language, Accept-Encoding and Accept-Charset match whatever the case of their members, the latter two whatever the order.", quoting: .definition, "normalizing both header field values in a way that is known to have identical semantics")
        case .varyQuality: RuleRow(.must, "Quality values are compared as numbers, and a refusal (q=0) is not the same as absence.", quoting: .definition, "normalizing both header field values in a way that is known to have identical semantics")
        case .variantAlias: RuleRow(.optimal, "A 304 with the strong entity tag of another variant is stored as a variant with the same content, so that the next request with these selecting fields is a hit.", quoting: .definition, "the most recent response (as determined by the Date header field) is chosen")
        case .languageChosen: RuleRow(.check, "Deviation from §4.1, off by default: if responses in several languages are stored, the one in the request's preferred language is used, even if the request's Accept-Language differs from the stored one.", quoting: .may, "that mechanism MAY be used to choose a preferred response")
        case .freshWhileLifetimeExceedsAge: RuleRow(.must, "A response is fresh while its freshness lifetime exceeds its current age.", quoting: .definition, "response_is_fresh = (freshness_lifetime > current_age)")
        case .expiryDateCase: RuleRow(.should, "The names in a date are read case-insensitively when freshness is calculated.", quoting: .should, "a cache recipient SHOULD match the field value case-insensitively")
        case .expiryDateZone: RuleRow(.should, "A date in a zone other than GMT is invalid for calculating expiration.", quoting: .should, "A cache recipient SHOULD consider a date with a zone abbreviation other than \"GMT\" to be invalid for calculating expiration.")
        case .lifetimeSharedMaxAge: RuleRow(.must, "In a shared cache, s-maxage gives the freshness lifetime and overrides all else.", quoting: .definition, "If the cache is shared and the s-maxage response directive")
        case .lifetimeSharedMaxAgePrivate: RuleRow(.must, "A private cache ignores s-maxage.", quoting: .definition, "indicates that, for a shared cache, the maximum age specified by this directive overrides the maximum age", in: "RFC 9111 §5.2.2.10")
        case .lifetimeMaxAge: RuleRow(.must, "max-age gives the freshness lifetime and overrides Expires.", quoting: .definition, "using the first match")
        case .lifetimeExpires: RuleRow(.must, "Expires minus Date gives the freshness lifetime if no directive does.", quoting: .definition, "A response's freshness lifetime is the length of time between its generation by the origin server and its expiration time", in: "RFC 9111 §4.2")
        case .lifetimeConflict: RuleRow(.should, "If a directive or Expires has differing values, the smallest is used.", quoting: .recommendedInLowerCase, "either the first occurrence should be used or the response should be considered stale")
        case .lifetimeInvalid: RuleRow(.should, "A response with invalid freshness information is stale.", quoting: .encouraged, "Caches are encouraged to consider responses that have invalid freshness information")
        case .lifetimeMostRestrictive: RuleRow(.should, "Of conflicting directives the most restrictive one is honoured.", quoting: .recommendedInLowerCase, "the most restrictive directive should be honored")
        case .heuristicOnlyWithoutExplicit: RuleRow(.must, "Heuristic freshness is not used if the response has an explicit expiration time.", quoting: .mustNot, "A cache MUST NOT use heuristics to determine freshness when an explicit expiration time is present in the stored response.")
        case .heuristicStatus: RuleRow(.must, "Heuristic freshness is used only with a heuristically cacheable status code or an explicit mark of cacheability.", quoting: .definition, "heuristics can only be used on responses without explicit freshness whose status codes are defined as heuristically cacheable")
        case .heuristicTenPercent: RuleRow(.optimal, "The heuristic freshness lifetime is a tenth of the time between Last-Modified and Date.", quoting: .definition, "A typical setting of this fraction might be 10%.")
        case .heuristicLimited: RuleRow(.optimal, "The heuristic freshness lifetime has a limit, and a lower one for responses that are errors.", quoting: .definition, "it does impose worst-case constraints on their results")
        case .ageApparent: RuleRow(.optimal, "The apparent age is the response time minus Date, and never negative.", quoting: .definition, "apparent_age = max(0, response_time - date_value)")
        case .ageCorrected: RuleRow(.must, "The corrected age value is the Age field plus the time between request and response.", quoting: .definition, "A response's age is the time that has passed since it was generated by, or successfully validated with, the origin server.", in: "RFC 9111 §4.2")
        case .ageLarger: RuleRow(.optimal, "The initial age is the larger of apparent age and corrected age value.", quoting: .definition, "corrected_initial_age = max(apparent_age, corrected_age_value)")
        case .ageResident: RuleRow(.must, "The current age is the initial age plus the time since the response time.", quoting: .definition, "current_age = corrected_initial_age + resident_time")
        case .staleForbidden: RuleRow(.must, "no-cache, must-revalidate and, in a shared cache, proxy-revalidate and s-maxage forbid using a stale response.", quoting: .mustNot, "A cache MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive")
        case .staleOnlyAllowed: RuleRow(.must, "A stale response is used only when the cache is disconnected or the client or the origin allows it.", quoting: .mustNot, "A cache MUST NOT generate a stale response unless it is disconnected or doing so is explicitly permitted by the client or origin server")
        case .staleDisconnected: RuleRow(.optimal, "A stale response is used when the origin cannot be reached and nothing forbids it.", quoting: .definition, "A disconnected cache can serve stale responses in some circumstances", in: "RFC 9111 §2")
        case .conditionEntityTag: RuleRow(.must, "A validation carries the stored entity tag in If-None-Match, exactly as it was received.", quoting: .must, "MUST send the relevant entity tags")
        case .conditionLastModified: RuleRow(.should, "A validation carries the stored Last-Modified in If-Modified-Since, exactly as it was received.", quoting: .should, "SHOULD send the Last-Modified value (using If-Modified-Since) if the request is not for a subrange")
        case .conditionSeveralTags: RuleRow(.optimal, "A validation carries the entity tags of all stored variants of the target URI.", quoting: .definition, "One or more entity tags, indicating one or more stored responses, can be used in an If-None-Match header field")
        case .conditionNone: RuleRow(.must, "Without a stored validator the request is sent without preconditions.", quoting: .definition, "These contain validator metadata sourced from a stored response(s) that has the same URI.")
        case .conditionKeepsRequest: RuleRow(.must, "A validation keeps the method, target and fields of the request that causes it.", quoting: .definition, "a cache either starts with a request it is attempting to satisfy")
        case .conditionPartial: RuleRow(.optimal, "A range request for a stored response without an entity tag is validated with its strong modification date in If-Range.", quoting: .may, "MAY send the Last-Modified value (using If-Unmodified-Since or If-Range) if the request is for a subrange")
        case .callerConditionForwarded: RuleRow(.optimal, "A request whose preconditions the store cannot evaluate is forwarded with them, and its 304 is delivered unchanged.", quoting: .definition, "such preconditions are likely intended for some other (inbound) server")
        case .originOnlyConditions: RuleRow(.must, "If-Match and If-Unmodified-Since are left to the origin.", quoting: .mustNot, "A cache MUST NOT evaluate conditional header fields that only apply to an origin server")
        case .callerIfNoneMatch: RuleRow(.should, "If-None-Match of a request is evaluated against the stored response.", quoting: .should, "the cache SHOULD evaluate any applicable conditional header field preconditions received in that request")
        case .callerIfModifiedSince: RuleRow(.should, "If-Modified-Since of a request without If-None-Match is evaluated against the stored response.", quoting: .should, "the cache SHOULD evaluate any applicable conditional header field preconditions received in that request")
        case .callerIfRange: RuleRow(.must, "If-Range is evaluated against the stored response before a range is answered from it.", quoting: .must, "A recipient of an If-Range header field MUST ignore the Range header field if the If-Range condition evaluates to false.", in: "RFC 9110 §13.1.5")
        case .callerTagsJoined: RuleRow(.optimal, "A validation for a request with If-None-Match carries the stored entity tags and those of the request.", quoting: .may, "the cache MAY combine the received list with a list of entity tags from its own stored set of responses")
        case .callerTagOther: RuleRow(.must, "A 304 whose entity tag the request does not list is answered with the freshened stored response.", quoting: .must, "the cache MUST generate a 200 (OK) response for the client by reusing its corresponding stored response")
        case .partialTagApart: RuleRow(.must, "The entity tag of an incomplete response is sent in If-None-Match only for ranges that it has.", quoting: .mustNot, "the cache MUST NOT include its entity tag in the union unless the request is for a range")
        case .validationNotModified: RuleRow(.must, "After a 304 the stored response is freshened and used.", quoting: .definition, "indicates that the stored response can be updated and reused")
        case .validationFull: RuleRow(.must, "A full response to a validation is used, and replaces the stored one if it may be stored.", quoting: .must, "the cache MUST use the full response to satisfy the request")
        case .validationServerError: RuleRow(.optimal, "A 5xx response to a validation is passed on, unless the client or the origin allows the stale response in its place.", quoting: .definition, "it can either forward this response to the requesting client or act as if the server failed to respond")
        case .freshenStrong: RuleRow(.must, "A 304 with a strong validator freshens every candidate that has the same one, and no other.", quoting: .mustNot, "the cache MUST NOT use the new response to update any stored responses")
        case .freshenWeak: RuleRow(.must, "A 304 with only weak validators freshens the most recent candidate that matches.", quoting: .definition, "the most recent of those matching stored responses is identified for update")
        case .freshenOnlyCandidate: RuleRow(.must, "A 304 without validators freshens the only candidate if that has no validator either.", quoting: .definition, "that stored response also lacks a validator, then that stored response is identified for update")
        case .freshenNone: RuleRow(.must, "A 304 that identifies no stored response updates none, which is required if it has a strong validator.", quoting: .mustNot, "the cache MUST NOT use the new response to update any stored responses")
        case .headFreshens: RuleRow(.should, "A 200 to HEAD whose validators and Content-Length match updates the stored GET response.", quoting: .should, "the cache SHOULD update the stored response as described below")
        case .headInvalidates: RuleRow(.should, "A 200 to HEAD that differs in ETag, Last-Modified or Content-Length makes the stored GET response stale.", quoting: .should, "the cache SHOULD consider the stored response to be stale")
        case .unsafeInvalidates: RuleRow(.must, "A non-error response to an unsafe method invalidates what is stored for the target URI.", quoting: .must, "A cache MUST invalidate the target URI")
        case .unknownMethodInvalidates: RuleRow(.must, "A method of unknown safety invalidates like an unsafe method.", quoting: .definition, "in response to an unsafe request method (including methods whose safety is unknown)")
        case .locationInvalidated: RuleRow(.optimal, "The URI in Location of a non-error response to an unsafe method is invalidated, too.", quoting: .may, "A cache MAY invalidate other URIs when it receives a non-error status code in response to an unsafe request method")
        case .contentLocationInvalidated: RuleRow(.optimal, "The URI in Content-Location of a non-error response to an unsafe method is invalidated, too.", quoting: .may, "A cache MAY invalidate other URIs when it receives a non-error status code in response to an unsafe request method")
        case .otherOriginKept: RuleRow(.must, "A URI of another origin is not invalidated.", quoting: .mustNot, "a cache MUST NOT trigger an invalidation under these conditions if the origin")
        case .errorInvalidatesNothing: RuleRow(.optimal, "An error response invalidates nothing.", quoting: .definition, "A \"non-error response\" is one with a 2xx (Successful) or 3xx (Redirection) status code.")
        case .safeInvalidatesNothing: RuleRow(.optimal, "A response to a safe method invalidates nothing.", quoting: .definition, "Because unsafe request methods")
        case .invalidatedNeedsValidation: RuleRow(.must, "An invalidated stored response is not used until it has been validated.", quoting: .definition, "in need of a mandatory validation before they can be sent in response to a subsequent request")
        case .ageFirstValue: RuleRow(.should, "Of several Age values, the first is used.", quoting: .should, "SHOULD use the first member of the field value, discarding subsequent ones")
        case .ageInvalid: RuleRow(.should, "An Age value that is not a non-negative integer is ignored.", quoting: .should, "a cache SHOULD ignore the field")
        case .directiveNameCase: RuleRow(.must, "The names of directives are compared case-insensitively.", quoting: .definition, "Cache directives are identified by a token, to be compared case-insensitively")
        case .directiveArgumentForms: RuleRow(.should, "The argument of a directive is accepted as a token and as a quoted string.", quoting: .ought, "recipients ought to accept both forms, even if a specific form is required for generation")
        case .directiveUnknown: RuleRow(.must, "Unknown directives are ignored.", quoting: .must, "A cache MUST ignore unrecognized cache directives.", in: "RFC 9111 §5.2.3")
        case .directiveLines: RuleRow(.must, "Directives of all Cache-Control field lines apply, and empty list members are allowed.", quoting: .must, "A recipient MUST parse and ignore a reasonable number of empty list elements", in: "RFC 9110 §5.6.1.2")
        case .requestMaxAge: RuleRow(.optimal, "A stored response older than the request's max-age is validated.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestMaxStale: RuleRow(.optimal, "The request's max-stale=N allows a response that has been stale for no more than N seconds.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestMaxStaleAny: RuleRow(.optimal, "The request's max-stale without an argument allows a stale response of any age.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestMinFresh: RuleRow(.optimal, "The request's min-fresh asks for a response that stays fresh for at least that long.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestNoCache: RuleRow(.optimal, "The request's no-cache asks for validation of a fresh stored response.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestNoStore: RuleRow(.optimal, "The response to a request with no-store is not stored.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestNoStoreHit: RuleRow(.optimal, "A request with no-store may still be answered from the store.", quoting: .definition, "the no-store request directive does not apply to the already stored response")
        case .requestNoTransform: RuleRow(.optimal, "The content is passed on as it was received.", quoting: .may, "caches MAY implement them, but are not required to", in: "RFC 9111 §5.2.1")
        case .requestOnlyIfCached: RuleRow(.optimal, "The request's only-if-cached is answered from the store or with 504.", quoting: .should, "Caches that honor this request directive SHOULD, upon receiving it, respond with either a stored response consistent with the other constraints of the request")
        case .responseMaxAge: RuleRow(.must, "A response is stale after its max-age.", quoting: .definition, "the response is to be considered stale after its age is greater than the specified number of seconds")
        case .responseMustRevalidate: RuleRow(.must, "Once stale, a response with must-revalidate is not used without validation, not even by a disconnected cache.", quoting: .mustNot, "a cache MUST NOT reuse that response to satisfy another request until it has been successfully validated by the origin")
        case .responseMustRevalidateFailed: RuleRow(.must, "If must-revalidate keeps a disconnected cache from using a stale response, the cache responds with an error, preferably 504.", quoting: .must, "if a cache is disconnected, the cache MUST generate an error response rather than reuse the stale response")
        case .responseMustUnderstand: RuleRow(.should, "no-store is ignored with must-understand if the cache understands the status code.", quoting: .should, "the cache SHOULD ignore the no-store directive if it understands and implements the status code's caching requirements")
        case .responseMustUnderstandUnknown: RuleRow(.must, "A response with must-understand and a status code the cache does not understand is not stored.", quoting: .definition, "limits caching of the response to a cache that understands and conforms to the requirements for that response's status code")
        case .responseNoCache: RuleRow(.must, "A response with no-cache is stored, and validated before each use.", quoting: .mustNot, "the response MUST NOT be used to satisfy any other request without forwarding it for validation and receiving a successful response")
        case .responseNoCacheFields: RuleRow(.must, "A response with no-cache and field names is used without those fields.", quoting: .mustNot, "When presented with a request, a cache MUST NOT reuse a stored response unless", in: "RFC 9111 §4")
        case .responseNoStore: RuleRow(.must, "no-store keeps a response out of every cache.", quoting: .mustNot, "a cache MUST NOT store any part of either the immediate request or the response")
        case .responseNoTransform: RuleRow(.must, "no-transform keeps the content from being transformed.", quoting: .mustNot, "an intermediary (regardless of whether it implements a cache) MUST NOT transform the content")
        case .responsePrivate: RuleRow(.must, "private keeps a response out of shared caches, and lets a private cache store it.", quoting: .mustNot, "a shared cache MUST NOT store the response (i.e., the response is intended for a single user)")
        case .responsePrivateFields: RuleRow(.must, "private with field names keeps only those fields out of shared caches.", quoting: .mustNot, "a shared cache MUST NOT store the listed header fields if they are present in the original response")
        case .responseProxyRevalidate: RuleRow(.must, "proxy-revalidate is must-revalidate for shared caches.", quoting: .mustNot, "a shared cache MUST NOT reuse that response to satisfy another request until it has been successfully validated by the origin")
        case .responsePublic: RuleRow(.optimal, "public allows storing a response that could not be stored otherwise.", quoting: .may, "a cache MAY store the response even if it would otherwise be prohibited")
        case .responseSharedMaxAge: RuleRow(.must, "s-maxage forbids a shared cache to use the response without validation once it is stale.", quoting: .mustNot, "A shared cache MUST NOT reuse a stale response with s-maxage to satisfy another request until it has been successfully validated")
        case .expiresInvalid: RuleRow(.must, "An Expires value that is not a date, in particular 0, is treated as a time in the past.", quoting: .must, "A cache recipient MUST interpret invalid date formats, especially the value \"0\", as representing a time in the past")
        case .expiresIgnored: RuleRow(.must, "Expires is ignored with max-age, and with s-maxage in a shared cache.", quoting: .must, "a recipient MUST ignore the Expires header field")
        case .pragmaNoCache: RuleRow(.optimal, "Pragma: no-cache in a request without Cache-Control is treated as no-cache.", quoting: .definition, "this specification deprecates Pragma")
        case .heuristicSetCookie: RuleRow(.optimal, "A shared cache does not store a response with Set-Cookie that nothing marks as cacheable.", quoting: .definition, "the Set-Cookie response header field [COOKIE] does not inhibit caching")
        case .staleWhileRevalidate: RuleRow(.optimal, "A response is used stale for no longer than its stale-while-revalidate while it is validated.", quoting: .may, "caches MAY serve the response it appears in after it becomes stale, up to the indicated number of seconds")
        case .staleWhileRevalidateBackground: RuleRow(.should, "A response used stale because of stale-while-revalidate is validated in the background.", quoting: .should, "the cache SHOULD attempt to revalidate it while still serving stale responses (i.e., without blocking)")
        case .staleWhileRevalidatePast: RuleRow(.should, "After the stale-while-revalidate window the response is validated first.", quoting: .shouldNot, "it SHOULD NOT continue to be served stale, absent other information")
        case .staleIfErrorResponse: RuleRow(.optimal, "The response's stale-if-error allows it to be used stale for that long in place of an error.", quoting: .may, "when an error is encountered, a cached stale response MAY be used to satisfy the request")
        case .staleIfErrorRequest: RuleRow(.optimal, "The request's stale-if-error allows the stored response to be used stale for that long in place of an error.", quoting: .may, "when an error is encountered, a cached stale response MAY be used to satisfy the request")
        case .staleIfErrorPast: RuleRow(.should, "After the stale-if-error window the error is passed on.", quoting: .shouldNot, "the cached response SHOULD NOT be used to satisfy the request, absent other information")
        case .staleIfErrorStatus: RuleRow(.must, "An error is 500, 502, 503, 504, a code that is treated as one of them, or an origin that cannot be reached.", quoting: .definition, "an error is any situation which would result in a 500, 502, 503 or 504 HTTP response status code being returned")
        case .storeKeptOnError: RuleRow(.optimal, "A server error does not replace a stored response that stale-if-error still covers.", quoting: .may, "a cached stale response MAY be used to satisfy the request")
        case .immutableFresh: RuleRow(.should, "A fresh response with immutable is used without validation unless the request asks for it.", quoting: .shouldNot, "Clients SHOULD NOT issue a conditional request during the response’s freshness lifetime")
        case .immutableStale: RuleRow(.should, "A stale response with immutable is validated like any other.", quoting: .should, "Stale responses SHOULD be revalidated as they normally would be in the absence of the immutable extension.")
        case .targetNormalised: RuleRow(.optimal, "Spellings of one target URI that are equal after normalization share stored responses.", quoting: .may, "any HTTP component MAY perform normalization")
        case .dateForms: RuleRow(.must, "Dates are read in the IMF-fixdate, RFC 850 and asctime forms.", quoting: .must, "A recipient that parses a timestamp value in an HTTP field MUST accept all three HTTP-date formats.")
        case .dateTwoDigitYear: RuleRow(.must, "A two-digit year that seems more than 50 years ahead is the last past year with those digits.", quoting: .must, "MUST interpret a timestamp that appears to be more than 50 years in the future as representing the most recent year in the past")
        case .dateWritten: RuleRow(.must, "Dates are written in the IMF-fixdate form.", quoting: .must, "the sender MUST generate those timestamps in the IMF-fixdate format")
        case .dateMissing: RuleRow(.must, "A response without Date is treated as generated when it was received.", quoting: .must, "A recipient with a clock that receives a response message without a Date header field MUST record the time it was received")
        case .noContentHasNoLength: RuleRow(.must, "A 204 (No Content) response is sent without Content-Length.", quoting: .mustNot, "A server MUST NOT send a Content-Length header field in any response with a status code of 1xx (Informational) or 204 (No Content).")
        case .entityTagStrong: RuleRow(.must, "Two entity tags match strongly if both are strong and their opaque tags are equal.", quoting: .definition, "two entity tags are equivalent if both are not weak and their opaque-tags match")
        case .entityTagWeak: RuleRow(.must, "Two entity tags match weakly if their opaque tags are equal.", quoting: .definition, "two entity tags are equivalent if their opaque-tags match character-by-character")
        case .contentUnshared: RuleRow(.optimal, "A GET or HEAD with content is answered by the origin, and its response answers no other request.", quoting: .definition, "content received in a GET request has no generally defined semantics")
        case .headFromGet: RuleRow(.optimal, "HEAD is answered from a stored response to GET, without content.", quoting: .definition, "The HEAD method is identical to GET except")
        case .postReused: RuleRow(.optimal, "A 200 or 203 to POST with explicit freshness and the target URI in Content-Location is stored, and answers GET and HEAD.", quoting: .definition, "A cached POST response can be reused to satisfy a later GET or HEAD request.")
        case .unsolicitedPart: RuleRow(.optimal, "A 206 to a request without Range is rejected: the request did not ask for a part.", quoting: .definition, "the server is successfully fulfilling a range request for the target resource")
        case .unsolicitedNotModified: RuleRow(.optimal, "A 304 to a request without a precondition is rejected: there is nothing to confirm.", quoting: .definition, "would have resulted in a 200 (OK) response if it were not for the fact that the condition evaluated to false")
        case .partsSeparated: RuleRow(.optimal, "The ranges of a 206 with multipart/byteranges are stored as parts of one representation, at their positions.", quoting: .definition, "multiple parts are being transferred")
        case .postExplicit: RuleRow(.must, "A response to POST is stored only with explicit freshness.", quoting: .definition, "Responses to POST requests are only cacheable when they include explicit freshness information")
        case .postLocation: RuleRow(.must, "A response to POST is stored only if its Content-Location is the target URI.", quoting: .definition, "a Content-Location header field that has the same value as the POST's target URI")
        case .heuristicStatuses: RuleRow(.must, "The heuristically cacheable status codes are 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414 and 501.", quoting: .definition, "all other status codes are not heuristically cacheable")
        case .rangeForwarded: RuleRow(.optimal, "A range request that no stored response can answer is forwarded unchanged.", quoting: .may, "A server MAY ignore the Range header field.")
        case .rangeOfGet: RuleRow(.must, "Range is ignored with methods other than GET and if the response is not a 200.", quoting: .must, "A server MUST ignore a Range header field received with a request method that is unrecognized or for which range handling is not defined.")
        case .rangeIgnored: RuleRow(.optimal, "A Range that is malformed, has an unknown unit, or has too many ranges is ignored.", quoting: .may, "MAY ignore or reject a Range header field")
        case .rangeUnsatisfiable: RuleRow(.optimal, "Ranges that are all beyond the end are answered with 416 and the complete length.", quoting: .should, "the server SHOULD send a 416 (Range Not Satisfiable) response", in: "RFC 9110 §14.2")
        case .contentDecoded: RuleRow(.must, "Content whose codings the client knows is delivered decoded.", quoting: .definition, "what decoding mechanisms have to be applied in order to obtain data in the media type referenced by the Content-Type header field")
        case .codingsInOrder: RuleRow(.must, "Of several content codings the one that was applied last is decoded first.", quoting: .must, "MUST generate a Content-Encoding header field that lists the content codings in the order in which they were applied")
        case .codingCase: RuleRow(.must, "The names of content codings are compared case-insensitively.", quoting: .definition, "All content codings are case-insensitive")
        case .codingAlias: RuleRow(.should, "x-gzip is equivalent to gzip.", quoting: .should, "A recipient SHOULD consider \"x-gzip\" to be equivalent to \"gzip\"")
        case .redirectMethod: RuleRow(.should, "A followed redirect repeats the request, with GET in place of POST after 301 and 302, and in place of every method but HEAD after 303.", quoting: .should, "the user agent SHOULD resend the original request message with the following modifications")
        case .redirectMethodKept: RuleRow(.must, "A redirect with 307 keeps the request method.", quoting: .mustNot, "the user agent MUST NOT change the request method if it performs an automatic redirection")
        case .redirectContentFields: RuleRow(.should, "Where a redirect changes the method to GET, the fields about the content are removed.", quoting: .should, "the user agent SHOULD resend the original request message with the following modifications")
        case .redirectCredentials: RuleRow(.should, "Credentials are not sent to another origin that a redirect names.", quoting: .should, "the user agent SHOULD resend the original request message with the following modifications")
        case .redirectLoops: RuleRow(.should, "An endless chain of redirects ends with an error.", quoting: .should, "A client SHOULD detect and intervene in cyclical redirections")
        case .statusHit: RuleRow(.optimal, "A request answered from the store without the origin is a hit.", quoting: .definition, "indicates that the request was satisfied by the cache; that is, it was not forwarded, and the response was obtained from the cache")
        case .forwardBypass: RuleRow(.optimal, "A request that is configured to bypass the cache is forwarded as bypass.", quoting: .definition, "The cache was configured to not handle this request.")
        case .forwardMethod: RuleRow(.optimal, "A request whose method requires it is forwarded as method.", quoting: .definition, "The request method's semantics require the request to be forwarded.")
        case .forwardURIMiss: RuleRow(.optimal, "A request with nothing stored for its target URI is forwarded as uri-miss.", quoting: .definition, "The cache did not contain any responses that matched the request URI.")
        case .forwardVaryMiss: RuleRow(.optimal, "A request with no matching variant is forwarded as vary-miss.", quoting: .definition, "it could not select a response based upon this request's header fields and stored Vary header fields")
        case .forwardMiss: RuleRow(.optimal, "A request with nothing usable, for any other reason, is forwarded as miss.", quoting: .definition, "an implementation cannot distinguish between uri-miss and vary-miss")
        case .forwardRequest: RuleRow(.optimal, "A request whose own directives or preconditions require it is forwarded as request.", quoting: .definition, "but the request's semantics (e.g., Cache-Control request directives) did not allow its use")
        case .forwardStale: RuleRow(.optimal, "A request with a stale stored response is forwarded as stale.", quoting: .definition, "able to select a response for the request, but it was stale")
        case .forwardPartial: RuleRow(.optimal, "A request with an incomplete stored response is forwarded as partial.", quoting: .definition, "able to select a partial response for the request, but it did not contain all of the requested ranges")
        case .statusForwardStatus: RuleRow(.optimal, "The status code of the origin's response is reported if it differs from that of the cache's response.", quoting: .definition, "If fwd-status is not present but the fwd parameter is, it defaults to the status code sent in the response.")
        case .statusTimeToLive: RuleRow(.optimal, "The remaining freshness lifetime is reported, negative for a stale response.", quoting: .definition, "indicates the response's remaining freshness lifetime")
        case .statusStored: RuleRow(.optimal, "Whether the origin's response was stored is reported.", quoting: .definition, "is a Boolean that indicates whether the cache stored the response")
        case .statusCollapsed: RuleRow(.optimal, "Whether the request was answered by another's exchange is reported.", quoting: .definition, "is a Boolean that indicates whether this request was collapsed together with one or more other forward requests")
        case .statusMembers: RuleRow(.must, "The members of caches closer to the origin come first, in their order.", quoting: .definition, "The first member represents the cache closest to the origin server, and the last member represents the cache closest to the user")
        case .targetedStructured: RuleRow(.must, "A targeted field is parsed as a structured dictionary; parameters are ignored.", quoting: .definition, "Targeted fields are Dictionary Structured Fields")
        case .targetedInvalid: RuleRow(.must, "A targeted field that is empty or does not parse is ignored.", quoting: .must, "that field MUST be ignored by the cache (i.e., it behaves as if the field were not present")
        case .targetedType: RuleRow(.should, "A directive of a targeted field whose value is of the wrong type is ignored.", quoting: .shouldNot, "Implementations SHOULD NOT consume values that violate these inferred constraints.")
        case .targetedFirst: RuleRow(.must, "Of the targeted fields that the cache lists, the first valid one in its list determines how the response is cached.", quoting: .must, "the cache MUST select the first (in target-list order) field with a valid, non-empty value")
        case .targetedNoMixing: RuleRow(.must, "If a targeted field applies, Cache-Control and Expires are ignored.", quoting: .must, "it MUST ignore the Cache-Control and Expires header fields in that response")
        case .targetedUnlisted: RuleRow(.must, "A targeted field that the cache does not list changes nothing and is passed on.", quoting: .mustNot, "Targeted fields that are not on a cache's target list MUST NOT change that cache's behavior and MUST be passed through.")
        case .targetedForwarded: RuleRow(.optimal, "A targeted field that applies here is passed on to caches downstream.", quoting: .definition, "CDN caches that use CDN-Cache-Control will typically forward this header so that downstream CDN caches can use it as well.", in: "RFC 9213 §3")
        case .groupInvalidation: RuleRow(.optimal, "Cache-Group-Invalidation of a successful response to an unsafe method invalidates the stored responses in these groups.", quoting: .may, "MAY invalidate any stored responses that share groups")
        case .groupShared: RuleRow(.optimal, "If an unsafe request invalidates a stored response, those that share a group with it are invalidated, too, and no others.", quoting: .may, "A cache that invalidates a stored response MAY invalidate any stored responses that share groups")
        case .groupOrigin: RuleRow(.must, "Groups of the same name at two origins are two groups.", quoting: .definition, "They both share the same URI origin")
        case .contentDigestKept: RuleRow(.should, "Content-Digest stays with the content that it was computed for: a range, a combination of parts and an update by a response without that content do not have it.", quoting: .definition, "digests that are calculated using a hashing algorithm applied to the actual message content")
        case .reprDigestKept: RuleRow(.should, "Repr-Digest stays with the representation that it was computed for: only a response with the same strong entity tag updates it, and a range has it.", quoting: .definition, "digests that are calculated using a hashing algorithm applied to the entire selected representation data")
        case .dictionaryUsable: RuleRow(.must, "A stored response is offered as a dictionary only while it is fresh or may be served stale.", quoting: .must, "the dictionary resource MUST be either fresh [HTTP-CACHING] or allowed to be served stale")
        case .dictionaryCodings: RuleRow(.must, "A client without a dictionary for a request does not accept dcb and dcz.", quoting: .mustNot, "the client MUST NOT send its dictionary-aware content encodings in the \"Accept-Encoding\" request header")
        case .dictionaryVaries: RuleRow(.optimal, "A response coded with dcb or dcz is reused only for the same Available-Dictionary and Accept-Encoding, even if its Vary does not name them.", quoting: .must, "it MUST include a \"Vary\" header to prevent caches from serving dictionary-compressed resources to clients that don't support them")
        case .queryRedirected: RuleRow(.should, "After 301, 302, 307 and 308 a QUERY is repeated as QUERY, with its content.", quoting: .definition, "the exceptions for redirecting a POST as a GET request after a 301 or 302 response do not apply to QUERY requests")
        case .querySeeOther: RuleRow(.should, "After 303 a QUERY is followed by a GET for the new URI, without content.", quoting: .definition, "this means sending a GET request to the new target URI")
        case .queryConditions: RuleRow(.optimal, "The preconditions of a QUERY are evaluated for the stored response to the same query.", quoting: .definition, "is the same as for a GET request to the equivalent resource")
        case .queryKey: RuleRow(.must, "The key of a QUERY includes its content and the fields that describe the content.", quoting: .must, "MUST incorporate the request content ([RFC9111] §6) and related metadata")
        case .queryNeedsContent: RuleRow(.must, "A QUERY whose content is not known before it is sent is neither stored nor answered from the store.", quoting: .definition, "complete reading of the request's content is needed in order to determine the cache key")
        case .queryReused: RuleRow(.optimal, "A stored response to QUERY answers the same QUERY.", quoting: .may, "a cache MAY use it to satisfy subsequent QUERY requests")
        case .queryUnchanged: RuleRow(.must, "A QUERY is forwarded with its content and metadata unchanged, however its key is formed.", quoting: .definition, "any such transformation is performed solely for the purpose of generating a cache key; it does not change the request itself")
        case .queryRanges: RuleRow(.optimal, "A range of the stored response to a QUERY answers the same QUERY with Range.", quoting: .definition, "The semantics of Range Requests for QUERY are identical to those for GET")
        case .incrementalForwarded: RuleRow(.should, "A message with Incremental: ?1 is forwarded as it arrives, and no other request waits for it to end.", quoting: .shouldNot, "HTTP intermediaries SHOULD NOT buffer the entire message before forwarding it.")
        case .searchIgnored: RuleRow(.optimal, "A stored response with No-Vary-Search answers requests whose queries differ only in the parameters that it ignores.")
        case .searchMalformed: RuleRow(.must, "A malformed No-Vary-Search is ignored: the whole query counts.")
        case .clearSiteData: RuleRow(.must, "Clear-Site-Data with \"cache\" or \"*\" removes the responses of the origin that a private cache has stored.")
        case .clearSiteTrustworthy: RuleRow(.must, "Clear-Site-Data is obeyed only from a potentially trustworthy origin.")
        case .policyProtocol: RuleRow(.must, "useProtocolCachePolicy leaves the decision to RFC 9111.")
        case .policyReloadIgnoringLocal: RuleRow(.must, "reloadIgnoringLocalCacheData loads from the origin without validators, whatever is stored.")
        case .policyReloadIgnoringRemote: RuleRow(.should, "reloadIgnoringLocalAndRemoteCacheData also instructs caches on the way; that it does so by no-cache in Cache-Control and Pragma is this project's choice, as Apple names no field.")
        case .policyReturnElseLoad: RuleRow(.must, "returnCacheDataElseLoad uses a stored response of any age, and loads if there is none.")
        case .policyReturnDontLoad: RuleRow(.must, "returnCacheDataDontLoad uses a stored response of any age, and fails without the network if there is none.")
        case .policyReloadRevalidating: RuleRow(.must, "reloadRevalidatingCacheData validates the stored response even if it is fresh.")
        }
    }
}
