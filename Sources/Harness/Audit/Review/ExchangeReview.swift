import CacheSemantics
import Explanation
import HTTPTypes

/// Judges exchanges: the outcomes for each kind of cache, and findings.
struct ExchangeReview {
    let caches: [AuditedCache]

    init(_ caches: [AuditedCache]) { self.caches = caches }

    /// Returns a result with the outcomes of its exchange and the findings of its head.
    func judged(_ result: AuditedURL) -> AuditedURL {
        guard let exchange = result.exchange else { return result }
        var result = result
        let explained = exchange.explained
        result.outcomes = caches.map { CacheOutcome(explained, in: $0) }
        let review = ResponseReview(exchange, result.outcomes, isLive: result.isLive)
        let advice = result.outcomes.flatMap { $0.explanation.advice } + adviceForNetworks(exchange)
        if result.isMadeUp || result.isError {
            let errors = review.observations.filter { $0.rule == "long-lived-error" } + missingPage(result)
            let cookie = advice.filter { $0.id == "shared-cookie" }
            return adding(errors + error(result), cookie, to: result)
        }
        return adding(review.observations, advice, to: result)
    }

    /// Returns advice on codings and cookies that only delivery networks store, on which the audit may not report.
    private func adviceForNetworks(_ exchange: AuditedExchange) -> [Advice] {
        let advice = exchange.network?.explanation.advice ?? []
        return advice.filter { ["coding-without-vary", "shared-cookie"].contains($0.id) }
    }

    /// Returns the finding for an error that was received instead of the response to be audited.
    ///
    /// A site whose links are dead can be audited, so that these are a warning; protected pages are usual.
    private func error(_ result: AuditedURL) -> [Observation] {
        guard let status = result.exchange?.status, result.isError else { return [] }
        let isProtected = [401, 403, 407].contains(status)
        if result.isFound, isProtected { return [] }
        let hint = isProtected ? "; --header sends credentials" : ""
        var observation = Observation(
            "error-response",
            "the answer is a \(status) instead of the response that was to be audited" + hint
        )
        observation.section = status < 500 ? "RFC 9110 §15.5" : "RFC 9110 §15.6"
        if result.isFound, status < 500 { observation.severity = .warning }
        return [observation]
    }

    /// Returns a result with findings of probes.
    func adding(_ observations: [Observation], _ advice: [Advice] = [], to result: AuditedURL) -> AuditedURL {
        guard let exchange = result.exchange else { return result }
        var result = result
        let maker = FindingMaker(exchange: exchange, outcomes: result.outcomes)
        let replaced = FindingMaker.replaced(by: observations)
        result.findings.removeAll { replaced.contains($0.rule) }
        let known = Set(result.findings.map { $0.rule + $0.message })
        let more = maker.findings(advice: advice, observations: observations)
        result.findings += more.filter { !known.contains($0.rule + $0.message) }
        result.findings.sort { $0.severity < $1.severity }
        return result
    }

    private func missingPage(_ result: AuditedURL) -> [Observation] {
        let seconds = result.outcomes.map(\.useSeconds).max() ?? 0
        guard let exchange = result.exchange, exchange.status == 200, seconds > 3_600 else { return [] }
        let path = exchange.request.path ?? "/"
        return [
            Observation(
                "missing-page-kept",
                "\(path), which does not exist, got a 200 that is used for \(ByteText.seconds(seconds)) without the origin"
            )
        ]
    }
}
