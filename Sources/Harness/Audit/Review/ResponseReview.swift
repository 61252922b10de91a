import CacheSemantics
import Explanation
import HTTPTypes

/// The findings about one head and its URL, beyond the advice of `Explanation`.
struct ResponseReview {
    let exchange: AuditedExchange
    let browser: CacheOutcome
    let shared: CacheOutcome
    /// Whether the response was received just now, so that its Date can be compared with this clock.
    let isLive: Bool

    init(_ exchange: AuditedExchange, _ outcomes: [CacheOutcome], isLive: Bool) {
        self.exchange = exchange
        let explained = exchange.explained
        browser = outcomes.first { $0.cache == .browser } ?? CacheOutcome(explained, in: .browser)
        shared = outcomes.first { $0.cache == .shared } ?? CacheOutcome(explained, in: .shared)
        self.isLive = isLive
    }

    /// All observations, in a fixed order.
    var observations: [Observation] {
        [
            unrequestedStatus, longLivedError, longLivedPage, mustUnderstandAlone, clockSkew, immutableName,
            shortLivedAsset, noStorePage, permanentRedirect,
        ].compactMap(\.self) + misspeltFields + Probe.undecodable(exchange)
    }

    private var path: String { exchange.request.path ?? "/" }
    private var status: Int { exchange.status }
    private var hour: Int64 { 3_600 }
    private var day: Int64 { 86_400 }

    /// The longest lifetime that was written down for any cache, in seconds.
    private var explicitSeconds: Int64 {
        [browser, shared].compactMap { outcome -> Int64? in
            guard let terms = outcome.explanation.lifetime, terms.source != .heuristic else { return nil }
            return outcome.directives?.noCache == .everything ? 0 : terms.seconds
        }.max() ?? 0
    }

    /// Archives may lack the fields by which a browser has asked for it.
    private var unrequestedStatus: Observation? {
        let asked = exchange.request.headerFields
        switch status {
        case 206 where isLive && !asked.contains(.range):
            return Observation(
                "unrequested-status",
                "the answer to a request without Range is a 206, so clients get a part instead of the whole"
            )
        case 304 where isLive && !asked.contains(.ifNoneMatch) && !asked.contains(.ifModifiedSince):
            var observation = Observation(
                "unrequested-status",
                "the answer to a request without a condition is a 304, so clients get no content"
            )
            observation.section = "RFC 9110 §15.4.5"
            return observation
        default: return nil
        }
    }

    private var longLivedError: Observation? {
        let limit = status >= 500 ? 60 : hour
        // 410 means that it will stay so (RFC 9110 §15.5.11).
        guard status >= 400, status != 410, explicitSeconds > limit else { return nil }
        let time = ByteText.seconds(explicitSeconds)
        return Observation(
            "long-lived-error",
            "a \(status) is stored for \(time), so clients see it long after its cause is gone"
        )
    }

    private var longLivedPage: Observation? {
        guard status == 200, exchange.isPage, !Fingerprint.isIn(path) else { return nil }
        guard let seconds = browser.explanation.lifetime?.seconds, browser.useSeconds > 0, seconds >= day,
            browser.explanation.lifetime?.source != .heuristic
        else { return nil }
        let time = ByteText.seconds(seconds)
        return Observation(
            "long-lived-page",
            "browsers show this page for \(time) without asking whether it has changed"
        )
    }

    private var mustUnderstandAlone: Observation? {
        guard let control = browser.directives ?? shared.directives else { return nil }
        guard control.mustUnderstand, !control.noStore else { return nil }
        return Observation(
            "must-understand-alone",
            "must-understand without no-store restricts only caches that implement it"
        )
    }

    /// A minute allows for slow responses and for ordinary drift.
    private var clockSkew: Observation? {
        guard isLive, !exchange.fields.contains(.age) else { return nil }
        let lines = exchange.fields[values: .date]
        guard lines.count == 1, let date = HTTPDate(parsing: lines[0], now: exchange.responseTime) else {
            return nil
        }
        let early = date.seconds(since: exchange.responseTime)
        let late = exchange.requestTime.seconds(since: date)
        guard max(early, late) > 60 else { return nil }
        let text = early > 0 ? "\(early) s ahead of" : "\(late) s behind"
        return Observation(
            "clock-skew",
            "Date is \(text) this computer's clock; the response has no Age, so the origin generated it just now"
        )
    }

    private var immutableName: Observation? {
        guard let control = browser.directives, control.isImmutable, browser.useSeconds > 0 else {
            return nil
        }
        guard status == 200, !Fingerprint.isInOrAbove(path) else { return nil }
        return Observation(
            "immutable-name",
            "immutable promises that \(path) never changes, but the path has no hash or version"
        )
    }

    private var shortLivedAsset: Observation? {
        guard status == 200, let kind = AssetKind(exchange), let place = path.split(separator: "?").first,
            path.split(separator: "?").count == 1, Fingerprint.pattern(of: String(place)).contains("[hash]")
        else { return nil }
        // A picture may be made for one use, such as one whose text is to be typed.
        if !browser.isStored, kind == .code, CacheEngine().directives(of: exchange.response).control.noStore {
            return shortLived("stored by no cache")
        }
        guard let control = browser.directives, browser.explanation.lifetime?.source != .heuristic else {
            return nil
        }
        guard control.noCache != .everything, (browser.explanation.lifetime?.seconds ?? 0) < 30 * day else {
            return control.noCache == .everything ? shortLived("validated at each use") : nil
        }
        return shortLived("fresh for \(ByteText.seconds(browser.explanation.lifetime?.seconds ?? 0))")
    }

    private func shortLived(_ found: String) -> Observation {
        Observation(
            "short-lived-asset",
            "the name has a hash, so the content never changes, yet it is \(found); a lifetime of a year is appropriate"
        )
    }

    private var noStorePage: Observation? {
        guard status == 200, exchange.isPage, !browser.isStored else { return nil }
        let control = CacheEngine().directives(of: exchange.response).control
        guard control.noStore else { return nil }
        return Observation(
            "no-store-page",
            "no-store keeps the page from validation and, in most browsers, from the back/forward cache; "
                + "private, no-cache also asks the origin at each visit"
        )
    }

    private var permanentRedirect: Observation? {
        guard status == 301 || status == 308, browser.isStored else { return nil }
        guard let source = browser.explanation.lifetime?.source, source == .none || source == .heuristic
        else {
            return nil
        }
        guard browser.directives?.noCache != .everything else { return nil }
        return Observation(
            "permanent-redirect",
            "without a freshness lifetime, browsers may keep a \(status) indefinitely, so a mistake cannot be undone"
        )
    }

    private var misspeltFields: [Observation] {
        exchange.fields.compactMap { field in
            guard !field.name.isLikeTargeted,
                let meant = KnownName.field(like: field.name.canonicalName)
            else { return nil }
            return Observation(
                "misspelt-field",
                "\(field.name.rawName) is not a known field; did you mean \(meant)?"
            )
        }
    }
}
