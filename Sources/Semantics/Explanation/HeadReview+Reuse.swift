import CacheSemantics
import HTTPTypes

extension HeadReview {
    /// Returns advice on a missing or too broad Vary of a response that a cache may store.
    var ofVary: [Advice] {
        guard stored != nil || storedByShared != nil else { return [] }
        let vary = Vary(fields[values: .vary])
        var found = vary.neverMatches ? [ofVaryThatNeverMatches] : []
        if vary.names.count > 4 {
            let sentence = "Vary nominates \(vary.names.count) fields; each multiplies the stored variants"
            found.append(hint("vary-many", sentence, "RFC 9111 §4.1"))
        }
        return found + ofSharedVariants(vary)
    }

    /// Returns advice about variants in a shared cache; none for a private one, whose requests are all from one user.
    private func ofSharedVariants(_ vary: Vary) -> [Advice] {
        guard isReusedByShared else { return [] }
        var found = vary.names.filter(Self.scattering.contains).map { name in
            let sentence =
                "Vary: \(name.rawName) makes caches store a response for nearly every client, so hardly any is reused"
            return hint("vary-scatters", sentence, "RFC 9111 §4.1")
        }
        if isCoded, !vary.names.contains(.acceptEncoding), !vary.neverMatches {
            let sentence =
                "coded content without Vary: Accept-Encoding is also sent to clients that cannot decode it"
            found.append(problem("coding-without-vary", sentence, "RFC 9110 §12.5.5"))
        }
        return found
    }

    /// Whether a shared cache uses the response again: while it is fresh, or after a validation.
    private var isReusedByShared: Bool {
        guard let storedByShared else { return false }
        var shared = exchange
        shared.engine.kind = .shared
        // RFC 9111 §4.1: no request matches a response whose Vary is *.
        let isFresh =
            !storedByShared.vary.neverMatches
            && shared.engine.lifetimeTerms(of: storedByShared).seconds > 0
        return isFresh || !shared.conditions(of: storedByShared).isEmpty
    }

    /// Whether a coding is named that changes the content (RFC 9110 §12.5.3).
    private var isCoded: Bool {
        ListField.members(of: fields[values: .contentEncoding]).contains { $0.lowercased() != "identity" }
    }

    /// With a validator, a response that no request matches can still be validated.
    private var ofVaryThatNeverMatches: Advice {
        let isConfirmable = stored.map { !exchange.conditions(of: $0).isEmpty } ?? false
        let effect =
            isConfirmable
            ? "makes caches validate every use of the response, which no-cache states clearly"
            : "prevents caches from ever using the response, which no-store states clearly"
        let members = ListField.members(of: fields[values: .vary])
        guard !members.contains("*") else {
            return problem("vary-star", "Vary: * " + effect, "RFC 9111 §4.1")
        }
        let sentence =
            "Vary: \"\(members.joined(separator: ", "))\" has a member that is not a field name, which "
        return problem("broken-vary", sentence + effect, "RFC 9110 §12.5.5")
    }

    private static let scattering: [HTTPField.Name] = [.userAgent, .cookie, .referer, .authorization]

    /// Returns advice on the freshness lifetime.
    var ofFreshness: [Advice] {
        guard let stored else { return [] }
        let terms = exchange.engine.lifetimeTerms(of: stored)
        var found: [Advice] = []
        if terms.source == .heuristic, control.noCache != .everything {
            let sentence =
                "the response has no explicit freshness lifetime; caches estimate one, here \(terms.seconds) s"
            found.append(hint("heuristic-lifetime", sentence, "RFC 9111 §4.2.2"))
        }
        if terms.source == .none, control.noCache == .nothing {
            let sentence =
                control.sharedMaxAge == nil
                ? "the response has no freshness lifetime, and caches cannot estimate one"
                : "only shared caches have a freshness lifetime, s-maxage, and browsers cannot estimate one"
            found.append(hint("no-lifetime", sentence, "RFC 9111 §4.2.1"))
        }
        let age = exchange.engine.ageTerms(of: stored, now: received).sum
        if terms.seconds > 0, age >= terms.seconds {
            let sentence =
                "the response was \(age) s old when it was received, so its lifetime of \(terms.seconds) s had already passed"
            found.append(problem("arrives-stale", sentence, "RFC 9111 §4.2.3"))
        }
        if control.isImmutable, terms.seconds < 86_400 {
            let sentence =
                "immutable means that the content never changes, but the response is fresh for only \(terms.seconds) s"
            found.append(hint("immutable-but-short", sentence, "RFC 8246 §2"))
        }
        if controlName == .cacheControl, let expires, let made = date(.date),
            terms.source == .maxAge, abs(expires.seconds(since: made) - terms.seconds) > 1
        {
            let sentence =
                "Expires allows \(expires.seconds(since: made)) s and max-age \(terms.seconds) s; max-age is used"
            found.append(hint("expires-and-max-age", sentence, "RFC 9111 §5.3"))
        }
        return found
    }

