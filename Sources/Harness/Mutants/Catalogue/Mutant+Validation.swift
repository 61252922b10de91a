import CacheSemantics
import HTTPTypes

extension Mutant {
    /// Validation by the cache and by the caller (RFC 9111 §4.3.1, §4.3.2).
    static let ofValidation: [Mutant] = [
        Mutant(
            "validation-without-tag",
            "A validation does not carry the entity tag",
            [.conditionEntityTag],
            documents: [
                "http.validator.if-none-match", "http.etag.meaning", "http.etag.for-dynamic-content",
            ],
            EngineDefect.validating { request, _ in request.headerFields[.ifNoneMatch] = nil }
        ),
        Mutant(
            "weak-mark-dropped",
            "An entity tag is sent without its W/",
            [.conditionEntityTag],
            EngineDefect.validating { request, _ in
                let tags = EntityTag.list(request.headerFields[values: .ifNoneMatch])
                if !tags.isEmpty {
                    request.headerFields[.ifNoneMatch] = tags.map {
                        String(decoding: $0.opaque, as: UTF8.self)
                    }
                    .joined(separator: ", ")
                }
            }
        ),
        Mutant(
            "validation-without-date",
            "A validation does not carry the modification date",
            [.conditionLastModified],
            documents: ["http.validator.if-modified-since", "http.last-modified.meaning"],
            EngineDefect.validating { request, _ in request.headerFields[.ifModifiedSince] = nil }
        ),
        Mutant(
            "modification-date-rewritten",
            "The modification date is reformatted instead of sent as received",
            [.conditionLastModified],
            EngineDefect.validating { request, validation in
                guard request.headerFields.contains(.ifModifiedSince),
                    let modified = validation.candidates.first?.lastModified
                else { return }
                request.headerFields[.ifModifiedSince] = modified.text
            }
        ),
        Mutant(
            "selected-tag-only",
            "A validation carries the entity tag of one variant",
            [.conditionSeveralTags],
            EngineDefect.validating { request, validation in
                if let tag = validation.candidates.first?.entityTag {
                    request.headerFields[.ifNoneMatch] = tag.text
                }
            }
        ),
        Mutant(
            "date-as-validator",
            "A response without a validator is validated by its Date",
            [.conditionNone],
            EngineDefect.plan { planned, question in
                guard case .forward(var request) = planned.plan, let stored = question.stored.first,
                    !stored.hasValidator, question.policy == .useProtocolCachePolicy
                else { return nil }
                request.headerFields[.ifModifiedSince] = stored.date.text
                return .validate(Validation(request: request, candidates: [stored]))
            }
        ),
        Mutant(
            "validation-loses-fields",
            "A validation carries only the preconditions of the request",
            [.conditionKeepsRequest],
            EngineDefect.validating { request, _ in
                let kept: [HTTPField.Name] = [
                    .ifNoneMatch, .ifModifiedSince, .range, .ifRange, .acceptEncoding,
                ]
                for name in request.headerFields.map(\.name) where !kept.contains(name) {
                    request.headerFields[name] = nil
                }
            }
        ),
        Mutant(
            "validation-loses-query",
            "A validation is sent to the path without the query",
            [.conditionKeepsRequest],
            EngineDefect.validating { request, _ in
                request.path = request.path.map { String($0.prefix { $0 != "?" }) }
            }
        ),
        Mutant(
            "if-none-match-ignored",
            "If-None-Match in a request is not evaluated",
            [.callerIfNoneMatch],
            EngineDefect.ignoring(.ifNoneMatch, at: [.planning])
        ),
        Mutant(
            "if-none-match-strong",
            "If-None-Match is compared strongly",
            [.callerIfNoneMatch, .entityTagWeak],
            EngineDefect.asked(at: [.planning]) { request in
                let tags = EntityTag.list(request.headerFields[values: .ifNoneMatch])
                guard tags.contains(where: \.isWeak) else { return }
                let strong = tags.filter { !$0.isWeak }.map(\.text)
                request.headerFields[.ifNoneMatch] =
                    strong.isEmpty ? "\"none\"" : strong.joined(separator: ", ")
            }
        ),
        Mutant(
            "if-modified-since-ignored",
            "If-Modified-Since in a request is not evaluated",
            [.callerIfModifiedSince],
            EngineDefect.ignoring(.ifModifiedSince, at: [.planning])
        ),
        Mutant(
            "date-before-etag",
            "If-Modified-Since is evaluated despite If-None-Match",
            [.callerIfModifiedSince],
            EngineDefect.asked(at: [.planning]) { request in
                if request.headerFields.contains(.ifModifiedSince) {
                    request.headerFields[.ifNoneMatch] = nil
                }
            }
        ),
        Mutant(
            "origin-conditions-evaluated",
            "The cache itself rejects requests with a false If-Match or If-Unmodified-Since",
            [.originOnlyConditions],
            EngineDefect.plan { _, question in
                let fields = question.request.headerFields
                guard let stored = question.stored.first, question.request.method == .get else { return nil }
                let tags = EntityTag.list(fields[values: .ifMatch])
                let isOther = !tags.isEmpty && !tags.contains { $0.opaque == stored.entityTag?.opaque }
                let date = fields[.ifUnmodifiedSince].flatMap { HTTPDate(parsing: $0, now: question.now) }
                let isNewer = date.map { (stored.lastModified ?? stored.date) > $0 } ?? false
                return isOther || isNewer ? .gatewayTimeout : nil
            }
        ),
        Mutant(
            "caller-tags-lost",
            "A validation does not carry the client's own entity tags",
            [.callerTagsJoined],
            EngineDefect.plan { planned, question in
                guard case .validate(let validation) = planned.plan,
                    question.request.headerFields.contains(.ifNoneMatch)
                else { return nil }
                var request = validation.request
                let own = validation.candidates.compactMap(\.entityTag?.text)
                request.headerFields[.ifNoneMatch] = own.joined(separator: ", ")
                return .validate(Validation(request: request, candidates: validation.candidates))
            }
        ),
        Mutant(
            "other-tag-is-not-modified",
            "A 304 to the cache's entity tag is passed on to a client that sent a different one",
            [.callerTagOther],
            EngineDefect.settling { settlement, exchanged in
                guard case .validated(let reuse, _) = settlement.answer, let response = exchanged.response,
                    exchanged.request.headerFields.contains(.ifNoneMatch), reuse.part == .whole
                else { return settlement }
                return settlement.with(answer: .origin(response))
            }
        ),
        Mutant(
            "caller-conditions-dropped",
            "A request is forwarded without its preconditions",
            [.callerConditionForwarded],
            EngineDefect.plan { planned, question in
                guard case .forward(var request) = planned.plan,
                    question.policy == .useProtocolCachePolicy
                else { return nil }
                request.headerFields[.ifNoneMatch] = nil
                request.headerFields[.ifModifiedSince] = nil
                return .forward(request)
            }
        ),
    ]

