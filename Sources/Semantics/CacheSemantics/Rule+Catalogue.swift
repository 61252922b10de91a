/// The catalogue's entry of a rule.
///
/// The words that follow `quoting` are the specification's, at most 25, and contain the keyword. They are in the section
/// that the rule's identifier names, unless `in` names another.
private struct Entry {
    let level: RuleLevel
    let sentence: String
    var quotation: (keyword: RequirementKeyword, words: String, section: String?)?

    private init(
        _ level: RuleLevel,
        _ sentence: String,
        _ keyword: RequirementKeyword?,
        _ words: String,
        _ section: String?
    ) {
        (self.level, self.sentence) = (level, sentence)
        quotation = keyword.map { ($0, words, section) }
    }

    static func must(
        _ sentence: String,
        quoting keyword: RequirementKeyword? = nil,
        _ words: String = "",
        in section: String? = nil
    ) -> Entry { Entry(.must, sentence, keyword, words, section) }

    static func should(
        _ sentence: String,
        quoting keyword: RequirementKeyword? = nil,
        _ words: String = "",
        in section: String? = nil
    ) -> Entry { Entry(.should, sentence, keyword, words, section) }

    static func optimal(
        _ sentence: String,
        quoting keyword: RequirementKeyword? = nil,
        _ words: String = "",
        in section: String? = nil
    ) -> Entry { Entry(.optimal, sentence, keyword, words, section) }

    static func check(
        _ sentence: String,
        quoting keyword: RequirementKeyword? = nil,
        _ words: String = "",
        in section: String? = nil
    ) -> Entry { Entry(.check, sentence, keyword, words, section) }
}

