import CacheSemantics
import HTTPTypes
import Scenarios

extension Verdict {
    /// Returns the verdict on an external subject: skipped if every mismatch is permitted behaviour.
    ///
    /// The built-in client is expected to reuse whenever it may. Another subject may forward a request where it could
    /// have used a stored response (RFC 9111 §4 permits reuse and does not require it); a scenario of level `must` or
    /// `should` then has no verdict.
    func judged(of scenario: Scenario, _ steps: [StepRecord], _ abilities: SubjectAbilities) -> Verdict {
        let allowance = Allowance(
            level: scenario.level,
            rules: scenario.rules,
            steps: steps,
            abilities: abilities
        )
        guard !mismatches.isEmpty, let reason = allowance.reason(for: mismatches) else { return self }
        return .skipped(reason: reason)
    }
}

extension CallerExchange {
    /// Whether the response is a redirect.
    fileprivate var isLeftRedirect: Bool {
        [301, 302, 303, 307, 308].contains(seen.status)
            && seen.fields.contains { $0.name.lowercased() == "location" }
    }
}

extension CallerExchange {
    /// Whether the response has content that is still coded with gzip, by its fields and by its first bytes (RFC 1952 §2.3.1).
    fileprivate var isStillCoded: Bool {
        let codings = seen.fields.filter { $0.name.lowercased() == "content-encoding" }.map {
            $0.value.lowercased()
        }
        return codings.contains { $0.contains("gzip") } && seen.body.starts(with: [0x1F, 0x8B])
    }
}

/// The behaviours that are allowed although the built-in client's differ, in a scenario whose last step did not hold.
private struct Allowance {
    let level: RuleLevel
    let rules: [String]
    let steps: [StepRecord]
    let abilities: SubjectAbilities
    /// Rules about forwarding responses.
    private static let ofForwarding: Set<String> = [
        Rule.dropConnectionFields.rawValue, Rule.dropHopByHopFields.rawValue,
        Rule.updateSkipsUnstoredFields.rawValue,
    ]

    /// Returns the reason why there is no verdict; `nil` if there is one.
    func reason(for mismatches: [Mismatch]) -> String? {
        if let arrival = steps.flatMap(\.arrivals).first(where: \.lacksScriptedForm) {
            let status = arrival.request.answeredStatus ?? 0
            return "The origin's script responds \(status), but the subject's request "
                + (status == 304 ? "was not conditional." : "had no Range.")
        }
        if mismatches.contains(where: { $0.detail == .noCacheStatus }) {
            return "The subject does not send Cache-Status."
        }
        if mismatches.first?.detail == .noAge, !checksAgeField {
            return "The subject does not send Age."
        }
        if abilities.isClient, !abilities.leavesRedirects,
            steps.last?.exchanges.contains(where: \.isLeftRedirect) == true
        {
            return
                "The subject returned a redirect to its caller, and does not declare that it can follow redirects."
        }
        if abilities.isClient, mismatches.allSatisfy({ $0.detail == .content }),
            steps.last?.exchanges.contains(where: \.isStillCoded) == true
        {
            return
                "The driver passes on coded content, but the protocol requires decoded content (fixtures/drivers/README.md)."
        }
        guard level == .must || level == .should else { return nil }
        if let unasked = unaskedOfClient(mismatches) { return unasked }
        if steps.contains(where: \.asksForMore) {
            return "The subject requested more from the origin than its client had requested."
        }
        if let unused = mismatches.first(where: isUnusedStore) {
            return "The subject contacted the origin where it may use its store (\(unused.position))."
        }
        if mismatches.contains(where: isMissingEntry) {
            return "The subject did not store a response that it may store."
        }
        if steps.last(where: { !$0.exchanges.isEmpty })?.rejectsMismatch == true {
            return "The subject rejected a 206 or 304 that does not match its request (RFC 9110 §15.6.3)."
        }
        return asksStoreOnly ?? ignoredRequest
    }