    /// The handling of the response to a validation (RFC 9111 §4.3.3–4.3.5).
    static let ofNotModified: [Mutant] = [
        Mutant(
            "304-private-ignored",
            "private in a 304 is ignored",
            [.responsePrivate],
            ignoringInNotModified("private")
        ),
        Mutant(
            "304-no-store-ignored",
            "no-store in a 304 is ignored",
            [.responseNoStore],
            ignoringInNotModified("no-store")
        ),
        Mutant(
            "not-modified-passed-on",
            "A 304 to the cache's own validation is passed on to the client",
            [.validationNotModified],
            documents: ["http.not-modified-serves-stored-body"],
            EngineDefect.settling { settlement, exchanged in
                guard case .validated = settlement.answer, let response = exchanged.response else {
                    return settlement
                }
                return settlement.with(answer: .origin(response))
            }
        ),
        Mutant(
            "not-modified-freshens-nothing",
            "A 304 does not make the stored response fresh",
            [.validationNotModified],
            EngineDefect.edits { edits, exchanged in
                exchanged.status == 304 ? edits.filter { !$0.isFreshening } : edits
            }
        ),
        Mutant(
            "full-answer-not-stored",
            "A full response to a validation does not replace the stored response",
            [.validationFull],
            documents: [
                "http.changed-resource-replaces-entry", "urlcache.policy.reload-revalidating-changed",
            ],
            EngineDefect.putting { stored, exchanged in exchanged.isValidation ? nil : stored }
        ),
        Mutant(
            "full-answer-thrown-away",
            "The stored response is used despite a full response to the validation",
            [.validationFull],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.isValidation, exchanged.status == 200, exchanged.method == .get,
                    case .validate(let validation) = exchanged.planned.plan,
                    let stored = validation.candidates.first, stored.parts == nil
                else { return settlement }
                let reuse = Reuse(stored: stored, age: 0, lifetime: 0, isStale: false, revalidation: nil)
                return settlement.with(answer: .validated(reuse, response: stored.response), edits: [])
            }
        ),
        Mutant(
            "not-modified-freshens-all",
            "A 304 with a strong entity tag freshens every stored variant",
            [.freshenStrong],
            EngineDefect.edits { edits, exchanged in
                guard exchanged.status == 304, edits.contains(where: \.isFreshening) else { return edits }
                let known = edits.compactMap(\.freshened).map(\.variant)
                let others = exchanged.planned.stored.filter { !known.contains($0.variant) }
                return edits
                    + others.map { stored in
                        .freshen(stored.updated(exchanged))
                    }
            }
        ),
        Mutant(
            "unsolicited-accepted",
            "A 206 or 304 that was not requested is passed on",
            [.unsolicitedPart, .unsolicitedNotModified],
            EngineDefect.settling { settlement, exchanged in
                guard case .rejected = settlement.answer, let response = exchanged.response else {
                    return settlement
                }
                return settlement.with(answer: .origin(response))
            }
        ),
        Mutant(
            "alias-forgotten",
            "No alias is stored when a strong entity tag identifies another variant",
            [.variantAlias],
            EngineDefect.edits { edits, _ in
                edits.filter { edit in
                    if case .putAlias = edit { return false }
                    return true
                }
            }
        ),
        Mutant(
            "weak-compared-as-strong",
            "A weak entity tag is treated as strong",
            [.entityTagStrong, .freshenStrong],
            EngineDefect.fields(at: [.settling]) { fields, _ in
                guard let text = fields[.eTag], let tag = EntityTag(parsing: text) else { return }
                fields[.eTag] = String(decoding: tag.opaque, as: UTF8.self)
            }
        ),
        Mutant(
            "weak-never-matches",
            "A 304 with a weak entity tag identifies nothing",
            [.freshenWeak, .entityTagWeak],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.status == 304,
                    exchanged.response?.headerFields[.eTag].flatMap({ EntityTag(parsing: $0) })?.isWeak
                        == true
                else { return settlement }
                return settlement.with(answer: .retry(exchanged.request.unconditional), edits: [])
            }
        ),
        Mutant(
            "nameless-not-modified-refused",
            "A 304 without validators identifies no stored response",
            [.freshenOnlyCandidate],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.status == 304, let fields = exchanged.response?.headerFields,
                    fields[.eTag] == nil, fields[.lastModified] == nil
                else { return settlement }
                return settlement.with(answer: .retry(exchanged.request.unconditional), edits: [])
            }
        ),
        Mutant(
            "unknown-tag-freshens",
            "A 304 freshens the selected response whatever its entity tag",
            [.freshenNone],
            EngineDefect.view(at: [.settling]) { head in
                guard !head.isStored, head.status == 304 else { return head.response }
                var fields = head.fields
                fields[.eTag] = nil
                fields[.lastModified] = nil
                return head.with(fields)
            }
        ),
        Mutant(
            "head-updates-nothing",
            "A 200 to HEAD does not update the stored response",
            [.headFreshens],
            EngineDefect.edits { edits, exchanged in
                exchanged.method == .head && exchanged.status == 200
                    ? edits.filter { !$0.isFreshening } : edits
            }
        ),
        Mutant(
            "head-mismatch-ignored",
            "A 200 to HEAD that differs does not make the stored response stale",
            [.headInvalidates],
            EngineDefect.edits { edits, exchanged in
                guard exchanged.method == .head else { return edits }
                return edits.filter { $0.freshened?.isInvalidated != true }
            }
        ),
    ]
}

extension Mutant {
    /// Ignores a directive of a 304, as if the stored response still counted.
    fileprivate static func ignoringInNotModified(_ directive: String) -> EngineDefect {
        .fields(at: [.settling]) { fields, head in
            guard !head.isStored, head.status == 304 else { return }
            fields = fields.changingDirectives { $0.name == directive ? [] : nil }
        }
    }
}

extension StoreEdit {
    /// The stored response that it freshens; `nil` for other edits.
    var freshened: StoredResponse? {
        if case .freshen(let stored) = self { return stored }
        return nil
    }

    var isFreshening: Bool { freshened != nil }

    /// The key that it invalidates; `nil` for other edits.
    var invalidated: CacheKey? {
        if case .invalidate(let key) = self { return key }
        return nil
    }
}