/// A normative sentence of a specification, as far as it is quoted.
public struct RuleQuotation: Sendable, Hashable {
    /// Where it is: `RFC 9111 §4.2.1`.
    public let section: String
    /// The word by which it requires something.
    public let keyword: RequirementKeyword
    /// Its words, at most 25.
    public let words: String
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
        "incremental": "draft-ietf-httpbis-incremental §3",
        "no-vary-search": "draft-ietf-httpbis-no-vary-search §2",
        "clear-site-data": "W3C Clear Site Data §3.1",
    ]

    /// Its requirement level.
    public var level: RuleLevel { entry.level }

    /// The requirement in one sentence.
    public var sentence: String { entry.sentence }

    /// The sentence that it follows from; `nil` for what is from no RFC.
    public var quotation: RuleQuotation? {
        entry.quotation.map {
            RuleQuotation(section: $0.section ?? section, keyword: $0.keyword, words: $0.words)
        }
    }

    private var entry: Entry {
        switch self {
        case .deltaSecondsOverflow:
            .must(
                "A delta-seconds value too large to count counts as 2147483648.",
                quoting: .must,
                """
                the cache MUST consider the value to be 2147483648 (231) or the greatest positive \
                integer it can conveniently represent
                """
            )
        case .deltaSecondsDigitsOnly:
            .must(
                """
                A delta-seconds value is digits alone; a sign, a fraction or anything else makes it \
                invalid.
                """,
                quoting: .definition,
                "The delta-seconds rule specifies a non-negative integer, representing time in seconds."
            )
        case .keyHasMethodAndTarget:
            .must(
                """
                The primary key of a stored response is at least the request method and the target URI, \
                query included.
                """,
                quoting: .definition,
                """
                composed from, at a minimum, the request method and target URI used to retrieve the \
                stored response
                """
            )
        case .keyHasCredentials:
            .optimal(
                """
                A private cache of several accounts keeps the stored responses of different credentials \
                apart, if it is told to.
                """,
                quoting: .definition,
                "Caches might incorporate additional material into the cache key."
            )
        case .credentialsUnreadable:
            .optimal(
                "Credentials that are part of a key are stored as salted digests alone.",
                quoting: .definition,
                "Caches might incorporate additional material into the cache key."
            )
        case .storeMethodUnderstood:
            .must(
                "A response is stored only if the cache understands the request method.",
                quoting: .mustNot,
                """
                A cache MUST NOT store a response to a request unless: * the request method is \
                understood by the cache
                """
            )
        case .storeFinalStatus:
            .must(
                "Only a final response is stored, never an interim one.",
                quoting: .definition,
                "the response status code is final"
            )
        case .storeStatusUnderstood:
            .must(
                """
                A 206, a 304 and a response with must-understand are stored only by a cache that \
                understands the status code; a 428, 429, 431 or 511 is never stored (RFC 6585).
                """,
                quoting: .definition,
                "the cache understands the response status code"
            )
        case .storeNotForbidden:
            .must(
                "A response with no-store is not stored.",
                quoting: .definition,
                "the no-store cache directive is not present in the response"
            )
        case .storeNotPrivateInShared:
            .must(
                "A shared cache stores no response with unqualified private.",
                quoting: .definition,
                """
                if the cache is shared: the private response directive is either not present or allows a \
                shared cache to store a modified response
                """
            )
        case .storeExplicitOrHeuristic:
            .must(
                """
                A response is stored only with public, private, Expires, max-age, s-maxage in a shared \
                cache, or a heuristically cacheable status code.
                """,
                quoting: .definition,
                "the response contains at least one of the following"
            )
        case .storeExplicitAnyStatus:
            .optimal(
                """
                A response with explicit freshness is stored whatever its final status code, an unknown \
                one included.
                """,
                quoting: .definition,
                "the response contains at least one of the following"
            )
        case .storeReplacesOlder:
            .optimal(
                """
                A newly received response replaces the stored response of the same key and variant, or \
                removes it if it may not be stored itself.
                """,
                quoting: .definition,
                """
                A cache might store multiple responses for a request target that is subject to content \
                negotiation.
                """,
                in: "RFC 9111 §2"
            )
        case .storeAllFields:
            .must(
                """
                All received header fields are stored, including unknown ones, unless an exception names \
                them.
                """,
                quoting: .must,
                """
                Caches MUST include all received response header fields — including unrecognized ones — \
                when storing a response
                """
            )
        case .dropConnectionFields:
            .must(
                "Connection and the fields it lists are not kept.",
                quoting: .must,
                """
                Intermediaries MUST parse a received Connection header field before a message is \
                forwarded
                """,
                in: "RFC 9110 §7.6.1"
            )
        case .dropHopByHopFields:
            .must(
                """
                Fields that concern one connection (Keep-Alive, Proxy-Connection, TE, Transfer-Encoding, \
                Upgrade) are not kept.
                """,
                quoting: .definition,
                """
                some fields' semantics require them to be removed before forwarding the message, and \
                this MAY be implemented by doing so before storage
                """
            )
        case .dropProxyFields:
            .must(
                "Proxy-Authenticate, Proxy-Authentication-Info and Proxy-Authorization are not kept.",
                quoting: .mustNot,
                """
                Header fields that are specific to the proxy that a cache uses when forwarding a request \
                MUST NOT be stored
                """
            )
        case .dropNoCacheFields:
            .must(
                "Fields that a qualified no-cache lists are not kept.",
                quoting: .definition,
                """
                can have arguments that prevent storage of header fields by all caches and shared \
                caches, respectively
                """
            )
        case .dropPrivateFields:
            .must(
                "Fields that a qualified private lists are not kept by a shared cache.",
                quoting: .mustNot,
                """
                a shared cache MUST NOT store the listed header fields if they are present in the \
                original response
                """,
                in: "RFC 9111 §5.2.2.7"
            )
        case .trailersApart:
            .must(
                "Trailer fields are not merged into the stored header fields.",
                quoting: .mustNot,
                "Caches MUST NOT combine trailer fields with header fields."
            )
        case .updateReplacesFields:
            .must(
                """
                Updating adds each field of the new response to the stored one and replaces the values \
                that were there.
                """,
                quoting: .must,
                """
                the cache MUST add each header field in the provided response to the stored response, \
                replacing field values that are already present
                """
            )
        case .updateKeepsOtherFields:
            .must(
                "Updating keeps the stored fields that the new response does not have.",
                quoting: .must,
                "the cache MUST add each header field in the provided response to the stored response"
            )
        case .updateKeepsContentLength:
            .must(
                "Updating does not change Content-Length.",
                quoting: .definition,
                "with the following exceptions"
            )
        case .updateSkipsUnstoredFields:
            .must(
                "Updating takes over no field that is excluded from storage.",
                quoting: .definition,
                "Header fields excepted from storage in"
            )
        case .updateKeepsContentFraming:
            .must(
                """
                Updating does not change Content-Encoding and Content-Range, which the stored content \
                depends on.
                """,
                quoting: .definition,
                "Header fields that the cache's stored response depends upon, as described below"
            )
        case .incompleteNotComplete:
            .must(
                "A response that broke off is never used as a complete one.",
                quoting: .mustNot,
                """
                A cache MUST NOT use an incomplete response to answer requests unless the response has \
                been made complete
                """
            )
        case .partialNotStored:
            .must(
                """
                A 206 is stored only with one valid Content-Range that its content fits to and for a \
                request with Range; another response with Content-Range is not stored.
                """,
                quoting: .mustNot,
                """
                a cache MUST NOT store incomplete or partial-content responses if it does not support \
                the Range and Content-Range header fields
                """
            )
        case .partialStored:
            .optimal(
                "A 206, and what came of a 200 that broke off, is stored as an incomplete response.",
                quoting: .may,
                """
                a 206 (Partial Content) response MAY be stored as if it were an incomplete 200 (OK) \
                response
                """
            )
        case .incompleteCompleted:
            .optimal(
                "An incomplete stored response is completed by a range request with If-Range.",
                quoting: .may,
                "A cache MAY complete a stored incomplete response by making a subsequent range request"
            )
        case .partialServed:
            .optimal(
                "A range within the stored content is answered from the store.",
                quoting: .definition,
                "the request is partial and specifies a range wholly within the incomplete response"
            )
        case .unsolicitedPart:
            .optimal(
                """
                A 206 to a request without Range is rejected: nothing says which part it is of what was \
                wanted.
                """,
                quoting: .definition,
                "the server is successfully fulfilling a range request for the target resource"
            )
        case .unsolicitedNotModified:
            .optimal(
                """
                A 304 to a request without a precondition is rejected: there is nothing that it could \
                confirm.
                """,
                quoting: .definition,
                """
                would have resulted in a 200 (OK) response if it were not for the fact that the \
                condition evaluated to false
                """
            )
        case .partsSeparated:
            .optimal(
                """
                The ranges of a 206 with multipart/byteranges are stored as parts of one representation, \
                where they are.
                """,
                quoting: .definition,
                "multiple parts are being transferred"
            )
        case .partsCombined:
            .must(
                "Partial responses are combined only if they share a strong validator.",
                quoting: .definition,
                """
                if they all share the same strong validator and the cache complies with the client \
                requirements
                """
            )
        case .authorizationInShared:
            .must(
                """
                A shared cache does not store the response to a request with Authorization unless a \
                directive allows it.
                """,
                quoting: .mustNot,
                """
                A shared cache MUST NOT use a cached response to a request with an Authorization header \
                field
                """
            )
        case .authorizationAllowed:
            .optimal(
                """
                must-revalidate, public or s-maxage lets a shared cache store the response to a request \
                with Authorization.
                """,
                quoting: .definition,
                "In this specification, the following response directives have such an effect"
            )
        case .reuseSameTarget:
            .must(
                "A stored response is used only for a request with its target URI.",
                quoting: .mustNot,
                "When presented with a request, a cache MUST NOT reuse a stored response unless"
            )
        case .reuseMethodAllows:
            .must(
                "A stored response is used only for a request method that allows it.",
                quoting: .definition,
                """
                the request method associated with the stored response allows it to be used for the \
                presented request
                """
            )
        case .reuseNoCacheValidated:
            .must(
                "A stored response with no-cache is used only after successful validation.",
                quoting: .definition,
                "the stored response does not contain the no-cache directive"
            )
        case .reuseFreshOrAllowed:
            .must(
                """
                A stored response is used only if it is fresh, allowed to be stale, or successfully \
                validated.
                """,
                quoting: .definition,
                "the stored response is one of the following: * fresh"
            )
        case .reuseSetsAge:
            .must(
                """
                A stored response used without validation carries an Age field of its current age in \
                place of any other.
                """,
                quoting: .must,
                "a cache MUST generate an Age header field"
            )
        case .writeThrough:
            .must(
                "A request with an unsafe or unknown method is forwarded before anything is answered.",
                quoting: .must,
                "A cache MUST write through requests with methods that are unsafe"
            )
        case .mostRecentSelected:
            .must(
                "Of several suitable stored responses the most recent by Date is used.",
                quoting: .must,
                """
                When more than one suitable response is stored, a cache MUST use the most recent one (as \
                determined by the Date header field).
                """
            )
        case .collapsedForwarding:
            .optimal(
                "One forwarded request answers concurrent requests that the response suits.",
                quoting: .definition,
                "A cache can use a response that is stored or storable to satisfy multiple requests"
            )
        case .varyMatches:
            .must(
                """
                A stored response is used without validation only if every field its Vary nominates \
                matches the original request's.
                """,
                quoting: .mustNot,
                """
                the cache MUST NOT use that stored response without revalidation unless all the \
                presented request header fields nominated by that Vary field value match
                """
            )
        case .varyStarNeverMatches:
            .must(
                "A stored response whose Vary has a member * never matches.",
                quoting: .definition,
                """
                A stored response with a Vary header field value containing a member "*" always fails to \
                match.
                """
            )
        case .varyAbsentMatchesAbsent:
            .must(
                """
                A nominated field that is absent from one request matches only if it is absent from the \
                other.
                """,
                quoting: .definition,
                """
                a header field is absent from a request, it can only match another request if it is also \
                absent there
                """
            )
        case .varyLinesCombined:
            .optimal(
                "Field lines of one name are combined before they are compared.",
                quoting: .definition,
                "combining multiple header field lines with the same field name"
            )
        case .varyWhitespaceNormalised:
            .optimal(
                "Optional whitespace around the members of a list makes no difference to a match.",
                quoting: .definition,
                "adding or removing whitespace, where allowed in the header field's syntax"
            )
        case .varyNameCase:
            .must(
                "The names in Vary are compared case-insensitively, over all Vary field lines.",
                quoting: .definition,
                "Field names are case-insensitive",
                in: "RFC 9110 §5.1"
            )
        case .variantsSideBySide:
            .optimal(
                "Variants of one target URI that differ in selecting fields are stored side by side.",
                quoting: .definition,
                """
                A cache might store multiple responses for a request target that is subject to content \
                negotiation.
                """,
                in: "RFC 9111 §2"
            )
        case .varyPreferredOverNone:
            .should(
                "A matching stored response with Vary is preferred to one without.",
                quoting: .should,
                "the cache SHOULD choose the most recent"
            )
        case .freshWhileLifetimeExceedsAge:
            .must(
                "A response is fresh while its freshness lifetime exceeds its current age.",
                quoting: .definition,
                "response_is_fresh = (freshness_lifetime > current_age)"
            )
        case .expiryDateCase:
            .should(
                "The names in a date are read case-insensitively when freshness is calculated.",
                quoting: .should,
                "a cache recipient SHOULD match the field value case-insensitively"
            )
        case .expiryDateZone:
            .should(
                "A date with another zone than GMT is invalid for calculating expiration.",
                quoting: .should,
                """
                A cache recipient SHOULD consider a date with a zone abbreviation other than "GMT" to be \
                invalid for calculating expiration.
                """
            )
        case .lifetimeSharedMaxAge:
            .must(
                "In a shared cache s-maxage gives the freshness lifetime, before all else.",
                quoting: .definition,
                "If the cache is shared and the s-maxage response directive"
            )
        case .lifetimeSharedMaxAgePrivate:
            .must(
                "A private cache ignores s-maxage.",
                quoting: .definition,
                """
                indicates that, for a shared cache, the maximum age specified by this directive \
                overrides the maximum age
                """,
                in: "RFC 9111 §5.2.2.10"
            )
        case .lifetimeMaxAge:
            .must(
                "max-age gives the freshness lifetime, before Expires.",
                quoting: .definition,
                "using the first match"
            )
        case .lifetimeExpires:
            .must(
                "Expires minus Date gives the freshness lifetime where no directive does.",
                quoting: .definition,
                "use its value minus the value of the Date response header field"
            )
        case .lifetimeConflict:
            .should(
                "Of differing values of one directive or of Expires the smallest counts.",
                quoting: .recommendedInLowerCase,
                "either the first occurrence should be used or the response should be considered stale"
            )
        case .lifetimeInvalid:
            .should(
                "A response with invalid freshness information is stale.",
                quoting: .encouraged,
                "Caches are encouraged to consider responses that have invalid freshness information"
            )
        case .lifetimeMostRestrictive:
            .should(
                "Of conflicting directives the most restrictive one is honoured.",
                quoting: .recommendedInLowerCase,
                "the most restrictive directive should be honored"
            )
        case .heuristicOnlyWithoutExplicit:
            .must(
                "Heuristic freshness is not used where the response has an explicit expiration time.",
                quoting: .mustNot,
                """
                A cache MUST NOT use heuristics to determine freshness when an explicit expiration time \
                is present in the stored response.
                """
            )
        case .heuristicStatus:
            .must(
                """
                Heuristic freshness is used only with a heuristically cacheable status code or an \
                explicit mark of cacheability.
                """,
                quoting: .definition,
                """
                heuristics can only be used on responses without explicit freshness whose status codes \
                are defined as heuristically cacheable
                """
            )
        case .heuristicTenPercent:
            .optimal(
                "The heuristic freshness lifetime is a tenth of the time between Last-Modified and Date.",
                quoting: .definition,
                "A typical setting of this fraction might be 10%."
            )
        case .heuristicLimited:
            .optimal(
                """
                The heuristic freshness lifetime has a limit, and a lower one for responses that are \
                errors.
                """,
                quoting: .definition,
                "it does impose worst-case constraints on their results"
            )
        case .heuristicSetCookie:
            .optimal(
                """
                A shared cache does not store a response with Set-Cookie that nothing marks as \
                cacheable.
                """,
                quoting: .definition,
                "the Set-Cookie response header field [COOKIE] does not inhibit caching"
            )
        // §4.2.3: the corrected age value may be used as it is, so that no cache has to look at Date.
        case .ageApparent:
            .optimal(
                "The apparent age is the response time minus Date, and never negative.",
                quoting: .definition,
                "apparent_age = max(0, response_time - date_value)"
            )
        case .ageCorrected:
            .must(
                "The corrected age value is the Age field plus the time between request and response.",
                quoting: .definition,
                "corrected_age_value = age_value + response_delay"
            )
        case .ageLarger:
            .optimal(
                "The initial age is the larger of apparent age and corrected age value.",
                quoting: .definition,
                "corrected_initial_age = max(apparent_age, corrected_age_value)"
            )
        case .ageResident:
            .must(
                "The current age is the initial age plus the time since the response time.",
                quoting: .definition,
                "current_age = corrected_initial_age + resident_time"
            )
        case .staleForbidden:
            .must(
                """
                no-cache, must-revalidate and, in a shared cache, proxy-revalidate and s-maxage forbid \
                using a stale response.
                """,
                quoting: .mustNot,
                """
                A cache MUST NOT generate a stale response if it is prohibited by an explicit \
                in-protocol directive
                """
            )
        case .staleOnlyAllowed:
            .must(
                """
                A stale response is used only when the cache is disconnected or the client or the origin \
                allows it.
                """,
                quoting: .mustNot,
                """
                A cache MUST NOT generate a stale response unless it is disconnected or doing so is \
                explicitly permitted by the client or origin server
                """
            )
        case .staleDisconnected:
            .optimal(
                "A stale response is used when the origin cannot be reached and nothing forbids it.",
                quoting: .definition,
                "A disconnected cache can serve stale responses in some circumstances",
                in: "RFC 9111 §2"
            )
        case .varyPreferences:
            .optimal(
                """
                Accept-Language, Accept-Encoding and Accept-Charset match whatever the case of their \
                members, the latter two whatever the order.
                """,
                quoting: .definition,
                "normalizing both header field values in a way that is known to have identical semantics"
            )
        case .varyQuality:
            .must(
                "Quality values are compared as numbers, and a refusal (q=0) is not the same as absence.",
                quoting: .definition,
                "normalizing both header field values in a way that is known to have identical semantics"
            )
        case .variantAlias:
            .optimal(
                """
                A 304 with the strong entity tag of another variant is stored as a variant with the same \
                content, so that the next request with these selecting fields is a hit.
                """,
                quoting: .definition,
                "the most recent response (as determined by the Date header field) is chosen"
            )
        case .languageChosen:
            .check(
                """
                Deviation from §4.1, off by default: of what is stored in several languages, the \
                request's first choice is used although Accept-Language differs.
                """,
                quoting: .may,
                "that mechanism MAY be used to choose a preferred response"
            )
        case .conditionEntityTag:
            .must(
                "A validation carries the stored entity tag in If-None-Match, exactly as it was received.",
                quoting: .must,
                "MUST send the relevant entity tags"
            )
        case .conditionLastModified:
            .should(
                """
                A validation carries the stored Last-Modified in If-Modified-Since, exactly as it was \
                received.
                """,
                quoting: .should,
                """
                SHOULD send the Last-Modified value (using If-Modified-Since) if the request is not for \
                a subrange
                """
            )
        case .conditionSeveralTags:
            .optimal(
                "A validation carries the entity tags of all stored variants of the target URI.",
                quoting: .definition,
                """
                One or more entity tags, indicating one or more stored responses, can be used in an \
                If-None-Match header field
                """
            )
        case .conditionNone:
            .must(
                "Without a stored validator the request is sent without preconditions.",
                quoting: .definition,
                """
                These contain validator metadata sourced from a stored response(s) that has the same \
                URI.
                """
            )
        case .conditionKeepsRequest:
            .must(
                "A validation keeps the method, target and fields of the request it is made for.",
                quoting: .definition,
                "a cache either starts with a request it is attempting to satisfy"
            )
        case .conditionPartial:
            .optimal(
                """
                A request for a range of what has no entity tag is validated with its strong \
                modification date in If-Range.
                """,
                quoting: .may,
                """
                MAY send the Last-Modified value (using If-Unmodified-Since or If-Range) if the request \
                is for a subrange
                """
            )
        case .callerConditionForwarded:
            .optimal(
                """
                A request whose preconditions the store cannot evaluate is forwarded with them, and its \
                304 is delivered as it is.
                """,
                quoting: .definition,
                "such preconditions are likely intended for some other (inbound) server"
            )
        case .originOnlyConditions:
            .must(
                "If-Match and If-Unmodified-Since are left to the origin.",
                quoting: .mustNot,
                "A cache MUST NOT evaluate conditional header fields that only apply to an origin server"
            )
        case .callerIfNoneMatch:
            .should(
                "If-None-Match of a request is evaluated against the stored response.",
                quoting: .should,
                """
                the cache SHOULD evaluate any applicable conditional header field preconditions received \
                in that request
                """
            )
        case .callerIfModifiedSince:
            .should(
                """
                If-Modified-Since of a request without If-None-Match is evaluated against the stored \
                response.
                """,
                quoting: .should,
                """
                the cache SHOULD evaluate any applicable conditional header field preconditions received \
                in that request
                """
            )
        case .callerIfRange:
            .must(
                "If-Range is evaluated against the stored response before a range is answered from it.",
                quoting: .definition,
                "also needs to evaluate a received If-Range header field"
            )
        case .callerTagsJoined:
            .optimal(
                """
                A validation for a request with If-None-Match carries the stored entity tags and those \
                of the request.
                """,
                quoting: .may,
                """
                the cache MAY combine the received list with a list of entity tags from its own stored \
                set of responses
                """
            )
        case .callerTagOther:
            .must(
                """
                A 304 whose entity tag the request does not list is answered with the freshened stored \
                response.
                """,
                quoting: .must,
                """
                the cache MUST generate a 200 (OK) response for the client by reusing its corresponding \
                stored response
                """
            )
        case .partialTagApart:
            .must(
                """
                The entity tag of an incomplete response is sent in If-None-Match only for ranges that \
                it has.
                """,
                quoting: .mustNot,
                "the cache MUST NOT include its entity tag in the union unless the request is for a range"
            )
        case .validationNotModified:
            .must(
                "After a 304 the stored response is freshened and used.",
                quoting: .definition,
                "indicates that the stored response can be updated and reused"
            )
        case .validationFull:
            .must(
                """
                A full response to a validation is used, and replaces the stored one if it may be \
                stored.
                """,
                quoting: .must,
                "the cache MUST use the full response to satisfy the request"
            )
        case .validationServerError:
            .optimal(
                """
                A 5xx response to a validation is passed on, unless the client or the origin allows the \
                stale response in its place.
                """,
                quoting: .definition,
                """
                it can either forward this response to the requesting client or act as if the server \
                failed to respond
                """
            )
        case .freshenStrong:
            .must(
                "A 304 with a strong validator freshens every candidate that has the same, and no other.",
                quoting: .mustNot,
                "the cache MUST NOT use the new response to update any stored responses"
            )
        case .freshenWeak:
            .must(
                "A 304 with only weak validators freshens the most recent candidate that matches.",
                quoting: .definition,
                "the most recent of those matching stored responses is identified for update"
            )
        case .freshenOnlyCandidate:
            .must(
                """
                A 304 without validators freshens the stored response it was asked about if that was the \
                only one.
                """,
                quoting: .definition,
                """
                that stored response also lacks a validator, then that stored response is identified for \
                update
                """
            )
        case .freshenNone:
            .must(
                """
                A 304 that identifies no stored response updates none, and the request is sent again \
                without preconditions.
                """,
                quoting: .mustNot,
                "the cache MUST NOT use the new response to update any stored responses"
            )
        case .headFreshens:
            .should(
                "A 200 to HEAD whose validators and Content-Length match updates the stored GET response.",
                quoting: .should,
                "the cache SHOULD update the stored response as described below"
            )
        case .headInvalidates:
            .should(
                """
                A 200 to HEAD that differs in ETag, Last-Modified or Content-Length makes the stored GET \
                response stale.
                """,
                quoting: .should,
                "the cache SHOULD consider the stored response to be stale"
            )
        case .unsafeInvalidates:
            .must(
                "A non-error response to an unsafe method invalidates what is stored for the target URI.",
                quoting: .must,
                "A cache MUST invalidate the target URI"
            )
        case .unknownMethodInvalidates:
            .must(
                "A method whose safety is not known invalidates as an unsafe one does.",
                quoting: .definition,
                "in response to an unsafe request method (including methods whose safety is unknown)"
            )
        case .locationInvalidated:
            .optimal(
                "The URI in Location of such a response is invalidated too.",
                quoting: .may,
                """
                A cache MAY invalidate other URIs when it receives a non-error status code in response \
                to an unsafe request method
                """
            )
        case .contentLocationInvalidated:
            .optimal(
                "The URI in Content-Location of such a response is invalidated too.",
                quoting: .may,
                """
                A cache MAY invalidate other URIs when it receives a non-error status code in response \
                to an unsafe request method
                """
            )
        case .otherOriginKept:
            .must(
                "A URI of another origin is not invalidated.",
                quoting: .mustNot,
                "a cache MUST NOT trigger an invalidation under these conditions if the origin"
            )
        case .errorInvalidatesNothing:
            .optimal(
                "An error response invalidates nothing.",
                quoting: .definition,
                """
                A "non-error response" is one with a 2xx (Successful) or 3xx (Redirection) status code.
                """
            )
        case .safeInvalidatesNothing:
            .optimal(
                "A response to a safe method invalidates nothing.",
                quoting: .definition,
                "Because unsafe request methods"
            )
        case .invalidatedNeedsValidation:
            .must(
                "An invalidated stored response is not used until it has been validated.",
                quoting: .definition,
                """
                in need of a mandatory validation before they can be sent in response to a subsequent \
                request
                """
            )
        case .ageFirstValue:
            .should(
                "Of several Age values the first counts.",
                quoting: .should,
                "SHOULD use the first member of the field value, discarding subsequent ones"
            )
        case .ageInvalid:
            .should(
                "An Age value that is no non-negative integer is ignored.",
                quoting: .should,
                "a cache SHOULD ignore the field"
            )
        case .directiveNameCase:
            .must(
                "The names of directives are compared case-insensitively.",
                quoting: .definition,
                "Cache directives are identified by a token, to be compared case-insensitively"
            )
        case .directiveArgumentForms:
            .should(
                "The argument of a directive is read as a token and as a quoted string alike.",
                quoting: .ought,
                """
                recipients ought to accept both forms, even if a specific form is required for \
                generation
                """
            )
        case .directiveUnknown:
            .must(
                "Unknown directives are ignored.",
                quoting: .must,
                "A cache MUST ignore unrecognized cache directives.",
                in: "RFC 9111 §5.2.3"
            )
        case .directiveLines:
            .must(
                "Directives of all Cache-Control field lines count, and empty list members are allowed.",
                quoting: .must,
                "A recipient MUST parse and ignore a reasonable number of empty list elements",
                in: "RFC 9110 §5.6.1.2"
            )
        case .requestMaxAge:
            .optimal(
                "A stored response older than the request's max-age is validated.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestMaxStale:
            .optimal(
                """
                The request's max-stale=N allows a response that has been stale for no more than N \
                seconds.
                """,
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestMaxStaleAny:
            .optimal(
                "The request's max-stale without an argument allows a stale response of any age.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestMinFresh:
            .optimal(
                "The request's min-fresh asks for a response that stays fresh for at least that long.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestNoCache:
            .optimal(
                "The request's no-cache asks for validation of a fresh stored response.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestNoStore:
            .optimal(
                "The response to a request with no-store is not stored.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        case .requestNoStoreHit:
            .optimal(
                "A request with no-store may still be answered from the store.",
                quoting: .definition,
                "the no-store request directive does not apply to the already stored response"
            )
        case .requestNoTransform:
            .optimal(
                "The content is handed on as it was received.",
                quoting: .may,
                "caches MAY implement them, but are not required to",
                in: "RFC 9111 §5.2.1"
            )
        // §5.2.1: what requests say is advice; §5.2.1.7 is about caches that honour it.
        case .requestOnlyIfCached:
            .optimal(
                "The request's only-if-cached is answered from the store or with 504.",
                quoting: .should,
                """
                Caches that honor this request directive SHOULD, upon receiving it, respond with either \
                a stored response consistent with the other constraints of the request
                """
            )
        case .responseMaxAge:
            .must(
                "A response is stale after its max-age.",
                quoting: .definition,
                """
                the response is to be considered stale after its age is greater than the specified \
                number of seconds
                """
            )
        case .responseMustRevalidate:
            .must(
                """
                Once stale, a response with must-revalidate is not used without validation, not even \
                disconnected.
                """,
                quoting: .mustNot,
                """
                a cache MUST NOT reuse that response to satisfy another request until it has been \
                successfully validated by the origin
                """
            )
        case .responseMustRevalidateFailed:
            .must(
                """
                A disconnected cache that must-revalidate keeps from using a stale response answers with \
                an error, as 504.
                """,
                quoting: .must,
                """
                if a cache is disconnected, the cache MUST generate an error response rather than reuse \
                the stale response
                """
            )
        case .responseMustUnderstand:
            .should(
                "no-store is ignored beside must-understand if the cache understands the status code.",
                quoting: .should,
                """
                the cache SHOULD ignore the no-store directive if it understands and implements the \
                status code's caching requirements
                """
            )
        case .responseMustUnderstandUnknown:
            .must(
                """
                A response with must-understand and a status code the cache does not understand is not \
                stored.
                """,
                quoting: .definition,
                """
                limits caching of the response to a cache that understands and conforms to the \
                requirements for that response's status code
                """
            )
        case .responseNoCache:
            .must(
                "A response with no-cache is stored, and validated before each use.",
                quoting: .mustNot,
                """
                the response MUST NOT be used to satisfy any other request without forwarding it for \
                validation and receiving a successful response
                """
            )
        case .responseNoCacheFields:
            .must(
                "A response with no-cache and field names is used without those fields.",
                quoting: .definition,
                """
                if the listed header fields are excluded from the subsequent response or the subsequent \
                response has been successfully revalidated
                """
            )
        case .responseNoStore:
            .must(
                "no-store keeps a response out of every cache.",
                quoting: .mustNot,
                "a cache MUST NOT store any part of either the immediate request or the response"
            )
        case .responseNoTransform:
            .must(
                "no-transform keeps the content from being transformed.",
                quoting: .mustNot,
                """
                an intermediary (regardless of whether it implements a cache) MUST NOT transform the \
                content
                """
            )
        case .responsePrivate:
            .must(
                "private keeps a response out of shared caches, and lets a private cache store it.",
                quoting: .mustNot,
                """
                a shared cache MUST NOT store the response (i.e., the response is intended for a single \
                user)
                """
            )
        case .responsePrivateFields:
            .must(
                "private with field names keeps those fields out of shared caches.",
                quoting: .mustNot,
                """
                a shared cache MUST NOT store the listed header fields if they are present in the \
                original response
                """
            )
        case .responseProxyRevalidate:
            .must(
                "proxy-revalidate is must-revalidate for shared caches.",
                quoting: .mustNot,
                """
                a shared cache MUST NOT reuse that response to satisfy another request until it has been \
                successfully validated by the origin
                """
            )
        case .responsePublic:
            .optimal(
                "public lets a response be stored that would not be otherwise.",
                quoting: .may,
                "a cache MAY store the response even if it would otherwise be prohibited"
            )
        case .responseSharedMaxAge:
            .must(
                "s-maxage forbids a shared cache to use the response once stale without validation.",
                quoting: .mustNot,
                """
                A shared cache MUST NOT reuse a stale response with s-maxage to satisfy another request \
                until it has been successfully validated
                """
            )
        case .expiresInvalid:
            .must(
                "An Expires value that is no date, 0 in particular, is in the past.",
                quoting: .must,
                """
                A cache recipient MUST interpret invalid date formats, especially the value "0", as \
                representing a time in the past
                """
            )
        case .expiresIgnored:
            .must(
                "Expires is ignored beside max-age, and beside s-maxage in a shared cache.",
                quoting: .must,
                "a recipient MUST ignore the Expires header field"
            )
        case .pragmaNoCache:
            .optimal(
                "Pragma: no-cache of a request without Cache-Control is read as no-cache.",
                quoting: .definition,
                "this specification deprecates Pragma"
            )
        case .staleWhileRevalidate:
            .optimal(
                """
                A response is used stale for no longer than its stale-while-revalidate while it is \
                validated.
                """,
                quoting: .may,
                """
                caches MAY serve the response it appears in after it becomes stale, up to the indicated \
                number of seconds
                """
            )
        case .staleWhileRevalidateBackground:
            .should(
                "A response used stale for stale-while-revalidate is validated in the background.",
                quoting: .should,
                """
                the cache SHOULD attempt to revalidate it while still serving stale responses (i.e., \
                without blocking)
                """
            )
        case .staleWhileRevalidatePast:
            .should(
                "After the stale-while-revalidate window the response is validated first.",
                quoting: .shouldNot,
                "it SHOULD NOT continue to be served stale, absent other information"
            )
        case .staleIfErrorResponse:
            .optimal(
                """
                The response's stale-if-error allows it to be used stale for that long in place of an \
                error.
                """,
                quoting: .may,
                "when an error is encountered, a cached stale response MAY be used to satisfy the request"
            )
        case .staleIfErrorRequest:
            .optimal(
                """
                The request's stale-if-error allows the stored response to be used stale for that long \
                in place of an error.
                """,
                quoting: .may,
                "when an error is encountered, a cached stale response MAY be used to satisfy the request"
            )
        case .staleIfErrorPast:
            .should(
                "After the stale-if-error window the error is passed on.",
                quoting: .shouldNot,
                "the cached response SHOULD NOT be used to satisfy the request, absent other information"
            )
        case .storeKeptOnError:
            .optimal(
                "A server error does not replace a stored response that stale-if-error still covers.",
                quoting: .may,
                "a cached stale response MAY be used to satisfy the request"
            )
        case .staleIfErrorStatus:
            .must(
                """
                An error is 500, 502, 503, 504, a code that is treated as one of them, or an origin that \
                cannot be reached.
                """,
                quoting: .definition,
                """
                an error is any situation which would result in a 500, 502, 503 or 504 HTTP response \
                status code being returned
                """
            )
        case .immutableFresh:
            .should(
                """
                A fresh response with immutable is used without validation unless the request asks for \
                it.
                """,
                quoting: .shouldNot,
                "Clients SHOULD NOT issue a conditional request during the response’s freshness lifetime"
            )
        case .immutableStale:
            .should(
                "A stale response with immutable is validated as any other.",
                quoting: .should,
                """
                Stale responses SHOULD be revalidated as they normally would be in the absence of the \
                immutable extension.
                """
            )
        case .targetNormalised:
            .optimal(
                "Spellings of one target URI that are equal after normalisation share stored responses.",
                quoting: .may,
                "any HTTP component MAY perform normalization"
            )
        case .dateForms:
            .must(
                "Dates are read in the IMF-fixdate, RFC 850 and asctime forms.",
                quoting: .must,
                """
                A recipient that parses a timestamp value in an HTTP field MUST accept all three \
                HTTP-date formats.
                """
            )
        case .dateTwoDigitYear:
            .must(
                """
                A two-digit year that seems more than 50 years ahead is the last past year with those \
                digits.
                """,
                quoting: .must,
                """
                MUST interpret a timestamp that appears to be more than 50 years in the future as \
                representing the most recent year in the past
                """
            )
        case .dateWritten:
            .must(
                "Dates are written in the IMF-fixdate form.",
                quoting: .must,
                "the sender MUST generate those timestamps in the IMF-fixdate format"
            )
        case .dateMissing:
            .must(
                "A response without Date is taken to have been made when it was received.",
                quoting: .must,
                """
                A recipient with a clock that receives a response message without a Date header field \
                MUST record the time it was received
                """
            )
        case .entityTagStrong:
            .must(
                "Two entity tags match strongly if both are strong and their opaque tags are equal.",
                quoting: .definition,
                "two entity tags are equivalent if both are not weak and their opaque-tags match"
            )
        case .entityTagWeak:
            .must(
                "Two entity tags match weakly if their opaque tags are equal.",
                quoting: .definition,
                "two entity tags are equivalent if their opaque-tags match character-by-character"
            )
        case .headFromGet:
            .optimal(
                "HEAD is answered from a stored response to GET, without content.",
                quoting: .definition,
                "The HEAD method is identical to GET except"
            )
        case .heuristicStatuses:
            .must(
                """
                The heuristically cacheable status codes are 200, 203, 204, 206, 300, 301, 308, 404, \
                405, 410, 414 and 501.
                """,
                quoting: .definition,
                "all other status codes are not heuristically cacheable"
            )
        case .rangeForwarded:
            .optimal(
                "A range request that nothing stored answers is forwarded as it stands.",
                quoting: .may,
                "A server MAY ignore the Range header field."
            )
        case .rangeOfGet:
            .must(
                "Range is ignored with other methods than GET and where the answer is not 200.",
                quoting: .must,
                """
                A server MUST ignore a Range header field received with a request method that is \
                unrecognized or for which range handling is not defined.
                """
            )
        case .rangeIgnored:
            .optimal(
                "A Range that is malformed, of an unknown unit, or of too many ranges is ignored.",
                quoting: .may,
                "MAY ignore or reject a Range header field"
            )
        case .contentDecoded:
            .must(
                "Content whose codings the client knows is delivered decoded.",
                quoting: .definition,
                """
                what decoding mechanisms have to be applied in order to obtain data in the media type \
                referenced by the Content-Type header field
                """
            )
        case .codingsInOrder:
            .must(
                "Of several content codings the one that was applied last is decoded first.",
                quoting: .must,
                """
                MUST generate a Content-Encoding header field that lists the content codings in the order \
                in which they were applied
                """
            )
        case .codingCase:
            .must(
                "The names of content codings are compared case-insensitively.",
                quoting: .definition,
                "All content codings are case-insensitive"
            )
        case .codingAlias:
            .should(
                "x-gzip is equivalent to gzip.",
                quoting: .should,
                """
                A recipient SHOULD consider "x-gzip" to be equivalent to "gzip"
                """
            )
        case .redirectMethod:
            .should(
                """
                A followed redirect repeats the request, with GET in place of POST after 301 and 302, and of all \
                methods but HEAD after 303.
                """,
                quoting: .should,
                """
                the user agent SHOULD resend the original request message with the following modifications
                """
            )
        case .redirectMethodKept:
            .must(
                "A redirect with 307 or 308 keeps the request method.",
                quoting: .mustNot,
                "the user agent MUST NOT change the request method if it performs an automatic redirection"
            )
        case .redirectContentFields:
            .should(
                "Where a redirect changes the method to GET, the fields about the content are removed.",
                quoting: .should,
                """
                the user agent SHOULD resend the original request message with the following modifications
                """
            )
        case .redirectCredentials:
            .should(
                "Credentials are not sent to another origin that a redirect names.",
                quoting: .should,
                """
                the user agent SHOULD resend the original request message with the following modifications
                """
            )
        case .redirectLoops:
            .should(
                "Redirects without end lead to an error.",
                quoting: .should,
                "A client SHOULD detect and intervene in cyclical redirections"
            )
        case .rangeUnsatisfiable:
            .optimal(
                "Ranges that are all beyond the end are answered with 416 and the complete length.",
                quoting: .should,
                "the server SHOULD send a 416 (Range Not Satisfiable) response",
                in: "RFC 9110 §14.2"
            )
        case .contentUnshared:
            .optimal(
                """
                A GET or HEAD with content is answered by the origin, and its response answers no other \
                request.
                """,
                quoting: .definition,
                "content received in a GET request has no generally defined semantics"
            )
        case .postReused:
            .optimal(
                """
                A 200 or 203 to POST with explicit freshness and the target URI in Content-Location is \
                stored, and answers GET and HEAD.
                """,
                quoting: .definition,
                "A cached POST response can be reused to satisfy a later GET or HEAD request."
            )
        case .postExplicit:
            .must(
                "A response to POST is stored only with explicit freshness.",
                quoting: .definition,
                """
                Responses to POST requests are only cacheable when they include explicit freshness \
                information
                """
            )
        case .postLocation:
            .must(
                "A response to POST is stored only if its Content-Location is the target URI.",
                quoting: .definition,
                "a Content-Location header field that has the same value as the POST's target URI"
            )
        case .statusHit:
            .optimal(
                "A request answered from the store without the origin is a hit.",
                quoting: .definition,
                """
                indicates that the request was satisfied by the cache; that is, it was not forwarded, \
                and the response was obtained from the cache
                """
            )
        case .forwardBypass:
            .optimal(
                "A request that was configured to pass the cache by is forwarded as bypass.",
                quoting: .definition,
                "The cache was configured to not handle this request."
            )
        case .forwardMethod:
            .optimal(
                "A request whose method requires it is forwarded as method.",
                quoting: .definition,
                "The request method's semantics require the request to be forwarded."
            )
        case .forwardURIMiss:
            .optimal(
                "A request with nothing stored for its target URI is forwarded as uri-miss.",
                quoting: .definition,
                "The cache did not contain any responses that matched the request URI."
            )
        case .forwardVaryMiss:
            .optimal(
                "A request with no matching variant is forwarded as vary-miss.",
                quoting: .definition,
                """
                it could not select a response based upon this request's header fields and stored Vary \
                header fields
                """
            )
        case .forwardMiss:
            .optimal(
                "A request with nothing usable, for any other reason, is forwarded as miss.",
                quoting: .definition,
                "an implementation cannot distinguish between uri-miss and vary-miss"
            )
        case .forwardRequest:
            .optimal(
                "A request whose own directives or preconditions require it is forwarded as request.",
                quoting: .definition,
                """
                but the request's semantics (e.g., Cache-Control request directives) did not allow its \
                use
                """
            )
        case .forwardStale:
            .optimal(
                "A request with a stale stored response is forwarded as stale.",
                quoting: .definition,
                "able to select a response for the request, but it was stale"
            )
        case .forwardPartial:
            .optimal(
                "A request with an incomplete stored response is forwarded as partial.",
                quoting: .definition,
                """
                able to select a partial response for the request, but it did not contain all of the \
                requested ranges
                """
            )
        case .statusForwardStatus:
            .optimal(
                "The status code of the origin's answer is reported where it differs from the response's.",
                quoting: .definition,
                """
                If fwd-status is not present but the fwd parameter is, it defaults to the status code \
                sent in the response.
                """
            )
        case .statusTimeToLive:
            .optimal(
                "The remaining freshness lifetime is reported, negative for a stale response.",
                quoting: .definition,
                "indicates the response's remaining freshness lifetime"
            )
        case .statusStored:
            .optimal(
                "Whether the origin's response was stored is reported.",
                quoting: .definition,
                "is a Boolean that indicates whether the cache stored the response"
            )
        case .statusCollapsed:
            .optimal(
                "Whether the request was answered by another's exchange is reported.",
                quoting: .definition,
                """
                is a Boolean that indicates whether this request was collapsed together with one or more \
                other forward requests
                """
            )
        case .targetedStructured:
            .must(
                "A targeted field is read as a dictionary of structured fields, parameters passed over.",
                quoting: .definition,
                "Targeted fields are Dictionary Structured Fields"
            )
        case .targetedInvalid:
            .must(
                "A targeted field that is empty or does not parse is as if it were not there.",
                quoting: .must,
                """
                that field MUST be ignored by the cache (i.e., it behaves as if the field were not \
                present
                """
            )
        case .targetedType:
            .should(
                "A directive of a targeted field whose value is of the wrong type is ignored.",
                quoting: .shouldNot,
                "Implementations SHOULD NOT consume values that violate these inferred constraints."
            )
        case .targetedFirst:
            .must(
                """
                Of the targeted fields that the cache lists, the first in its list that is valid says \
                how the response is cached.
                """,
                quoting: .must,
                """
                the cache MUST select the first (in target-list order) field with a valid, non-empty \
                value
                """
            )
        case .targetedNoMixing:
            .must(
                "Beside a targeted field that counts, Cache-Control and Expires count for nothing.",
                quoting: .must,
                "it MUST ignore the Cache-Control and Expires header fields in that response"
            )
        case .targetedUnlisted:
            .must(
                "A targeted field that the cache does not list changes nothing and is passed on.",
                quoting: .mustNot,
                """
                Targeted fields that are not on a cache's target list MUST NOT change that cache's \
                behavior and MUST be passed through.
                """
            )
        case .targetedForwarded:
            .optimal(
                "A targeted field that counts here is passed on to caches downstream.",
                quoting: .definition,
                """
                CDN caches that use CDN-Cache-Control will typically forward this header so that \
                downstream CDN caches can use it as well.
                """,
                in: "RFC 9213 §3"
            )
        case .groupInvalidation:
            .optimal(
                """
                Cache-Group-Invalidation of a successful response to an unsafe method invalidates what \
                is stored in these groups.
                """,
                quoting: .may,
                "MAY invalidate any stored responses that share groups"
            )
        case .groupShared:
            .optimal(
                """
                What shares a group with a stored response that an unsafe request invalidates is \
                invalidated too, and nothing beyond that.
                """,
                quoting: .may,
                """
                A cache that invalidates a stored response MAY invalidate any stored responses that \
                share groups
                """
            )
        case .groupOrigin:
            .must(
                "Groups of the same name at two origins are two groups.",
                quoting: .definition,
                "They both share the same URI origin"
            )
        case .contentDigestKept:
            .should(
                """
                Content-Digest stays with the content that it was computed for: a range, a combination of \
                parts and an update by a response without that content do not have it.
                """,
                quoting: .definition,
                "digests that are calculated using a hashing algorithm applied to the actual message content"
            )
        case .reprDigestKept:
            .should(
                """
                Repr-Digest stays with the representation that it was computed for: only a response with \
                the same strong entity tag updates it, and a range has it.
                """,
                quoting: .definition,
                """
                digests that are calculated using a hashing algorithm applied to the entire selected \
                representation data
                """
            )
        case .dictionaryUsable:
            .must(
                "A stored response is offered as a dictionary only while it is fresh or may be served stale.",
                quoting: .must,
                "the dictionary resource MUST be either fresh [HTTP-CACHING] or allowed to be served stale"
            )
        case .dictionaryCodings:
            .must(
                "A client without a dictionary for a request does not accept dcb and dcz.",
                quoting: .mustNot,
                """
                the client MUST NOT send its dictionary-aware content encodings in the "Accept-Encoding" \
                request header
                """
            )
        case .dictionaryVaries:
            .optimal(
                """
                A response coded with dcb or dcz is reused for the same Available-Dictionary and \
                Accept-Encoding alone, even if its Vary does not name them.
                """,
                quoting: .must,
                """
                it MUST include a "Vary" header to prevent caches from serving dictionary-compressed \
                resources to clients that don't support them
                """
            )
        case .queryRedirected:
            .must(
                "After 301, 302, 307 and 308 a QUERY is repeated as QUERY, with its content.",
                quoting: .definition,
                """
                the exceptions for redirecting a POST as a GET request after a 301 or 302 response do \
                not apply to QUERY requests
                """
            )
        case .querySeeOther:
            .must(
                "After 303 a QUERY is followed by a GET for the new URI, without content.",
                quoting: .definition,
                "this means sending a GET request to the new target URI"
            )
        case .queryConditions:
            .optimal(
                "The preconditions of a QUERY are evaluated for the stored response to the same query.",
                quoting: .definition,
                """
                is the same as for a GET request to the equivalent resource
                """
            )
        case .queryKey:
            .must(
                "The key of a QUERY has its content and the fields that say what the content is.",
                quoting: .must,
                "MUST incorporate the request content ([RFC9111] §6) and related metadata"
            )
        case .queryNeedsContent:
            .must(
                """
                A QUERY whose content is not known before it is sent is neither stored nor answered from \
                the store.
                """,
                quoting: .definition,
                """
                complete reading of the request's content is needed in order to determine the cache key
                """
            )
        case .queryReused:
            .optimal(
                "A stored response to QUERY answers the same QUERY.",
                quoting: .may,
                "a cache MAY use it to satisfy subsequent QUERY requests"
            )
        case .queryUnchanged:
            .must(
                "A QUERY is forwarded with its content and metadata as they are, whatever its key is made of.",
                quoting: .definition,
                """
                any such transformation is performed solely for the purpose of generating a cache key; \
                it does not change the request itself
                """
            )
        case .queryRanges:
            .optimal(
                "A range of the stored response to a QUERY answers the same QUERY with Range.",
                quoting: .definition,
                "The semantics of Range Requests for QUERY are identical to those for GET"
            )
        case .incrementalForwarded:
            .should(
                """
                A message with Incremental: ?1 is forwarded as it arrives, and no other request waits for \
                its end.
                """,
                quoting: .shouldNot,
                "HTTP intermediaries SHOULD NOT buffer the entire message before forwarding it."
            )
        case .searchIgnored:
            .optimal(
                """
                A stored response with No-Vary-Search answers requests whose queries differ only in what \
                it says does not matter.
                """
            )
        case .searchMalformed:
            .must(
                "A No-Vary-Search that is malformed is as if it were not there: all of the query counts."
            )
        case .clearSiteData:
            .must(
                """
                Clear-Site-Data with "cache" or "*" removes what a private cache stores of the origin.
                """
            )
        case .clearSiteTrustworthy:
            .must(
                "Clear-Site-Data counts only from an origin that is potentially trustworthy."
            )
        case .statusMembers:
            .must(
                "The members of caches nearer to the origin stay in front, in their order.",
                quoting: .definition,
                """
                The first member represents the cache closest to the origin server, and the last member \
                represents the cache closest to the user
                """
            )
        case .policyProtocol:
            .must(
                "useProtocolCachePolicy leaves the decision to RFC 9111."
            )
        case .policyReloadIgnoringLocal:
            .must(
                """
                reloadIgnoringLocalCacheData loads from the origin without validators, whatever is \
                stored.
                """
            )
        case .policyReloadIgnoringRemote:
            .should(
                """
                reloadIgnoringLocalAndRemoteCacheData also instructs caches on the way; that it does so by \
                no-cache in Cache-Control and Pragma is this project's choice, as Apple names no field.
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
            .must(
                "reloadRevalidatingCacheData validates the stored response even if it is fresh."
            )
        }
    }
}
