import CacheSemantics
import Conformance
import HTTPTypes
import Locks

extension Mutant {
    /// The reuse of stored responses (RFC 9111 §4).
    static let ofReuse: [Mutant] = [
        Mutant(
            "post-answered-from-store",
            "A stored response answers POST",
            [.reuseMethodAllows, .writeThrough],
            EngineDefect.asked(at: [.planning]) { request in
                if request.method == .post { request.method = .get }
            }
        ),
        Mutant(
            "delete-not-forwarded",
            "An unsafe request is answered before it is forwarded",
            [.writeThrough],
            EngineDefect.plan { planned, question in
                let isUnsafe = [.post, .put, .delete].contains(question.request.method)
                return isUnsafe ? .gatewayTimeout : nil
            }
        ),
        Mutant(
            "everything-fresh",
            "A stored response is always fresh",
            [.freshWhileLifetimeExceedsAge, .reuseFreshOrAllowed, .responseMaxAge],
            documents: ["urlcache.policy.protocol.stale"],
            EngineDefect.plan { planned, question in
                guard case .validate(let validation) = planned.plan, let stored = validation.candidates.first,
                    question.policy == .useProtocolCachePolicy, planned.forwardReason == .stale,
                    stored.parts == nil, question.request.headerFields[.range] == nil
                else { return nil }
                return .serve(
                    Reuse(stored: stored, age: 1, lifetime: .max, isStale: false, revalidation: nil)
                )
            }
        ),
        Mutant(
            "unvalidated-without-lifetime",
            "A response without freshness information is used without validation",
            [.reuseFreshOrAllowed],
            EngineDefect.fields(at: [.planning]) { fields, _ in
                guard !fields.has("max-age", "s-maxage", "no-cache"), !fields.contains(.expires) else {
                    return
                }
                fields = fields.adding(directive: "max-age=3600")
            }
        ),
        Mutant(
            "age-zero",
            "Age is always 0",
            [.reuseSetsAge],
            EngineDefect.serving { reuse, _ in .serve(reuse.with(age: 0)) }
        ),
        Mutant(
            "age-of-origin",
            "Age is passed on as the origin sent it",
            [.reuseSetsAge],
            EngineDefect.serving { reuse, _ in
                let age = reuse.stored.response.headerFields[.age].flatMap { Int64($0) }
                return .serve(reuse.with(age: age ?? 0))
            }
        ),
        Mutant(
            "oldest-selected",
            "The oldest of several matching stored responses is used",
            [.mostRecentSelected],
            EngineDefect.serving { _, question in
                servedFirst(question.stored.sorted { $0.date < $1.date }, question)
            }
        ),
        Mutant(
            "not-collapsed",
            "Concurrent identical requests are all forwarded",
            [.collapsedForwarding],
            eachAlone { !$0.plan.isServed }
        ),
        Mutant(
            "head-forwarded",
            "HEAD is never answered from the store",
            [.headFromGet],
            EngineDefect.serving { _, question in
                question.request.method == .head ? .forward(question.request) : nil
            }
        ),
    ]

    /// Returns the plan of the first stored response that could be served if it were the only one.
    static func servedFirst(_ stored: [StoredResponse], _ question: Question) -> Plan? {
        stored.lazy.map { question.withStored([$0]).answer.plan }.first { $0.isServed }
    }

    /// Returns a decoration whose engine gives each planned GET that satisfies `isMeant` a separate key.
    ///
    /// The store maps these keys back to the original key.
    static func eachAlone(_ isMeant: @escaping @Sendable (PlannedRequest) -> Bool) -> Decoration {
        let count = Lock(0)
        var defect = EngineDefect()
        defect.key = { planned in
            guard planned.request.method == .get, isMeant(planned) else { return planned.key }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return CacheKey(targetURI: planned.key.targetURI, content: "\(planned.key.content)#\(number)")
        }
        var decoration = Decoration()
        decoration.decisions = { [defect] in DefectiveEngine(base: $0, defect: defect) }
        decoration.store = { base in
            KeyMergingStore(base) { key in
                CacheKey(targetURI: key.targetURI, content: String(key.content.prefix { $0 != "#" }))
            }
        }
        return decoration
    }
}
