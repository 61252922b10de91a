import CacheSemantics
import Explanation

/// The reason why a use of a cache is right or wrong.
struct UseReason {
    /// One sentence without the full stop, beginning with a small letter where it is not a name.
    let text: String
    let section: String

    init(_ text: String, _ section: String) { (self.text, self.section) = (text, section) }

    /// The engine's guess is one of those that caches may make.
    static let ownLifetime = UseReason("without a lifetime it may choose one", "RFC 9111 §4.2.2")

    init(_ statement: Statement?) {
        var sentence = statement?.sentence ?? "its reason is not known."
        if sentence.hasSuffix(".") { sentence.removeLast() }
        // "The next request is answered …" and "It may not be stored …" continue a sentence here.
        text = sentence.prefix(1).lowercased() + sentence.dropFirst()
        section = statement?.section ?? "RFC 9111 §4"
    }

    /// Creates the reason why a stored response may be used, or not: "age 120 s, lifetime 60 s from max-age".
    init(use explanation: ExchangeExplanation) {
        let statement = explanation.statements.first { $0.topic == .use }
        let whole = UseReason(statement)
        let detail =
            whole.text.firstRange(of: ": ").map { String(whole.text[$0.upperBound...]) } ?? whole.text
        let isUsed = explanation.outcome == .served || explanation.outcome == .servedStale
        self.init((isUsed ? "" : "without validation: ") + detail, whole.section)
    }

    /// Creates the reason why a request is forwarded.
    init(_ planned: PlannedRequest, isEmpty: Bool) {
        let finding = planned.findings.first { !$0.held }
        let detail = finding.map { ": \($0.detail)" } ?? ""
        switch planned.forwardReason {
        case _ where isEmpty: self.init("nothing is stored for it in the archive", "RFC 9111 §4")
        case .request:
            self.init("the request demands it" + detail, finding?.rule.section ?? "RFC 9111 §5.2.1")
        case .varyMiss: self.init("no stored variant matches" + detail, "RFC 9111 §4.1")
        default:
            self.init(
                "the stored response must be validated" + detail,
                finding?.rule.section ?? "RFC 9111 §4"
            )
        }
    }

    /// Returns the audit's rule that is violated by a use that the engine would not have planned.
    static func rule(_ explanation: ExchangeExplanation) -> String {
        switch explanation.findings.first(where: { !$0.held })?.rule {
        case .varyMatches?, .varyStarNeverMatches?, .varyAbsentMatchesAbsent?: "other-variant-reuse"
        case .invalidatedNeedsValidation?: "invalidated-reuse"
        case .responseNoCache?, .reuseNoCacheValidated?: "unvalidated-reuse"
        default: "stale-reuse"
        }
    }
}

extension LifetimeTerms {
    /// Whether a cache may choose the lifetime, because the response names none (§4.2.2).
    var isGuess: Bool { source == .none || source == .heuristic }
}
