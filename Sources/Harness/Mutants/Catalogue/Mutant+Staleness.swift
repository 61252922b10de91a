import CacheSemantics
import HTTPTypes

extension Mutant {
    /// Stale responses (RFC 9111 §4.2.4, RFC 5861).
    static let ofStaleness: [Mutant] = [
        Mutant(
            "stale-after-must-revalidate",
            "must-revalidate is ignored",
            [.responseMustRevalidate, .staleForbidden],
            EngineDefect.directives(at: [.planning, .settling]) { head, member in
                head.isStored && member.name == "must-revalidate" ? [] : nil
            }
        ),
        Mutant(
            "proxy-revalidate-ignored",
            "A shared cache ignores proxy-revalidate",
            [.responseProxyRevalidate, .staleForbidden],
            EngineDefect.blind(to: "proxy-revalidate", in: .shared)
        ),
        Mutant(
            "s-maxage-allows-stale",
            "s-maxage does not prevent a shared cache from using a stale response",
            [.responseSharedMaxAge, .staleForbidden],
            EngineDefect.directives { head, member in
                guard head.isStored, head.kind == .shared, member.name == "s-maxage" else { return nil }
                return ["max-age=\(member.argument ?? "0")"]
            }
        ),
        Mutant(
            "no-cache-served-disconnected",
            "A response with no-cache is used if the origin cannot be reached",
            [.staleForbidden],
            EngineDefect.directives(at: [.settling]) { head, member in
                head.isStored && member.name == "no-cache" ? [] : nil
            }
        ),
        Mutant(
            "grace-period",
            "A stale response is used for ten more seconds without permission",
            [.staleOnlyAllowed],
            EngineDefect.asked(at: [.planning]) { request in
                guard !request.headerFields.has("max-stale") else { return }
                request.headerFields = request.headerFields.adding(directive: "max-stale=10")
            }
        ),
        Mutant(
            "stale-on-any-failure",
            "A stale response replaces a 5xx without permission",
            [.validationServerError],
            EngineDefect.fields(at: [.settling]) { fields, head in
                if head.isStored { fields = fields.adding(directive: "stale-if-error=999999") }
            }
        ),
        Mutant(
            "error-when-disconnected",
            "If the origin cannot be reached, the client gets the error, whatever is stored",
            [.staleDisconnected],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.response == nil, case .stored = settlement.answer else { return settlement }
                return settlement.with(answer: .unanswered)
            }
        ),
        Mutant(
            "revalidation-failure-is-an-error",
            "No 504 is sent if must-revalidate forbids the stale response",
            [.responseMustRevalidateFailed],
            EngineDefect.settling { settlement, exchanged in
                guard case .gatewayTimeout = settlement.answer, exchanged.response == nil else {
                    return settlement
                }
                return settlement.with(answer: .unanswered)
            }
        ),
        Mutant(
            "stale-while-revalidate-ignored",
            "stale-while-revalidate is ignored",
            [.staleWhileRevalidate],
            EngineDefect.blind(to: "stale-while-revalidate")
        ),
        Mutant(
            "stale-while-revalidate-unbounded",
            "stale-while-revalidate has no time limit",
            [.staleWhileRevalidatePast],
            EngineDefect.directives(at: [.planning]) { _, member in
                member.name == "stale-while-revalidate" ? member.with(999_999) : nil
            }
        ),
        Mutant(
            "stale-while-not-revalidating",
            "A response that is used stale is not validated in the background",
            [.staleWhileRevalidateBackground],
            EngineDefect.serving { reuse, _ in
                var unvalidated = reuse
                unvalidated.revalidation = nil
                return .serve(unvalidated)
            }
        ),
        Mutant(
            "each-stale-hit-validates",
            "Each request that gets the same stale response starts a validation",
            [.staleWhileRevalidateBackground],
            eachAlone(\.plan.isServed)
        ),
        Mutant(
            "stale-if-error-ignored",
            "stale-if-error in a response is ignored",
            [.staleIfErrorResponse],
            EngineDefect.blind(to: "stale-if-error")
        ),
        Mutant(
            "request-stale-if-error-ignored",
            "stale-if-error in a request is ignored",
            [.staleIfErrorRequest],
            EngineDefect.deaf(to: "stale-if-error")
        ),
        Mutant(
            "stale-if-error-unbounded",
            "stale-if-error has no time limit",
            [.staleIfErrorPast],
            EngineDefect.directives(at: [.settling]) { _, member in
                member.name == "stale-if-error" ? member.with(999_999) : nil
            }
        ),
        Mutant(
            "stale-if-any-error",
            "stale-if-error applies to every status code from 400 on",
            [.staleIfErrorStatus],
            EngineDefect.view(at: [.settling]) { head in
                guard !head.isStored, head.status >= 400 else { return head.response }
                return HTTPResponse(status: .internalServerError, headerFields: head.fields)
            }
        ),
        Mutant(
            "immutable-for-ever",
            "A response with immutable is never stale",
            [.immutableStale],
            EngineDefect.directives(at: [.planning]) { head, member in
                guard head.fields.has("immutable"), member.name == "max-age" else { return nil }
                return member.with(999_999_999)
            }
        ),
        Mutant(
            "immutable-asks",
            "A fresh response with immutable is validated",
            [.immutableFresh],
            EngineDefect.directives(at: [.planning]) { _, member in
                member.name == "immutable" ? ["no-cache"] : nil
            }
        ),
    ]
}

extension Settlement {
    /// Returns the settlement with another answer, or other edits.
    func with(answer: CallerOutcome? = nil, edits: [StoreEdit]? = nil) -> Settlement {
        Settlement(answer: answer ?? self.answer, edits: edits ?? self.edits, findings: findings)
    }
}
