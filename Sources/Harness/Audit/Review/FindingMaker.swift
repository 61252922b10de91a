import Explanation
import HTTPTypes

/// Makes findings about one exchange, with corrections and what they gain.
struct FindingMaker {
    let exchange: AuditedExchange
    let outcomes: [CacheOutcome]
    /// Whether a cache stores the response.
    private let isStored: Bool

    init(exchange: AuditedExchange, outcomes: [CacheOutcome]) {
        self.exchange = exchange
        self.outcomes = outcomes
        isStored = outcomes.contains(where: \.isStored) || exchange.network?.isStored == true
    }

    /// Returns the findings of advice and of observations, each rule and message once, errors first.
    func findings(advice: [Advice], observations: [Observation]) -> [AuditFinding] {
        let replaced = Self.replaced(by: observations)
        let kept = advice.filter { !replaced.contains($0.id) && !isAboutMisspeltLifetime($0, advice) }
        let fromAdvice = kept.map { advice in
            Observation(advice.id, Self.withoutStop(advice.sentence), section: advice.section)
        }
        var seen: Set<String> = []
        let all = (observations + fromAdvice).filter { seen.insert($0.rule + "\n" + $0.message).inserted }
        return all.map(finding).sorted { $0.severity < $1.severity }
    }

    /// Returns the rules of advice that more exact observations make superfluous.
    static func replaced(by observations: [Observation]) -> [String] {
        Set(observations.map(\.rule)).flatMap { replaced[$0] ?? [] }
    }

    private static let replaced = [
        // Where there is one representation, Vary would change nothing.
        "coding-refused": ["coding-without-vary"],
        "permanent-redirect": ["no-lifetime", "heuristic-lifetime"],
        "long-lived-page": ["immutable-but-short"],
        "short-lived-asset": ["immutable-but-short", "no-lifetime"],
    ]

    /// Whether advice is to name a lifetime that a misspelt directive names, and that is there once this is corrected.
    private func isAboutMisspeltLifetime(_ advice: Advice, _ all: [Advice]) -> Bool {
        guard ["heuristic-lifetime", "no-lifetime"].contains(advice.id),
            all.contains(where: { $0.id == "misspelt-directive" })
        else { return false }
        let corrected = Correction.fields(for: "misspelt-directive", in: exchange)
        let outcome = CacheOutcome(Correction.applied(corrected, to: exchange).explained, in: .browser)
        return outcome.promisedSeconds > 0
    }

    private func finding(_ observation: Observation) -> AuditFinding {
        let rule = AuditRule.named(observation.rule)
        let severity = isStored ? nil : rule?.unstoredSeverity
        var finding = AuditFinding(
            rule: observation.rule,
            severity: observation.severity ?? severity ?? rule?.severity ?? .warning,
            url: exchange.url,
            message: observation.message(isStored: isStored),
            section: observation.section ?? rule?.section ?? ""
        )
        finding.correction = Correction.fields(for: observation.rule, in: exchange)
        finding.gain = Correction.gain(of: finding.correction, in: exchange, outcomes.map(\.cache))
        return finding
    }

    private static func withoutStop(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}