    /// Returns a reason for requirements that do not apply to a client's cache: it forwards nothing and need not be a
    /// browser.
    private func unaskedOfClient(_ mismatches: [Mismatch]) -> String? {
        guard abilities.isClient else { return nil }
        if rules.contains(where: Self.ofForwarding.contains) {
            return "A client forwards nothing, so it may keep fields of its connection (RFC 9110 §7.6.1)."
        }
        if mismatches.contains(where: { $0.detail == .otherError }) {
            return "The subject reports a different error; HTTP does not define error kinds."
        }
        let isOfBrowsers = rules.contains(Rule.clearSiteData.rawValue)
        return isOfBrowsers ? "Clear-Site-Data applies to browsers only." : nil
    }

    /// A reason for request directives, which are advisory (RFC 9111 §5.2.1): a cache need not obey them.
    private var ignoredRequest: String? {
        let last = steps.last { !$0.exchanges.isEmpty }
        guard level == .must, let last, last.arrivals.isEmpty else { return nil }
        let excuse = "which is advisory (RFC 9111 §5.2.1)."
        if steps.contains(where: \.answersReloadFromStore) {
            return "The subject used its store although the request had no-cache, \(excuse)"
        }
        guard steps.dropLast().flatMap(\.exchanges).contains(where: { $0.requestDirectives.noStore }) else {
            return nil
        }
        return "The subject stored the response although the request had no-store, \(excuse)"
    }

    /// Whether the scenario is about the presence of Age (RFC 9111 §4), not about its value.
    private var checksAgeField: Bool { rules.contains(Rule.reuseSetsAge.rawValue) }

    /// The reason why a forwarded request with only-if-cached has no verdict; `nil` if it has one.
    ///
    /// A cache need not obey it (RFC 9111 §5.2.1), and it does not apply to a subject without a cache.
    private var asksStoreOnly: String? {
        let asked = steps.last?.exchanges.filter { $0.requestDirectives.onlyIfCached } ?? []
        guard !asked.isEmpty else { return nil }
        if steps.last?.arrivals.isEmpty == true {
            let isRefused = asked.allSatisfy { $0.seen.status == 504 }
            return isRefused ? "The subject did not store a response that it may store." : nil
        }
        if !abilities.hasCache { return "The subject has no cache, so only-if-cached does not apply." }
        return level == .must
            ? "The subject contacted the origin although the request had only-if-cached." : nil
    }

    /// Whether the origin got a request, or one for the whole, although a stored response could have been used.
    private func isUnusedStore(_ mismatch: Mismatch) -> Bool {
        switch mismatch.detail {
        case .source(let expected, let seen): expected.areStored && isNotOfStore(seen)
        case .noResponse(let expected): expected.areStored && hasAsked
        case .surplusRequests: areArrivalsSafe
        case .requestField(let name, let seen): isUnsentCondition(name.lowercased(), seen)
        case .other, .otherError, .content, .noAge, .noCacheStatus: false
        }
    }

    /// Whether a request that may only be answered from the store failed and sent nothing: nothing was stored.
    private func isMissingEntry(_ mismatch: Mismatch) -> Bool {
        guard case .noResponse(let expected) = mismatch.detail, expected.areStored, !hasAsked else {
            return false
        }
        let exchanges = steps.last?.exchanges ?? []
        return !exchanges.isEmpty && exchanges.allSatisfy { $0.policy == .returnCacheDataDontLoad }
    }

    /// Whether a response is from the origin instead of the store.
    ///
    /// A cache may also validate a fresh response; only RFC 8246 §2 advises against it, for immutable ones.
    private func isNotOfStore(_ seen: Provenance?) -> Bool {
        switch seen {
        case .origin, .originOrValidated, nil: true
        case .validated: level == .must || !rules.contains { $0.hasPrefix("rfc8246.") }
        case .memory, .disk, .cache, .application, .generated: false
        }
    }

    private var hasAsked: Bool { steps.last?.arrivals.isEmpty == false }

