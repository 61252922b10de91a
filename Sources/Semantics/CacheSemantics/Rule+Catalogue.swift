/// The catalogue's entry of a rule.
private struct Entry {
    let level: RuleLevel
    let sentence: String

    static func must(_ sentence: String) -> Entry { Entry(level: .must, sentence: sentence) }
    static func should(_ sentence: String) -> Entry { Entry(level: .should, sentence: sentence) }
    static func optimal(_ sentence: String) -> Entry { Entry(level: .optimal, sentence: sentence) }
}

extension Rule {
    /// Its specification and section, as "RFC 9111 §4.2.1".
    public var section: String {
        let parts = rawValue.split(separator: ".")
        guard let specification = parts.first, specification.hasPrefix("rfc") else {
            return Self.otherSections[String(parts.first ?? "")] ?? "Apple, NSURLRequest.CachePolicy"
        }
        let numbers = parts.dropFirst().dropLast().joined(separator: ".")
        return "RFC \(specification.dropFirst(3)) §\(numbers)"
    }

    /// Specifications that are not RFCs.
    private static let otherSections = [
        "query": "draft-ietf-httpbis-safe-method-w-body §2",
        "no-vary-search": "draft-ietf-httpbis-no-vary-search §2",
        "clear-site-data": "W3C Clear Site Data §3.1",
    ]

    /// Its requirement level.
    public var level: RuleLevel { entry.level }

    /// The requirement in one sentence.
    public var sentence: String { entry.sentence }

