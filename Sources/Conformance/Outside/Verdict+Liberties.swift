import CacheSemantics
import Scenarios

extension Verdict {
    /// The verdict on a subject that is not ours, of which no rule asks that it uses its store or tells of itself.
    ///
    /// Our own client shall do all that it may, so scenarios expect it; of others a request that went to the origin where
    /// a stored response could have been used (RFC 9111 §4 allows it, and nothing asks for it) leaves what must and should
    /// be without a verdict.
    func judged(at level: RuleLevel, _ steps: [StepRecord]) -> Verdict {
        let mismatches = mismatches
        if mismatches.isEmpty { return self }
        if let arrival = steps.flatMap(\.arrivals).first(where: \.isBesideTheScript) {
            let answer = arrival.request.answeredStatus ?? 0
            return .skipped(reason: "the subject did not ask what the origin's script answers with \(answer)")
        }
        if mismatches.contains(where: \.isAboutUnsaidStatus) {
            return .skipped(reason: "the subject sends no Cache-Status")
        }
        let isBinding = level == .must || level == .should
        if isBinding, let unused = mismatches.first(where: \.isUnusedStore) {
            return .skipped(
                reason: "the subject asked the origin where it may use its store (\(unused.position))"
            )
        }
        return self
    }
}

extension Mismatch {
    /// The origin was asked for the whole where a stored response could have been used.
    fileprivate var isUnusedStore: Bool {
        let uses: Set<String> = ["memory", "disk", "cache", "validated"]
        let words = expected.split(separator: " ").map(String.init).filter { $0 != "or" }
        if subject == "source" { return seen == "origin" && words.allSatisfy(uses.contains) }
        let conditions = ["if-none-match", "if-modified-since", "range", "if-range"]
        let field = subject.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return subject.hasPrefix("origin-saw.") && conditions.contains(field) && seen == "absent"
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