    /// Whether all requests at the origin were safe; unsafe ones must not be repeated at will.
    private var areArrivalsSafe: Bool {
        let safe: Set<String> = ["GET", "HEAD", "OPTIONS", "QUERY"]
        return steps.flatMap(\.arrivals).allSatisfy { safe.contains($0.request.method) }
    }

    /// Whether the request at the origin lacked the stored validator: it had none, or only the caller's own.
    private func isUnsentCondition(_ name: String, _ seen: String?) -> Bool {
        guard ["if-none-match", "if-modified-since", "range", "if-range"].contains(name) else { return false }
        let step = steps.last { !$0.exchanges.isEmpty }
        // A validation by date must carry the entity tag, too (RFC 9111 §4.3.1).
        guard let seen else { return name != "if-none-match" || step?.addsDate != true }
        let own = step?.exchanges.flatMap(\.fields) ?? []
        return own.contains { $0.name.lowercased() == name && $0.value == seen }
    }
}

extension OriginExchange {
    /// Whether the script answers a condition or a range that the request does not have: the subject does not validate,
    /// or requests the complete representation.
    fileprivate var lacksScriptedForm: Bool {
        let names = Set(request.fields.map { $0.name.lowercased() })
        return switch request.answeredStatus {
        case 304:
            names.isDisjoint(with: ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since"])
        case 206, 416: !names.contains("range")
        default: false
        }
    }
}

extension CallerExchange {
    /// The directives of the request.
    fileprivate var requestDirectives: RequestCacheControl {
        let name = HTTPField.Name.cacheControl.canonicalName
        return RequestCacheControl(fields.filter { $0.name.lowercased() == name }.map(\.value))
    }

    /// Whether the caller prefers a response of the origin to a fresh stored one.
    fileprivate var asksForOrigin: Bool {
        let directives = requestDirectives
        return directives.noCache || directives.maxAge == 0
    }

    fileprivate func names(_ name: HTTPField.Name) -> Bool {
        fields.contains { $0.name.lowercased() == name.canonicalName }
    }
}

extension StepRecord {
    /// Whether a request to the origin has another method than the caller's, or omits its range or condition, which a
    /// cache may do (RFC 9110 §13.1.1, §14.2); the scenario is then about another exchange.
    fileprivate var asksForMore: Bool {
        if forwardsHeadAsGet { return true }
        guard exchanges.count == 1, let exchange = exchanges.first, let request = arrivals.first?.request
        else {
            return false
        }
        let sent = Set(request.fields.map { $0.name.lowercased() })
        let conditions: [HTTPField.Name] = [.ifMatch, .ifUnmodifiedSince, .ifNoneMatch, .ifModifiedSince]
        let isWithout = conditions.allSatisfy { !sent.contains($0.canonicalName) }
        if isWithout, conditions.contains(where: exchange.names) { return true }
        let isConditional =
            sent.contains(HTTPField.Name.ifNoneMatch.canonicalName)
            || sent.contains(HTTPField.Name.ifModifiedSince.canonicalName)
        return exchange.method == "GET" && exchange.names(.range) && !isConditional
            && !sent.contains(HTTPField.Name.range.canonicalName)
    }

    /// Whether the origin got GET for a HEAD of the caller, which a cache may send instead.
    private var forwardsHeadAsGet: Bool {
        guard exchanges.contains(where: { $0.method == "HEAD" }) else { return false }
        let methods = arrivals.map(\.request.method)
        return !methods.contains("HEAD")
            && methods.count { $0 == "GET" } > exchanges.count { $0.method == "GET" }
    }

    /// Whether a request to the origin has If-Modified-Since although the caller's had none.
    fileprivate var addsDate: Bool {
        let name = HTTPField.Name.ifModifiedSince
        guard !exchanges.contains(where: { $0.names(name) }) else { return false }
        return arrivals.flatMap(\.request.fields).contains { $0.name.lowercased() == name.canonicalName }
    }

    /// Whether a request that prefers a response of the origin was answered from the store.
    fileprivate var answersReloadFromStore: Bool {
        arrivals.isEmpty && exchanges.contains { $0.asksForOrigin && ($0.seen.status ?? 500) < 500 }
    }
}