    /// Returns advice on fields that are useless or harmful in a stored response.
    var ofOtherFields: [Advice] {
        var found: [Advice] = []
        if let pragma = HTTPField.Name("Pragma"), fields.contains(pragma) {
            let sentence = "Pragma has no meaning in a response; use Cache-Control"
            found.append(hint("pragma-in-response", sentence, "RFC 9111 §5.4"))
        }
        return found + ofAge
    }

    /// §5.1: the first member is used.
    private var ofAge: [Advice] {
        let members = ListField.members(of: fields[values: .age])
        guard let first = members.first else { return [] }
        guard DeltaSeconds(parsing: first.utf8) != nil else {
            let sentence = "Age: \"\(first)\" is not a number of seconds and is ignored"
            return [problem("invalid-age", sentence, "RFC 9111 §5.1")]
        }
        guard members.count > 1 else { return [] }
        let sentence = "Age has \(members.count) values; the first, \(first), is used"
        return [hint("several-ages", sentence, "RFC 9111 §5.1")]
    }

    /// Returns advice on responses that a shared cache would send to other users.
    var ofSharing: [Advice] {
        guard let storedByShared else { return sharedByOthers }
        var found: [Advice] = []
        if isReusedByShared, storedByShared.response.headerFields.contains(.setCookie) {
            let sentence =
                "a shared cache sends this Set-Cookie to every user; private or no-cache=\"Set-Cookie\" prevents that"
            found.append(problem("shared-cookie", sentence, "RFC 9111 §7.3"))
        }
        if exchange.request.headerFields.contains(.authorization),
            !storedByShared.vary.names.contains(.authorization)
        {
            let sentence =
                "\(sharingDirective) lets shared caches send everyone the response to this user's authorized request"
            found.append(hint("public-with-authorization", sentence, "RFC 9111 §3.5"))
        }
        return found
    }

    /// Returns advice on a cookie that keeps only this program's shared cache from storing the response.
    ///
    /// Set-Cookie does not inhibit caching (RFC 9111 §7.3), so that others store it and estimate a lifetime.
    private var sharedByOthers: [Advice] {
        guard fields.contains(.setCookie), !excludesCookie(control.noCache),
            !excludesCookie(control.privateScope)
        else { return [] }
        var other = exchange
        other.engine.kind = .shared
        other.response.headerFields[.setCookie] = nil
        guard let stored = other.storing().stored, other.engine.lifetimeTerms(of: stored).seconds > 0 else {
            return []
        }
        let sentence =
            "other shared caches may estimate a lifetime and send this response to every user, with its Set-Cookie or without; private prevents that"
        return [problem("shared-cookie", sentence, "RFC 9111 §7.3")]
    }

    private func excludesCookie(_ scope: FieldScope) -> Bool {
        switch scope {
        case .nothing: false
        case .fields(let names): names.contains("set-cookie")
        case .everything: true
        }
    }

    /// §3.5: the directive that allows a shared cache to store the response to a request with Authorization.
    private var sharingDirective: String {
        if control.isPublic { return "public" }
        return control.sharedMaxAge == nil ? "must-revalidate" : "s-maxage"
    }
}
