import CacheSemantics
import HTTPTypes

extension Mutant {
    /// Invalidation (RFC 9111 §4.4, RFC 9875, Clear Site Data).
    static let ofInvalidation: [Mutant] = [
        Mutant(
            "nothing-invalidated",
            "An unsafe request invalidates nothing",
            [.unsafeInvalidates],
            documents: ["http.unsafe-method-invalidates"],
            EngineDefect.edits { edits, _ in edits.filter { $0.invalidated == nil } }
        ),
        Mutant(
            "unknown-method-invalidates-nothing",
            "An unknown method invalidates nothing",
            [.unknownMethodInvalidates],
            EngineDefect.edits { edits, exchanged in
                let known: [HTTPRequest.Method] = [.post, .put, .delete, .patch]
                return known.contains(exchanged.method) ? edits : edits.filter { $0.invalidated == nil }
            }
        ),
        Mutant(
            "location-not-invalidated",
            "The URI in Location is not invalidated",
            [.locationInvalidated],
            withoutInvalidating(.location)
        ),
        Mutant(
            "content-location-not-invalidated",
            "The URI in Content-Location is not invalidated",
            [.contentLocationInvalidated],
            withoutInvalidating(.contentLocation)
        ),
        Mutant(
            "other-origin-invalidated",
            "An unsafe request also invalidates URIs of other origins",
            [.otherOriginKept],
            EngineDefect.edits { edits, exchanged in
                guard edits.contains(where: { $0.invalidated != nil }), let response = exchanged.response
                else {
                    return edits
                }
                let named = [response.headerFields[.location], response.headerFields[.contentLocation]]
                return edits + named.compactMap { $0 }.map { .invalidate(CacheKey(targetURI: $0)) }
            }
        ),
        Mutant(
            "error-invalidates",
            "An error response to an unsafe request invalidates stored responses",
            [.errorInvalidatesNothing],
            invalidating { $0.status >= 400 && [.post, .put, .delete].contains($0.method) }
        ),
        Mutant(
            "safe-invalidates",
            "A response to OPTIONS invalidates stored responses",
            [.safeInvalidatesNothing],
            invalidating { $0.method == .options || $0.method == .head }
        ),
        Mutant(
            "whole-origin-invalidated",
            "An unsafe request removes all stored responses of its origin",
            [.unsafeInvalidates],
            EngineDefect.edits { edits, _ in
                edits.flatMap { edit -> [StoreEdit] in
                    guard let key = edit.invalidated else { return [edit] }
                    return [edit, .clear(origin: StoredResponse.origin(of: key.targetURI))]
                }
            }
        ),
        Mutant(
            "invalidated-used",
            "An invalidated response is used without validation",
            [.invalidatedNeedsValidation, .unsafeInvalidates],
            EngineDefect.stored { stored, _ in stored.with(\.isInvalidated, false) }
        ),
        Mutant(
            "groups-not-invalidated",
            "Cache-Group-Invalidation is ignored",
            [.groupInvalidation, .groupShared],
            EngineDefect.edits { edits, _ in
                edits.filter { edit in
                    if case .invalidateGroups = edit { return false }
                    return true
                }
            }
        ),
        Mutant(
            "site-data-not-cleared",
            "Clear-Site-Data is ignored",
            [.clearSiteData],
            EngineDefect.fields(at: [.settling]) { fields, _ in fields[FieldNames.clearSiteData] = nil }
        ),
    ]

    private static func withoutInvalidating(_ name: HTTPField.Name) -> EngineDefect {
        EngineDefect.fields(at: [.settling]) { fields, head in
            if !head.isStored { fields[name] = nil }
        }
    }

    private static func invalidating(_ isMeant: @escaping @Sendable (Exchanged) -> Bool) -> EngineDefect {
        EngineDefect.edits { edits, exchanged in
            guard exchanged.response != nil, isMeant(exchanged) else { return edits }
            return edits + [.invalidate(CacheKey(targetURI: exchanged.planned.key.targetURI))]
        }
    }
}
