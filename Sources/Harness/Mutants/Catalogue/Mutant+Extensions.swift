import CacheSemantics
import CacheStorage
import HTTPTypes

extension Mutant {
    /// Cache-Status, targeted fields and No-Vary-Search (RFC 9211, RFC 9213).
    static let ofExtensions: [Mutant] = [
        Mutant(
            "always-uri-miss",
            "Every forwarded request is reported as uri-miss",
            [
                .forwardVaryMiss, .forwardStale, .forwardRequest, .forwardMethod, .forwardBypass,
                .forwardPartial,
            ],
            EngineDefect(reason: { _ in .uriMiss })
        ),
        Mutant(
            "always-miss",
            "Every forwarded request is reported as miss",
            [.forwardURIMiss],
            EngineDefect(reason: { _ in .miss })
        ),
        Mutant(
            "targeted-fields-ignored",
            "Targeted fields are ignored",
            [.targetedFirst, .targetedNoMixing, .targetedStructured],
            EngineDefect.fields { fields, head in
                for name in head.engine.targets { fields[name] = nil }
            }
        ),
        Mutant(
            "earlier-no-vary-search",
            "A No-Vary-Search whose params is a Boolean is obeyed",
            [.searchMalformed],
            EngineDefect.putting { stored, _ in
                stored.changing { fields in
                    guard fields[.noVarySearch]?.hasPrefix("params") == true,
                        fields[.noVarySearch]?.contains("params=") == false
                    else { return }
                    fields[.noVarySearch] = "except=()"
                }
            }
        ),
        Mutant(
            "every-targeted-field-obeyed",
            "A cache obeys CDN-Cache-Control without listing it",
            [.targetedUnlisted],
            EngineDefect.fields { fields, head in
                guard head.engine.targets.isEmpty, fields.contains(.cdnCacheControl) else { return }
                fields[values: .cacheControl] = fields[values: .cdnCacheControl]
                fields[.expires] = nil
            }
        ),
        Mutant(
            "targeted-and-cache-control-mixed",
            "Cache-Control is obeyed in addition to a targeted field",
            [.targetedNoMixing],
            EngineDefect.fields { fields, _ in
                let others = fields[values: .cacheControl].joined(separator: ", ")
                guard !others.isEmpty, let own = fields[.cdnCacheControl] else { return }
                fields[.cdnCacheControl] = "\(own), \(others)"
            }
        ),
        Mutant(
            "search-always-varies",
            "No-Vary-Search is ignored",
            [.searchIgnored],
            changingFound { entry, key in
                guard entry.stored.key == key else { return nil }
                var entry = entry
                entry.stored = entry.stored.changing { $0[FieldNames.noVarySearch] = nil }
                return entry
            }
        ),
        Mutant(
            "status-ttl-of-lifetime",
            "The full freshness lifetime is reported as the remaining one",
            [.statusTimeToLive],
            EngineDefect.serving { reuse, _ in
                var longer = reuse
                longer.lifetime += reuse.age
                return .serve(longer)
            }
        ),
    ]

    /// The six request policies of Apple.
    static let ofPolicies: [Mutant] = [
        Mutant(
            "dont-load-touches-network",
            "returnCacheDataDontLoad contacts the origin if nothing is stored",
            [.policyReturnDontLoad],
            documents: ["urlcache.policy.return-cache-dont-load"],
            EngineDefect.plan { planned, question in
                if case .unavailable = planned.plan { return .forward(question.request) }
                return nil
            }
        ),
        Mutant(
            "else-load-validates",
            "returnCacheDataElseLoad validates stale responses",
            [.policyReturnElseLoad],
            documents: ["urlcache.policy.return-else-load-hit"],
            policy(.returnCacheDataElseLoad, as: .useProtocolCachePolicy)
        ),
        Mutant(
            "ignoring-local-uses-store",
            "reloadIgnoringLocalCacheData uses stored responses",
            [.policyReloadIgnoringLocal],
            documents: ["urlcache.policy.reload-ignoring-local"],
            policy(.reloadIgnoringLocalCacheData, as: .useProtocolCachePolicy)
        ),
        Mutant(
            "ignoring-remote-says-nothing",
            "reloadIgnoringLocalAndRemoteCacheData does not send no-cache to intermediate caches",
            [.policyReloadIgnoringRemote],
            documents: ["urlcache.policy.reload-ignoring-local-and-remote"],
            policy(.reloadIgnoringLocalAndRemoteCacheData, as: .reloadIgnoringLocalCacheData)
        ),
        Mutant(
            "revalidating-trusts-fresh",
            "reloadRevalidatingCacheData uses fresh responses without validation",
            [.policyReloadRevalidating],
            documents: ["urlcache.policy.reload-revalidating-valid"],
            policy(.reloadRevalidatingCacheData, as: .useProtocolCachePolicy)
        ),
        Mutant(
            "protocol-reloads",
            "useProtocolCachePolicy contacts the origin each time",
            [.policyProtocol],
            documents: ["urlcache.policy.default", "urlcache.policy.protocol.fresh"],
            policy(.useProtocolCachePolicy, as: .reloadIgnoringLocalCacheData)
        ),
    ]

    private static func policy(_ policy: RequestCachePolicy, as other: RequestCachePolicy) -> EngineDefect {
        EngineDefect.plan { _, question in
            question.policy == policy ? question.withPolicy(other).answer.plan : nil
        }
    }
}
