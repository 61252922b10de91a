import CacheSemantics
import Conformance
import HTTPTypes

extension Mutant {
    /// Directives of requests (RFC 9111 §5.2.1, §5.4).
    static let ofRequestDirectives: [Mutant] = [
        Mutant(
            "request-max-age-ignored",
            "max-age in a request is ignored",
            [.requestMaxAge],
            EngineDefect.deaf(to: "max-age")
        ),
        Mutant(
            "max-stale-ignored",
            "max-stale is ignored",
            [.requestMaxStale, .requestMaxStaleAny],
            EngineDefect.deaf(to: "max-stale")
        ),
        Mutant(
            "max-stale-unbounded",
            "max-stale with a number is treated as unlimited",
            [.requestMaxStale],
            requestDirective("max-stale") { _ in ["max-stale"] }
        ),
        Mutant(
            "max-stale-off-by-one",
            "max-stale allows one second too few",
            [.requestMaxStale],
            requestDirective("max-stale") { member in member.seconds.map { member.with(max(0, $0 - 1)) } }
        ),
        Mutant(
            "min-fresh-ignored",
            "min-fresh is ignored",
            [.requestMinFresh],
            EngineDefect.deaf(to: "min-fresh")
        ),
        Mutant(
            "request-no-cache-ignored",
            "no-cache in a request is ignored",
            [.requestNoCache],
            EngineDefect.deaf(to: "no-cache")
        ),
        Mutant(
            "no-store-passes-the-store-by",
            "A request with no-store is not answered from the store",
            [.requestNoStoreHit],
            EngineDefect.serving { _, question in
                question.request.headerFields.has("no-store") ? .forward(question.request) : nil
            }
        ),
        Mutant(
            "only-if-cached-forwards",
            "A request with only-if-cached is forwarded",
            [.requestOnlyIfCached],
            EngineDefect.deaf(to: "only-if-cached")
        ),
        Mutant(
            "pragma-ignored",
            "Pragma: no-cache is ignored",
            [.pragmaNoCache],
            EngineDefect.ignoring(FieldNames.pragma)
        ),
        Mutant(
            "pragma-beside-cache-control",
            "Pragma: no-cache is obeyed although Cache-Control is present",
            [.pragmaNoCache],
            EngineDefect.asked { request in
                if request.headerFields.contains(FieldNames.pragma) {
                    request.headerFields[.cacheControl] = nil
                }
            }
        ),
    ]

    /// Directives of responses (RFC 9111 §5.2.2).
    static let ofResponseDirectives: [Mutant] = [
        Mutant(
            "no-cache-ignored",
            "no-cache in a response is ignored",
            [.responseNoCache, .reuseNoCacheValidated],
            documents: ["http.cache-control.no-cache"],
            EngineDefect.directives(at: [.planning]) { _, member in
                member.name == "no-cache" && member.argument == nil ? [] : nil
            }
        ),
        Mutant(
            "no-cache-not-stored",
            "A response with no-cache is not stored",
            [.responseNoCache],
            EngineDefect.putting { stored, _ in stored.response.headerFields.has("no-cache") ? nil : stored }
        ),
        Mutant(
            "must-understand-ignored",
            "must-understand is ignored",
            [.responseMustUnderstand, .responseMustUnderstandUnknown],
            EngineDefect.blind(to: "must-understand")
        ),
        Mutant(
            "must-understand-allows-all",
            "no-store is ignored with must-understand, whatever the status code",
            [.responseMustUnderstandUnknown],
            EngineDefect.directives { head, member in
                guard head.fields.has("must-understand") else { return nil }
                return ["must-understand", "no-store"].contains(member.name) ? [] : nil
            }
        ),
        Mutant(
            "content-transformed",
            "Text content is stored in upper case",
            [.requestNoTransform, .responseNoTransform],
            changingEntries { entry, _ in
                guard let bytes = try? entry.body.readAll() else { return }
                entry.body = .bytes(bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 })
            }
        ),
        Mutant("public-ignored", "public is ignored", [.responsePublic], EngineDefect.blind(to: "public")),
    ]

    private static func requestDirective(
        _ name: String,
        _ change: @escaping @Sendable (ControlMember) -> [String]?
    ) -> EngineDefect {
        EngineDefect.asked { request in
            request.headerFields = request.headerFields.changingDirectives {
                $0.name == name ? change($0) : nil
            }
        }
    }
}
