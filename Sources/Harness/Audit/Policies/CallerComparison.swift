import CacheSemantics
import Explanation

/// Whether a shared cache would send what one caller got to another, and whether that would be wrong.
struct CallerComparison {
    private let answers: [AuditedExchange]

    init(_ result: AuditedURL) {
        var answers: [AuditedExchange] = []
        while let answer = result.answers[AuditedURL.callerName(answers.count)] { answers.append(answer) }
        self.answers = answers
    }

    /// Returns the first violation as a sentence without the full stop; `nil` if there is none.
    var mismatch: String? {
        for (first, one) in answers.enumerated() {
            for (second, other) in answers.enumerated() where first != second && differ(one, other) {
                if isShared(one, with: other) {
                    return "not-shared-between: a shared cache sends what caller \(first + 1) got to caller "
                        + "\(second + 1), who gets other content from the origin"
                }
            }
        }
        return nil
    }

    private func differ(_ one: AuditedExchange, _ other: AuditedExchange) -> Bool {
        guard let left = one.decodedIdentity, let right = other.decodedIdentity else {
            return one.status != other.status
        }
        return left != right || one.status != other.status
    }

    /// Asks the engine whether a shared cache serves the request of the other from the response of the first.
    private func isShared(_ one: AuditedExchange, with other: AuditedExchange) -> Bool {
        let outcome = CacheOutcome(one.explained, in: .shared)
        guard let stored = outcome.stored else { return false }
        let planned = AuditedCache.shared.engine.plan(
            other.explained.request,
            policy: .useProtocolCachePolicy,
            stored: [stored],
            now: one.responseTime
        )
        if case .serve = planned.plan { return true }
        return false
    }
}
