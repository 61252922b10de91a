import CacheClient
import CacheSemantics
import CacheStorage
import Conformance

extension Mutant {
    /// The store: its tiers, sizes and removals.
    static let ofStore: [Mutant] = [
        Mutant(
            "no-store-kept-on-disk",
            "A response with no-store is stored, but never used",
            [.responseNoStore],
            keepingUnstorable
        ),
        Mutant(
            "restart-loses-entries",
            "Responses on disk are lost by a restart",
            documents: ["urlcache.two-tier"],
            storing { VolatileStore($0) }
        ),
        Mutant(
            "sizes-doubled",
            "The size of the stored responses is reported as twice its value",
            documents: ["urlcache.capacity-memory-1", "urlcache.memory-never-cleaned"],
            storing { SizeDoublingStore($0) }
        ),
        Mutant(
            "capacity-fixed",
            "Changes of the capacities are ignored",
            documents: ["urlcache.disable-with-zero"],
            storing { FixedCapacityStore($0) }
        ),
        Mutant(
            "most-recent-evicted",
            "The most recently used responses are evicted first",
            documents: ["urlcache.memory-never-cleaned"],
            storing { EvictsMostRecentStore($0) }
        ),
        Mutant(
            "memory-only-on-disk",
            "Responses for memory only are written to disk",
            documents: ["willcache.memory-only"],
            changingEntries { entry, _ in
                if entry.storagePolicy == .allowedInMemoryOnly { entry.storagePolicy = .allowed }
            }
        ),
        Mutant(
            "user-info-lost",
            "The user info of an entry is lost",
            documents: ["willcache.userinfo"],
            changingEntries { entry, _ in entry.userInfo = [:] }
        ),
        Mutant(
            "removal-ignored",
            "Removed responses stay stored",
            documents: ["urlcache.remove-api"],
            storing { KeepingStore($0) }
        ),
        Mutant(
            "lookups-read-everything",
            "Each lookup reads everything on disk",
            documents: ["urlcache.two-tier"],
            storing { SearchingStore($0) }
        ),
        Mutant(
            "wrong-content",
            "Stored content lacks its last byte",
            documents: ["urlcache.replay-length"],
            changingEntries { entry, _ in
                guard entry.stored.parts == nil, let bytes = try? entry.body.readAll() else { return }
                entry.body = .bytes(bytes.dropLast())
            }
        ),
    ]

    private static var keepingUnstorable: Decoration {
        var decoration = changingFound { entry, _ in entry.stored.cacheControl.noStore ? nil : entry }
        decoration.decisions = { DefectiveEngine(base: $0, defect: .storingUnstorable) }
        return decoration
    }

    /// The client's hook, its own expiry and its transport.
    static let ofClient: [Mutant] = [
        Mutant(
            "hook-ignored",
            "The hook that decides on storing is not called",
            documents: ["willcache.nil-prevents-storage", "willcache.replace-data"],
            storing { ImmediateStore($0) }
        ),
        Mutant(
            "own-expiry-ignored",
            "The expiry of a custom cache is ignored",
            documents: [
                "customurlcache.expired-is-removed",
                "customurlcache.applies-to-all-policies",
                "customurlcache.interval-600",
                "customurlcache.name-in-prose",
            ],
            stamping { _ in .greatestFiniteMagnitude }
        ),
        Mutant(
            "own-expiry-early",
            "The expiry of a custom cache is a second early",
            documents: ["customurlcache.boundary"],
            stamping { $0 - 1 }
        ),
        Mutant(
            "interim-taken-for-final",
            "A 1xx response is treated as the final response",
            [.storeFinalStatus],
            receiving { FirstResponseReceiver($0) }
        ),
        Mutant(
            "trailers-merged",
            "Trailer fields are stored among the header fields",
            [.trailersApart],
            receiving {
                HoldingReceiver($0, complete: { $0.headerFields.append(contentsOf: $1.trailers) })
            }
        ),
    ]

    /// Returns a decoration whose store reports another storing time than the one of an entry.
    private static func stamping(_ change: @escaping @Sendable (Double) -> Double) -> Decoration {
        changingFound { entry, _ in
            let name = CachingClient.expirationStampName
            guard case .number(let stamp) = entry.userInfo[name] else { return entry }
            var entry = entry
            entry.userInfo[name] = .number(change(stamp))
            return entry
        }
    }
}
