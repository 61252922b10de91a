import CacheSemantics
import HTTPTypes
import LocatedYAML
import Scenarios

extension Verdict {
    /// The verdict on a subject that is not ours, of which no rule asks that it uses its store or tells of itself.
    ///
    /// Our own client shall do all that it may, so scenarios expect it; of others a request that went to the origin where
    /// a stored response could have been used (RFC 9111 §4 allows it, and nothing asks for it) leaves what must and should
    /// be without a verdict.
    func judged(of scenario: Scenario, _ steps: [StepRecord], _ abilities: SubjectAbilities) -> Verdict {
        let liberty = Liberty(
            level: scenario.level,
            rules: scenario.rules,
            steps: steps,
            abilities: abilities
        )
        guard !mismatches.isEmpty, let reason = liberty.reason(for: mismatches) else { return self }
        return .skipped(reason: reason)
    }
}

/// What a subject may do although our client does it otherwise, in a scenario whose last step did not hold.
private struct Liberty {
    let level: RuleLevel
    let rules: [String]
    let steps: [StepRecord]
    let abilities: SubjectAbilities
    private static let store: Set<String> = ["memory", "disk", "cache", "validated"]
    /// Rules that are about passing a response on.
    private static let ofForwarding: Set<String> = [
        Rule.dropConnectionFields.rawValue, Rule.dropHopByHopFields.rawValue,
        Rule.updateSkipsUnstoredFields.rawValue,
    ]

    /// Why there is no verdict; `nil` where there is one.
    func reason(for mismatches: [Mismatch]) -> String? {
        if let arrival = steps.flatMap(\.arrivals).first(where: \.isBesideTheScript) {
            let answer = arrival.request.answeredStatus ?? 0
            return "the subject did not ask what the origin's script answers with \(answer)"
        }
        if mismatches.contains(where: \.isAboutUnsaidStatus) { return "the subject sends no Cache-Status" }
        if let unsaid = mismatches.first, unsaid.isAboutUnsaidAge, !checksAgeField {
            return "the subject sends no Age"
        }
        guard level == .must || level == .should else { return nil }
        if let unasked = unaskedOfClient(mismatches) { return unasked }
        if steps.contains(where: \.asksForMore) {
            return "the subject asked the origin for more than its caller had asked for"
        }
        if let unused = mismatches.first(where: isUnusedStore) {
            return "the subject asked the origin where it may use its store (\(unused.position))"
        }
        return asksStoreOnly(mismatches) ?? ignoredRequest(mismatches)
    }

    /// What nobody asks of a cache that is part of a client: it forwards nothing, and need not be a browser.
    private func unaskedOfClient(_ mismatches: [Mismatch]) -> String? {
        guard abilities.isClient else { return nil }
        if rules.contains(where: Self.ofForwarding.contains) {
            return "a client forwards nothing, so fields of its connection may stay (RFC 9110 §7.6.1)"
        }
        if mismatches.contains(where: \.isAboutKindOfError) {
            return "the subject tells of an error of another kind, which no rule of HTTP names"
        }
        let isOfBrowsers = rules.contains(Rule.clearSiteData.rawValue)
        return isOfBrowsers ? "Clear-Site-Data is for browsers, which the subject need not be" : nil
    }

    /// What requests ask for more than the rules do is advice (RFC 9111 §5.2.1): nobody has to obey it.
    private func ignoredRequest(_ mismatches: [Mismatch]) -> String? {
        let last = steps.last { !$0.exchanges.isEmpty }
        guard level == .must, let last, last.arrivals.isEmpty else { return nil }
        let excuse = "which is advice (RFC 9111 §5.2.1)"
        if last.exchanges.contains(where: \.asksForOrigin) {
            return "the subject used its store although the request said no-cache, \(excuse)"
        }
        guard steps.dropLast().flatMap(\.exchanges).contains(where: { $0.requestDirectives.noStore }) else {
            return nil
        }
        return "the subject stored although the request said no-store, \(excuse)"
    }

    /// Whether it is the matter of the scenario that there is an Age (RFC 9111 §4), and not what it says.
    private var checksAgeField: Bool { rules.contains(Rule.reuseSetsAge.rawValue) }

