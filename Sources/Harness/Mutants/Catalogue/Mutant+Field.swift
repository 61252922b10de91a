import CacheSemantics
import CacheStorage
import Conformance
import HTTPTypes

extension Mutant {
    /// Defects that other caches have had, in any of their parts.
    static let ofTheField: [Mutant] = [
        Mutant(
            "nothing-stored",
            "No response is ever stored",
            [.freshWhileLifetimeExceedsAge],
            documents: [
                "willcache.absent-hook-default",
                "principle.cache-identical-results",
                "http.second-identical-request-is-local",
                "urlcache.saves-requests",
                "urlcache.https-support",
            ],
            EngineDefect.putting { _, _ in nil }
        ),
        Mutant(
            "vary-never-stored",
            "No response with Vary is stored",
            [.varyMatches],
            EngineDefect.putting { stored, _ in stored.vary.isEmpty ? stored : nil }
        ),
        Mutant(
            "escaped-paths-not-on-disk",
            "A response with percent-encoding in its target is not written to disk",
            [.keyHasMethodAndTarget],
            changingEntries { entry, _ in
                guard entry.stored.key.targetURI.contains("%") else { return }
                entry.storagePolicy = .allowedInMemoryOnly
            }
        ),
        Mutant(
            "first-content-kept",
            "A response that is stored again keeps its first content",
            [.storeReplacesOlder],
            changingEntries { entry, base in
                let variant = entry.stored.variant
                let present = base.entries(for: entry.stored.key).entries.map(\.entry)
                if let first = present.first(where: { $0.stored.variant == variant }) {
                    entry.body = first.body
                }
            }
        ),
        Mutant(
            "stored-beside",
            "A new response is stored in addition to the one that it replaces",
            [.storeReplacesOlder],
            storing { NonReplacingStore($0) }
        ),
        Mutant(
            "capacities-ignored",
            "Evicted and oversized responses are kept",
            [.storeReplacesOlder],
            documents: ["urlcache.capacity-memory-1", "urlcache.max-entry-size"],
            storing { SecondCopyStore($0) }
        ),
        Mutant(
            "largest-share-halved",
            "A response of more than half of the permitted size is not stored",
            documents: ["urlcache.max-entry-size"],
            storing { NarrowStore($0) }
        ),
        Mutant(
            "stores-read-everything",
            "Storing a response reads everything on disk",
            documents: ["urlcache.two-tier"],
            changingEntries { _, base in (base as? CacheStore)?.remove(prefix: "nothing begins so") }
        ),
        Mutant(
            "request-max-age-extends",
            "max-age in a request replaces that of the response",
            [.requestMaxAge],
            EngineDefect.stored(at: [.planning]) { stored, request in
                let asked = request.headerFields.directives.first { $0.name == "max-age" }
                guard let seconds = asked?.seconds else { return stored }
                return stored.changing { fields in
                    fields = fields.changingDirectives { $0.name == "max-age" ? $0.with(seconds) : nil }
                }
            }
        ),
        Mutant(
            "permanent-redirect-for-ever",
            "A permanent redirect is always fresh, whatever its directives",
            [.freshWhileLifetimeExceedsAge],
            EngineDefect.directives(at: [.planning]) { head, member in
                [301, 308].contains(head.status) && member.name == "max-age" ? member.with(999_999_999) : nil
            }
        ),
        Mutant(
            "zero-limits-ask",
            "max-stale=0 and min-fresh=0 cause validation of fresh responses",
            [.requestMaxStale, .requestMinFresh],
            EngineDefect.asked(at: [.planning]) { request in
                request.headerFields = request.headerFields.changingDirectives { member in
                    ["max-stale", "min-fresh"].contains(member.name) && member.seconds == 0
                        ? ["no-cache"] : nil
                }
            }
        ),
        Mutant(
            "named-variant-passed-over",
            "The first validated variant is used, whichever variant a 304 identifies",
            [.conditionSeveralTags],
            EngineDefect.settling { settlement, exchanged in
                guard case .validated(let reuse, _) = settlement.answer,
                    case .validate(let validation) = exchanged.planned.plan,
                    let first = validation.candidates.first
                else { return settlement }
                return settlement.with(answer: .validated(reuse.with(first), response: first.response))
            }
        ),
        Mutant(
            "validations-close-the-connection",
            "Each validation closes its connection",
            [.validationNotModified],
            sending { request in
                if request.headerFields.contains(.ifNoneMatch) { request.headerFields[.connection] = "close" }
            }
        ),
    ]
}
