package import CacheSemantics
package import Explanation

/// An expectation after a step of a lesson.
package enum LessonCheck: Sendable, Hashable {
    /// A cache's first decision about the request, and the rule that decided; `nil` means any rule.
    case decision(LabCacheName, ExchangeExplanation.Outcome, Rule?)
    /// The last response's change in a cache, and the rule that decided; `nil` means any rule.
    case effect(LabCacheName, String, Rule?)
    /// The number of stored responses in a cache.
    case entries(LabCacheName, Int)
    /// Where the content that the user sees is from.
    case source(LabResult.Source)
    /// The status code that the user sees.
    case status(Int)
    /// The entity tag that the user sees.
    case entityTag(String)
    /// The number of requests that reached the origin.
    case originRequests(Int)
}

/// A check with its outcome.
package struct CheckedLesson: Sendable {
    /// The expectation in words.
    package let expected: String
    /// The value that was found.
    package let found: String
    /// Whether the value that was found is the expected one.
    package var holds: Bool { expected == found }
}

extension LessonCheck {
    /// Compares the check with the results of a step's actions, in order.
    func checked(_ results: [LabResult], in lab: CachingLab) -> CheckedLesson {
        let (expected, found) = texts(results, lab)
        return CheckedLesson(expected: expected, found: found)
    }

    /// Returns the expectation and the finding, in the same words.
    private func texts(_ results: [LabResult], _ lab: CachingLab) -> (String, String) {
        let last = results.last { $0.answer != nil }
        switch self {
        case .decision(let cache, let outcome, let rule):
            let found = results.compactMap { $0.decision(of: cache) }.last
            return (
                Self.text(cache, outcome.rawValue, rule),
                Self.text(cache, found?.outcome.rawValue, rule == nil ? nil : found?.reason.rule)
            )
        case .effect(let cache, let effect, let rule):
            let found = results.compactMap { $0.settlement(of: cache) }.last
            return (
                Self.text(cache, effect, rule),
                Self.text(cache, found?.effect.rawValue, rule == nil ? nil : found?.reason?.rule)
            )
        case .entries(let cache, let count):
            return (
                "\(cache.rawValue): \(count) stored",
                "\(cache.rawValue): \(lab.entries(of: cache).count) stored"
            )
        case .source(let source):
            return ("from \(source.rawValue)", "from \(last?.source?.rawValue ?? "no request")")
        case .status(let status):
            return ("status \(status)", "status \(last?.status.map(String.init) ?? "none")")
        case .entityTag(let tag):
            return ("entity tag \(tag)", "entity tag \(last?.entityTag ?? "none")")
        case .originRequests(let count):
            let found = results.reduce(0) { $0 + $1.originRequests }
            return ("requests to the origin: \(count)", "requests to the origin: \(found)")
        }
    }

    private static func text(_ cache: LabCacheName, _ what: String?, _ rule: Rule?) -> String {
        "\(cache.rawValue): \(what ?? "nothing")" + (rule.map { ", \($0.rawValue)" } ?? "")
    }
}
