import CacheSemantics
import HTTPTypes

extension Mutant {
    /// The responses that are stored (RFC 9111 §3, §3.5).
    static let ofStoring: [Mutant] = [
        Mutant(
            "no-store-ignored",
            "no-store in a response is ignored",
            [.responseNoStore, .storeNotForbidden],
            documents: ["http.cache-control.no-store"],
            EngineDefect.blind(to: "no-store")
        ),
        Mutant(
            "request-no-store-ignored",
            "no-store in a request is ignored",
            [.requestNoStore],
            EngineDefect.deaf(to: "no-store")
        ),
        Mutant(
            "private-stored-in-shared",
            "A shared cache stores private responses",
            [.responsePrivate, .storeNotPrivateInShared],
            EngineDefect.directives { head, member in
                head.kind == .shared && member.name == "private" && member.argument == nil ? [] : nil
            }
        ),
        Mutant(
            "private-refused-by-private",
            "A private cache does not store private responses",
            [.responsePrivate],
            documents: ["http.cache-control.private"],
            EngineDefect.putting { stored, exchanged in
                exchanged.engine.kind == .private && stored.response.headerFields.has("private")
                    ? nil : stored
            }
        ),
        Mutant(
            "stores-any-status",
            "A response without freshness information is stored whatever its status code",
            [.storeExplicitOrHeuristic],
            EngineDefect.fields(at: [.settling]) { fields, head in
                if !head.isStored { fields = fields.adding(directive: "public") }
            }
        ),
        Mutant(
            "error-with-freshness-refused",
            "Errors are not stored, even with explicit freshness",
            [.storeExplicitAnyStatus],
            EngineDefect.putting { stored, _ in stored.statusCode < 500 ? stored : nil }
        ),
        Mutant(
            "found-is-fresh",
            "A 302 without freshness information is fresh for an hour, like a 301",
            [.heuristicStatus, .heuristicStatuses, .storeExplicitOrHeuristic],
            EngineDefect.fields { fields, head in
                guard [302, 307].contains(head.status), !fields.has("max-age", "s-maxage"),
                    !fields.contains(.expires)
                else { return }
                fields = fields.adding(directive: "max-age=3600")
            }
        ),
        Mutant(
            "too-many-requests-stored",
            "428, 429, 431 and 511 are stored",
            [.storeStatusUnderstood],
            EngineDefect.view(at: [.settling]) { head in
                guard !head.isStored, [428, 429, 431, 511].contains(head.status) else { return head.response }
                return HTTPResponse(status: .notFound, headerFields: head.fields)
            }
        ),
        Mutant(
            "own-condition-stored",
            "A 412 to the request's own If-Match or If-Unmodified-Since is stored",
            [.storeStatusUnderstood],
            EngineDefect.ignoring(.ifMatch, .ifUnmodifiedSince, at: [.settling])
        ),
        Mutant(
            "not-modified-stored",
            "A 304 to a client's own precondition is stored like a response with content",
            [.storeStatusUnderstood],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.status == 304, !exchanged.isValidation, var response = exchanged.response
                else { return settlement }
                response.status = .ok
                return settlement.answeringFromHere(exchanged, response)
            }
        ),
        Mutant(
            "put-stored",
            "The response to PUT is stored",
            [.storeMethodUnderstood],
            EngineDefect.storing(of: .put)
        ),
        Mutant(
            "options-stored",
            "The response to OPTIONS is stored",
            [.storeMethodUnderstood],
            EngineDefect.storing(of: .options)
        ),
        Mutant(
            "outdated-kept",
            "A new response that may not be stored does not remove the outdated one",
            [.storeReplacesOlder],
            EngineDefect.edits { edits, _ in
                edits.filter { edit in
                    if case .remove = edit { return false }
                    return true
                }
            }
        ),
        Mutant(
            "older-never-replaces",
            "A response with an earlier Date than the stored one does not replace it, even after a reload",
            [.storeReplacesOlder],
            EngineDefect.edits { edits, exchanged in
                edits.filter { edit in
                    guard case .put(let new) = edit else { return true }
                    return !exchanged.planned.stored.contains {
                        $0.variant == new.variant && $0.date > new.date
                    }
                }
            }
        ),
        Mutant(
            "authorization-ignored",
            "A shared cache stores the response to a request with Authorization",
            [.authorizationInShared],
            EngineDefect.ignoring(.authorization, at: [.settling])
        ),
        Mutant(
            "authorization-never",
            "The response to a request with Authorization is not stored, even if a directive allows it",
            [.authorizationAllowed],
            EngineDefect.putting { stored, exchanged in
                let isShared = exchanged.engine.kind == .shared
                return isShared && exchanged.request.headerFields.contains(.authorization) ? nil : stored
            }
        ),
        Mutant(
            "post-without-freshness-stored",
            "A response to POST is stored without explicit freshness",
            [.postExplicit],
            EngineDefect.fields(at: [.settling]) { fields, head in
                if !head.isStored, !fields.has("max-age", "s-maxage"), !fields.contains(.expires) {
                    fields = fields.adding(directive: "max-age=3600")
                }
            }
        ),
        Mutant(
            "post-elsewhere-stored",
            "A response to POST is stored whatever its Content-Location",
            [.postLocation],
            EngineDefect.settling { settlement, exchanged in
                guard exchanged.method == .post, let response = exchanged.response else { return settlement }
                return settlement.answeringFromHere(exchanged, response)
            }
        ),
        Mutant(
            "post-never-stored",
            "No response to POST is stored",
            [.postReused],
            EngineDefect.putting { stored, exchanged in exchanged.method == .post ? nil : stored }
        ),
    ]
}

extension EngineDefect {
    /// Returns a defect that stores responses to a method as if they were responses to GET.
    fileprivate static func storing(of method: HTTPRequest.Method) -> EngineDefect {
        settling { settlement, exchanged in
            guard exchanged.method == method, let response = exchanged.response else { return settlement }
            return settlement.answeringFromHere(exchanged, response)
        }
    }
}

extension EngineDefect {
    /// Stores a response with no-store as if it had none, and changes nothing else.
    static let storingUnstorable = settling { settlement, exchanged in
        guard exchanged.method == .get, var response = exchanged.response, exchanged.status != 304,
            response.headerFields.has("no-store")
        else { return settlement }
        let real = response
        response.headerFields = real.headerFields.changingDirectives { $0.name == "no-store" ? [] : nil }
        let again = settlement.answeringFromHere(exchanged, response)
        let edits = again.edits.map { edit -> StoreEdit in
            guard case .put(let stored) = edit else { return edit }
            return .put(stored.restored(seen: response, as: real))
        }
        return settlement.with(edits: edits)
    }
}

extension Settlement {
    /// Returns the settlement with edits that store a response as if the request were a GET; its answer is kept.
    func answeringFromHere(_ exchanged: Exchanged, _ response: HTTPResponse) -> Settlement {
        var asked = exchanged.request
        asked.method = .get
        let now = exchanged.received
        let question = Question(
            engine: exchanged.engine,
            request: asked,
            key: exchanged.planned.key,
            policy: .useProtocolCachePolicy,
            stored: [],
            now: now
        )
        let reply = OriginReply.response(response, requestTime: now, responseTime: now)
        let puts = exchanged.engine.settle(question.answer, reply: reply).edits
        return with(edits: edits + puts)
    }
}