    private var entry: Entry {
        switch self {
        case .deltaSecondsOverflow:
            .must("A delta-seconds value too large to represent is read as 2147483648.")
        case .deltaSecondsDigitsOnly:
            .must(
                """
                A delta-seconds value consists only of digits; a sign, a fraction or anything else makes \
                it invalid.
                """
            )
        case .keyHasMethodAndTarget:
            .must(
                """
                The primary key of a stored response is at least the request method and the target URI, \
                including the query.
                """
            )
        case .keyHasCredentials:
            .optimal(
                """
                A private cache for several accounts separates the stored responses of different \
                credentials, if it is configured to.
                """
            )
        case .credentialsUnreadable:
            .optimal("Credentials that are part of a key are stored only as salted digests.")
        case .storeMethodUnderstood:
            .must("A response is stored only if the cache understands the request method.")
        case .storeFinalStatus: .must("Only a final response is stored, never an interim one.")
        case .storeStatusUnderstood:
            .must(
                """
                A 206, a 304 and a response with must-understand are stored only by a cache that \
                understands the status code; a 428, 429, 431 or 511 is never stored (RFC 6585).
                """
            )
        case .storeNotForbidden: .must("A response with no-store is not stored.")
        case .storeNotPrivateInShared:
            .must("A shared cache does not store a response with unqualified private.")
        case .storeExplicitOrHeuristic:
            .must(
                """
                A response is stored only with public, private, Expires, max-age, s-maxage in a shared \
                cache, or a heuristically cacheable status code.
                """
            )
        case .storeExplicitAnyStatus:
            .optimal(
                """
                A response with explicit freshness is stored whatever its final status code, even an \
                unknown one.
                """
            )
        case .storeReplacesOlder:
            .optimal(
                """
                A newly received response replaces the stored response of the same key and variant, or \
                removes it if it may not be stored itself.
                """
            )
        case .storeAllFields:
            .must(
                """
                All received header fields are stored, including unknown ones, unless an exception names \
                them.
                """
            )
        case .dropConnectionFields: .must("Connection and the fields it lists are not stored.")
        case .dropHopByHopFields:
            .must(
                """
                Fields that concern one connection (Keep-Alive, Proxy-Connection, TE, Transfer-Encoding, \
                Upgrade) are not stored.
                """
            )
        case .dropProxyFields:
            .must("Proxy-Authenticate, Proxy-Authentication-Info and Proxy-Authorization are not stored.")
        case .dropNoCacheFields: .must("Fields that a qualified no-cache lists are not stored.")
        case .dropPrivateFields:
            .must("Fields that a qualified private lists are not stored by a shared cache.")
        case .trailersApart: .must("Trailer fields are not merged into the stored header fields.")
        case .updateReplacesFields:
            .must(
                """
                Updating adds each field of the new response to the stored one and replaces its previous \
                values.
                """
            )
        case .updateKeepsOtherFields:
            .must("Updating keeps the stored fields that the new response does not have.")
        case .updateKeepsContentLength: .must("Updating does not change Content-Length.")
        case .updateSkipsUnstoredFields: .must("Updating adds no field that is excluded from storage.")
        case .updateKeepsContentFraming:
            .must(
                """
                Updating does not change Content-Encoding and Content-Range, which the stored content \
                depends on.
                """
            )
        case .incompleteNotComplete: .must("An incomplete response is never used as a complete one.")
        case .partialNotStored:
            .must(
                """
                A 206 is stored only for a request with Range, and with one valid Content-Range that \
                matches its content; any other response with Content-Range is not stored.
                """
            )
        case .partialStored:
            .optimal("A 206, or the received part of an incomplete 200, is stored as an incomplete response.")
        case .incompleteCompleted:
            .optimal("An incomplete stored response is completed by a range request with If-Range.")
        case .partialServed: .optimal("A range within the stored content is answered from the store.")
        case .unsolicitedPart:
            .optimal(
                "A 206 to a request without Range is rejected: the whole representation was requested."
            )
        case .unsolicitedNotModified:
            .optimal(
                "A 304 to a request without a precondition is rejected: it has nothing to confirm."
            )
        case .partsSeparated:
            .optimal(
                "The ranges of a 206 with multipart/byteranges are stored as parts of one representation, at their positions."
            )
        case .partsCombined:
            .must("Partial responses are combined only if they share a strong validator.")
        case .authorizationInShared:
            .must(
                """
                A shared cache does not store the response to a request with Authorization unless a \
                directive allows it.
                """
            )
        case .authorizationAllowed:
            .optimal(
                """
                must-revalidate, public or s-maxage lets a shared cache store the response to a request \
                with Authorization.
                """
            )
        case .reuseSameTarget: .must("A stored response is used only for a request with its target URI.")
        case .reuseMethodAllows: .must("A stored response is used only for a request method that allows it.")
        case .reuseNoCacheValidated:
            .must("A stored response with no-cache is used only after successful validation.")
        case .reuseFreshOrAllowed:
            .must(
                """
                A stored response is used only if it is fresh, allowed to be stale, or successfully \
                validated.
                """
            )
        case .reuseSetsAge:
            .must(
                """
                A stored response used without validation carries its current age in Age, in place of \
                any other value.
                """
            )
        case .writeThrough:
            .must("A request with an unsafe or unknown method is forwarded before it is answered.")
        case .mostRecentSelected:
            .must("Of several suitable stored responses, the most recent by Date is used.")
        case .collapsedForwarding:
            .optimal("One forwarded request answers concurrent requests for which its response may be used.")
        case .varyMatches:
            .must(
                """
                A stored response is used without validation only if every field its Vary nominates \
                matches the original request's.
                """
            )
        case .varyStarNeverMatches: .must("A stored response whose Vary contains * never matches.")
        case .varyAbsentMatchesAbsent:
            .must(
                """
                A nominated field that is absent from one request matches only if it is absent from the \
                other.
                """
            )
        case .varyLinesCombined: .optimal("Field lines of one name are combined before they are compared.")
        case .varyWhitespaceNormalised:
            .optimal("Optional whitespace around the members of a list makes no difference to a match.")
        case .varyNameCase:
            .must("The names in Vary are compared case-insensitively, over all Vary field lines.")
        case .variantsSideBySide:
            .optimal("Variants of one target URI that differ in selecting fields are stored side by side.")
        case .varyPreferredOverNone:
            .should("A matching stored response with Vary is preferred to one without.")
        case .freshWhileLifetimeExceedsAge:
            .must("A response is fresh while its freshness lifetime exceeds its current age.")
        case .expiryDateCase:
            .should("The names in a date are read case-insensitively when freshness is calculated.")
        case .expiryDateZone:
            .should("A date in a zone other than GMT is invalid for calculating expiration.")
        case .lifetimeSharedMaxAge:
            .must("In a shared cache, s-maxage gives the freshness lifetime and overrides all else.")
        case .lifetimeSharedMaxAgePrivate: .must("A private cache ignores s-maxage.")
        case .lifetimeMaxAge: .must("max-age gives the freshness lifetime and overrides Expires.")
        case .lifetimeExpires:
            .must("Expires minus Date gives the freshness lifetime if no directive does.")
        case .lifetimeConflict:
            .should("If a directive or Expires has differing values, the smallest is used.")
        case .lifetimeInvalid: .should("A response with invalid freshness information is stale.")
        case .lifetimeMostRestrictive:
            .should("Of conflicting directives the most restrictive one is honoured.")
        case .heuristicOnlyWithoutExplicit:
            .must("Heuristic freshness is not used if the response has an explicit expiration time.")
        case .heuristicStatus:
            .must(
                """
                Heuristic freshness is used only with a heuristically cacheable status code or an explicit \
                mark of cacheability.
                """
            )
        case .heuristicTenPercent:
            .optimal(
                """
                The heuristic freshness lifetime is a tenth of the time between Last-Modified and Date.
                """
            )
        case .heuristicLimited:
            .optimal(
                """
                The heuristic freshness lifetime has a limit, and a lower one for responses that are errors.
                """
            )
        case .heuristicSetCookie:
            .optimal(
                "A shared cache does not store a response with Set-Cookie unless it is marked as cacheable."
            )
        // §4.2.3: the corrected age value may be used as it is, so that no cache has to look at Date.
        case .ageApparent: .optimal("The apparent age is the response time minus Date, and never negative.")
        case .ageCorrected:
            .must("The corrected age value is the Age field plus the time between request and response.")
        case .ageLarger: .optimal("The initial age is the larger of apparent age and corrected age value.")
        case .ageResident: .must("The current age is the initial age plus the time since the response time.")
        case .staleForbidden:
            .must(
                """
                no-cache, must-revalidate and, in a shared cache, proxy-revalidate and s-maxage forbid \
                using a stale response.
                """
            )
        case .staleOnlyAllowed:
            .must(
                """
                A stale response is used only when the cache is disconnected or the client or the origin \
                allows it.
                """
            )
        case .staleDisconnected:
            .optimal("A stale response is used when the origin cannot be reached and nothing forbids it.")
        case .varyPreferences:
            .optimal(
                """
                Accept-Language, Accept-Encoding and Accept-Charset match regardless of the case of \
                their members, the latter two also regardless of order.
                """
            )
        case .varyQuality:
            .must("Quality values are compared as numbers, and a refusal (q=0) is not the same as absence.")
        case .variantAlias:
            .optimal(
                """
                A 304 with the strong entity tag of another variant is stored as a variant with the same content, \
                so that the next request with these selecting fields is a hit.
                """
            )
        case .languageChosen:
            Entry(
                level: .check,
                sentence: """
                    Deviation from §4.1, off by default: of responses stored in several languages, the \
                    request's first choice is used although Accept-Language differs.
                    """
            )
        case .conditionEntityTag:
            .must("A validation carries the stored entity tag in If-None-Match, exactly as it was received.")
        case .conditionLastModified:
            .should(
                """
                A validation carries the stored Last-Modified in If-Modified-Since, exactly as it was \
                received.
                """
            )
        case .conditionSeveralTags:
            .optimal("A validation carries the entity tags of all stored variants of the target URI.")
        case .conditionNone: .must("Without a stored validator the request is sent without preconditions.")
        case .conditionKeepsRequest:
            .must("A validation keeps the method, target and fields of the request that causes it.")
        case .conditionPartial:
            .optimal(
                """
                A range of a stored response without an entity tag is validated with its strong \
                modification date in If-Range.
                """
            )
        case .callerConditionForwarded:
            .optimal(
                """
                A request whose preconditions the store cannot evaluate is forwarded with them, and its \
                304 is delivered unchanged.
                """
            )
        case .originOnlyConditions: .must("If-Match and If-Unmodified-Since are left to the origin.")
        case .callerIfNoneMatch:
            .should("If-None-Match of a request is evaluated against the stored response.")
        case .callerIfModifiedSince:
            .should(
                """
                If-Modified-Since of a request without If-None-Match is evaluated against the stored \
                response.
                """
            )
        case .callerIfRange:
            .must(
                """
                If-Range is evaluated against the stored response before a range is answered from it.
                """
            )
        case .callerTagsJoined:
            .optimal(
                """
                A validation for a request with If-None-Match carries the stored entity tags and those of the \
                request.
                """
            )
        case .callerTagOther:
            .must(
                """
                A 304 whose entity tag the request does not list is answered with the freshened stored \
                response.
                """
            )
        case .partialTagApart:
            .must(
                """
                The entity tag of an incomplete response is sent in If-None-Match only for ranges that it has.
                """
            )
        case .validationNotModified: .must("After a 304 the stored response is freshened and used.")
        case .validationFull:
            .must("A full response to a validation is used, and replaces the stored one if it may be stored.")
        case .validationServerError:
            .optimal(
                """
                A 5xx response to a validation is passed on, unless the client or the origin allows the \
                stale response in its place.
                """
            )
        case .freshenStrong:
            .must(
                "A 304 with a strong validator freshens every candidate that has the same one, and no other."
            )
        case .freshenWeak:
            .must("A 304 with only weak validators freshens the most recent candidate that matches.")
        case .freshenOnlyCandidate:
            .must(
                """
                A 304 without validators freshens the validated stored response if it was the only one.
                """
            )
        case .freshenNone:
            .must(
                """
                A 304 that identifies no stored response updates none, and the request is sent again \
                without preconditions.
                """
            )
        case .headFreshens:
            .should(
                """
                A 200 to HEAD whose validators and Content-Length match updates the stored GET response.
                """
            )
        case .headInvalidates:
            .should(
                """
                A 200 to HEAD that differs in ETag, Last-Modified or Content-Length makes the stored GET \
                response stale.
                """
            )
        case .unsafeInvalidates:
            .must("A non-error response to an unsafe method invalidates the target URI's stored responses.")
        case .unknownMethodInvalidates:
            .must("A method of unknown safety invalidates like an unsafe method.")
        case .locationInvalidated: .optimal("The URI in Location of such a response is invalidated too.")
        case .contentLocationInvalidated:
            .optimal("The URI in Content-Location of such a response is invalidated too.")
        case .otherOriginKept: .must("A URI of another origin is not invalidated.")
        case .errorInvalidatesNothing: .optimal("An error response invalidates nothing.")
        case .safeInvalidatesNothing: .optimal("A response to a safe method invalidates nothing.")
        case .invalidatedNeedsValidation:
            .must("An invalidated stored response is not used until it has been validated.")
        case .ageFirstValue: .should("Of several Age values, the first is used.")
        case .ageInvalid: .should("An Age value that is not a non-negative integer is ignored.")
        case .directiveNameCase: .must("The names of directives are compared case-insensitively.")
        case .directiveArgumentForms:
            .should("The argument of a directive is accepted as a token and as a quoted string.")
        case .directiveUnknown: .must("Unknown directives are ignored.")
        case .directiveLines:
            .must("Directives of all Cache-Control field lines apply, and empty list members are allowed.")
        case .requestMaxAge: .optimal("A stored response older than the request's max-age is validated.")
        case .requestMaxStale:
            .optimal(
                """
                The request's max-stale=N allows a response that has been stale for no more than N \
                seconds.
                """
            )
        case .requestMaxStaleAny:
            .optimal("The request's max-stale without an argument allows a stale response of any age.")
        case .requestMinFresh:
            .optimal("The request's min-fresh requires a response that remains fresh for at least that long.")
        case .requestNoCache:
            .optimal("The request's no-cache requires validation of a fresh stored response.")
        case .requestNoStore: .must("The response to a request with no-store is not stored.")
        case .requestNoStoreHit: .optimal("A request with no-store may still be answered from the store.")
        case .requestNoTransform: .must("The content is passed on unchanged.")
        // §5.2.1: what requests say is advice; §5.2.1.7 is about caches that honour it.
        case .requestOnlyIfCached:
            .optimal("The request's only-if-cached is answered from the store or with 504.")
        case .responseMaxAge: .must("A response is stale after its max-age.")
        case .responseMustRevalidate:
            .must(
                """
                Once stale, a response with must-revalidate is not used without validation, not even by \
                a disconnected cache.
                """
            )
        case .responseMustRevalidateFailed:
            .must(
                """
                A disconnected cache that may not use a stale response because of must-revalidate \
                responds with an error such as 504.
                """
            )
        case .responseMustUnderstand:
            .should("no-store is ignored with must-understand if the cache understands the status code.")
        case .responseMustUnderstandUnknown:
            .must(
                """
                A response with must-understand and a status code the cache does not understand is not \
                stored.
                """
            )
        case .responseNoCache: .must("A response with no-cache is stored, and validated before each use.")
        case .responseNoCacheFields:
            .must("A response with no-cache and field names is used without those fields.")
        case .responseNoStore: .must("no-store keeps a response out of every cache.")
        case .responseNoTransform: .must("no-transform keeps the content from being transformed.")
        case .responsePrivate:
            .must("private keeps a response out of shared caches, and lets a private cache store it.")
        case .responsePrivateFields:
            .must("private with field names keeps only those fields out of shared caches.")
        case .responseProxyRevalidate: .must("proxy-revalidate is must-revalidate for shared caches.")
        case .responsePublic: .optimal("public allows storing a response that could not be stored otherwise.")
        case .responseSharedMaxAge:
            .must("s-maxage forbids a shared cache to use the response once stale without validation.")
        case .expiresInvalid: .must("An Expires value that is not a date, 0 in particular, is in the past.")
        case .expiresIgnored:
            .must("Expires is ignored with max-age, and with s-maxage in a shared cache.")
        case .pragmaNoCache:
            .optimal("Pragma: no-cache in a request without Cache-Control is treated as no-cache.")
        case .staleWhileRevalidate:
            .optimal(
                """
                A response is used stale for no longer than its stale-while-revalidate while it is \
                validated.
                """
            )
        case .staleWhileRevalidateBackground:
            .should("A response used stale because of stale-while-revalidate is validated in the background.")
        case .staleWhileRevalidatePast:
            .should("After the stale-while-revalidate window the response is validated first.")
        case .staleIfErrorResponse:
            .optimal(
                """
                The response's stale-if-error allows it to be used stale for that long in place of an \
                error.
                """
            )
        case .staleIfErrorRequest:
            .optimal(
                """
                The request's stale-if-error allows the stored response to be used stale for that long in \
                place of an error.
                """
            )
        case .staleIfErrorPast: .should("After the stale-if-error window the error is passed on.")
        case .storeKeptOnError:
            .optimal("A server error does not replace a stored response that stale-if-error still covers.")
        case .staleIfErrorStatus:
            .must(
                """
                An error is 500, 502, 503, 504, a code that is treated as one of them, or an origin that cannot be \
                reached.
                """
            )
        case .immutableFresh:
            .should(
                """
                A fresh response with immutable is used without validation unless the request requires \
                it.
                """
            )
        case .immutableStale: .should("A stale response with immutable is validated like any other.")
        case .targetNormalised:
            .optimal("Spellings of one target URI that are equal after normalisation share stored responses.")
        case .dateForms: .must("Dates are read in the IMF-fixdate, RFC 850 and asctime forms.")
        case .dateTwoDigitYear:
            .must(
                """
                A two-digit year that seems more than 50 years ahead means the latest past year with \
                those digits.
                """
            )
        case .dateWritten: .must("Dates are written in the IMF-fixdate form.")
        case .dateMissing: .must("A response without Date is treated as generated when it was received.")
        case .entityTagStrong:
            .must("Two entity tags match strongly if both are strong and their opaque tags are equal.")
        case .entityTagWeak: .must("Two entity tags match weakly if their opaque tags are equal.")
        case .headFromGet: .optimal("HEAD is answered from a stored response to GET, without content.")
        case .heuristicStatuses:
            .must(
                """
                The heuristically cacheable status codes are 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, \
                414 and 501.
                """
            )
        case .rangeForwarded:
            .optimal("A range request that the store cannot answer is forwarded unchanged.")
        case .rangeOfGet:
            .must("Range is ignored with methods other than GET and if the response is not a 200.")
        case .rangeIgnored:
            .optimal("A Range that is malformed, has an unknown unit, or has too many ranges is ignored.")
        case .rangeUnsatisfiable:
            .optimal("Ranges that are all beyond the end are answered with 416 and the complete length.")
        case .contentUnshared:
            .optimal(
                """
                A GET or HEAD with content is answered by the origin, and its response answers no other request.
                """
            )
        case .postReused:
            .optimal(
                """
                A 200 or 203 to POST with explicit freshness and the target URI in Content-Location is stored, and \
                answers GET and HEAD.
                """
            )
        case .postExplicit: .must("A response to POST is stored only with explicit freshness.")
        case .postLocation:
            .must("A response to POST is stored only if its Content-Location is the target URI.")
        case .statusHit: .optimal("A request answered from the store without the origin is a hit.")
        case .forwardBypass:
            .optimal("A request that is configured to bypass the cache is forwarded as bypass.")
        case .forwardMethod: .optimal("A request whose method requires it is forwarded as method.")
        case .forwardURIMiss:
            .optimal("A request with nothing stored for its target URI is forwarded as uri-miss.")
        case .forwardVaryMiss: .optimal("A request with no matching variant is forwarded as vary-miss.")
        case .forwardMiss:
            .optimal(
                "A request without a usable stored response, for any other reason, is forwarded as miss."
            )
        case .forwardRequest:
            .optimal("A request whose own directives or preconditions require it is forwarded as request.")
        case .forwardStale: .optimal("A request with a stale stored response is forwarded as stale.")
        case .forwardPartial:
            .optimal("A request with an incomplete stored response is forwarded as partial.")
        case .statusForwardStatus:
            .optimal("The origin's status code is reported if it differs from that of the response.")
        case .statusTimeToLive:
            .optimal("The remaining freshness lifetime is reported, negative for a stale response.")
        case .statusStored: .optimal("Whether the origin's response was stored is reported.")
        case .statusCollapsed: .optimal("Whether the request was collapsed with another is reported.")
        case .targetedStructured:
            .must("A targeted field is parsed as a structured dictionary; parameters are ignored.")
        case .targetedInvalid:
            .must("A targeted field that is empty or does not parse is treated as absent.")
        case .targetedType:
            .should("A directive of a targeted field whose value is of the wrong type is ignored.")
        case .targetedFirst:
            .must(
                """
                Of the targeted fields that the cache lists, the first valid one in its list controls \
                caching.
                """
            )
        case .targetedNoMixing:
            .must("If a targeted field applies, Cache-Control and Expires are ignored.")
        case .targetedUnlisted:
            .must("A targeted field that the cache does not list has no effect and is passed on.")
        case .targetedForwarded:
            .optimal("A targeted field that applies here is passed on to caches downstream.")
        case .groupInvalidation:
            .optimal(
                """
                Cache-Group-Invalidation of a successful response to an unsafe method invalidates the \
                stored responses in these groups.
                """
            )
        case .groupShared:
            .optimal(
                """
                Responses that share a group with a stored response that an unsafe request invalidates \
                are invalidated too, but no others.
                """
            )
        case .groupOrigin: .must("Groups with the same name at different origins are different groups.")
        case .queryKey:
            .must("The cache key of a QUERY includes its content and the fields that describe it.")
        case .queryNeedsContent:
            .must(
                "A QUERY whose content is not known before it is sent is neither stored nor answered from the store."
            )
        case .searchIgnored:
            .optimal(
                """
                A stored response with No-Vary-Search answers requests whose queries differ only in what \
                it excludes.
                """
            )
        case .searchMalformed:
            .must("A malformed No-Vary-Search is treated as absent: the whole query is significant.")
        case .clearSiteData:
            .must(
                "Clear-Site-Data with \"cache\" or \"*\" removes the origin's responses from a private cache."
            )
        case .clearSiteTrustworthy:
            .must("Clear-Site-Data is obeyed only from a potentially trustworthy origin.")
        case .statusMembers:
            .must("The members of caches closer to the origin come first, in their order.")
        case .policyProtocol: .must("useProtocolCachePolicy leaves the decision to RFC 9111.")
        case .policyReloadIgnoringLocal:
            .must(
                """
                reloadIgnoringLocalCacheData loads from the origin without validators, regardless of \
                what is stored.
                """
            )
        case .policyReloadIgnoringRemote:
            .must(
                """
                reloadIgnoringLocalAndRemoteCacheData also sends Cache-Control and Pragma no-cache to \
                intermediate caches.
                """
            )
        case .policyReturnElseLoad:
            .must(
                """
                returnCacheDataElseLoad uses a stored response of any age, and loads if there is none.
                """
            )
        case .policyReturnDontLoad:
            .must(
                """
                returnCacheDataDontLoad uses a stored response of any age, and fails without the network \
                if there is none.
                """
            )
        case .policyReloadRevalidating:
            .must("reloadRevalidatingCacheData validates the stored response even if it is fresh.")
        }
    }
}