    /// A request with only-if-cached went to the origin.
    ///
    /// A cache may obey (RFC 9111 §5.2.1) and need not, and what is no cache has nothing to obey.
    private func asksStoreOnly(_ mismatches: [Mismatch]) -> String? {
        let asked = steps.last?.exchanges.filter { $0.requestDirectives.onlyIfCached } ?? []
        guard !asked.isEmpty else { return nil }
        if steps.last?.arrivals.isEmpty == true {
            let isRefused = asked.allSatisfy { $0.seen.status == 504 }
            return isRefused ? "the subject has not stored what it may store" : nil
        }
        if !abilities.hasCache { return "the subject has no cache that only-if-cached could ask" }
        return level == .must ? "the subject asked the origin although only-if-cached was said" : nil
    }

    /// The origin was asked, or asked for the whole, where a stored response could have been used.
    private func isUnusedStore(_ mismatch: Mismatch) -> Bool {
        switch mismatch.subject {
        case "source": isOfStore(mismatch.expected) && isNotOfStore(mismatch.seen)
        case "outcome": isOfStore(String(mismatch.expected.dropFirst("a response from ".count))) && hasAsked
        case "origin-saw.requests": hasAskedMore(than: mismatch.expected, mismatch.seen)
        default: isUnsentCondition(mismatch)
        }
    }

    private func isOfStore(_ expected: String) -> Bool {
        let words = expected.split(separator: " ").map(String.init).filter { $0 != "or" }
        return !words.isEmpty && words.allSatisfy(Self.store.contains)
    }

    /// A cache may validate what is fresh, too; that it should not is for should to say (RFC 8246 §2).
    private func isNotOfStore(_ seen: String) -> Bool {
        seen.hasPrefix("origin") || seen == ObservedSource.unknown || seen == "validated" && level == .must
    }

    private var hasAsked: Bool { steps.last?.arrivals.isEmpty == false }

    /// More safe requests than expected have reached the origin; those of other methods may not be repeated at will.
    private func hasAskedMore(than expected: String, _ seen: String) -> Bool {
        let most = expected.split(separator: " ").compactMap { Int($0) }.max()
        guard let most, let count = Int(seen.prefix { $0.isNumber }), count > most else { return false }
        let safe: Set<String> = ["GET", "HEAD", "OPTIONS", "QUERY"]
        return steps.flatMap(\.arrivals).allSatisfy { safe.contains($0.request.method) }
    }

    /// The origin was asked without the stored validator: without any, or with the caller's own alone.
    private func isUnsentCondition(_ mismatch: Mismatch) -> Bool {
        guard mismatch.subject.hasPrefix("origin-saw."), mismatch.subject.contains(".fields.") else {
            return false
        }
        let name = mismatch.subject.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard ["if-none-match", "if-modified-since", "range", "if-range"].contains(name) else { return false }
        if mismatch.seen == "absent" { return true }
        let own = steps.last { !$0.exchanges.isEmpty }?.exchanges.flatMap(\.fields) ?? []
        return own.contains { $0.name.lowercased() == name && YAMLNode.quoted($0.value) == mismatch.seen }
    }
}

extension Mismatch {
    /// Nothing but the Age field tells how old a response is.
    fileprivate var isAboutUnsaidAge: Bool { subject == "age" && seen == "no age" }

    /// An error was expected and has come, though not this one.
    fileprivate var isAboutKindOfError: Bool {
        subject == "error" && expected != ErrorCode.text(of: 0) && seen != CallerExpectation.noError
    }

    /// RFC 9211 is there for caches that want to tell.
    fileprivate var isAboutUnsaidStatus: Bool {
        subject.hasPrefix("cache-status") && seen == "no Cache-Status"
    }
}

extension OriginExchange {
    /// The script has an answer to a condition or a range, and the request has none: the subject does not validate, or
    /// asks for the whole.
    fileprivate var isBesideTheScript: Bool {
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

    /// Whether the caller prefers what comes from the origin to what is stored and fresh.
    fileprivate var asksForOrigin: Bool {
        let directives = requestDirectives
        return directives.noCache || directives.maxAge == 0
    }

    fileprivate func names(_ name: HTTPField.Name) -> Bool {
        fields.contains { $0.name.lowercased() == name.canonicalName }
    }
}

extension StepRecord {
    /// Whether a request to the origin has another method than the caller's, or leaves its range or condition away, which
    /// a cache may do (RFC 9110 §13.1.1, §14.2); the scenario then tells of another exchange.
    fileprivate var asksForMore: Bool {
        guard exchanges.count == 1, let exchange = exchanges.first, let request = arrivals.first?.request
        else {
            return false
        }
        if exchange.method == "HEAD", request.method == "GET" { return true }
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
}
