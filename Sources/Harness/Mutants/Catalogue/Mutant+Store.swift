import CacheClient
import CacheSemantics
import CacheStorage
import Conformance

extension Mutant {
    /// The store: its tiers, sizes and removals.
    static let ofStore: [Mutant] = [
        Mutant(
            "no-store-kept-on-disk",
            "A response with no-store is written, though never used",
            [.responseNoStore],
            keepingUnstorable
        ),
        Mutant(
            "restart-loses-entries",
            "What is on disk is gone after a restart",
            [],
            documents: ["urlcache.two-tier"],
            storing { ForgetfulStore($0) }
        ),
        Mutant(
            "sizes-doubled",
            "The bytes in use are reported as twice as many as they are",
            [],
            documents: ["urlcache.capacity-memory-1", "urlcache.memory-never-cleaned"],
            storing { SizeDoublingStore($0) }
        ),
        Mutant(
            "capacity-fixed",
            "Other capacities are not heard",
            [],
            documents: ["urlcache.disable-with-zero"],
            storing { FixedCapacityStore($0) }
        ),
        Mutant(
            "most-recent-evicted",
            "Where room is needed, what was used last goes first",
            [],
            documents: ["urlcache.memory-never-cleaned"],
            storing { EvictsMostRecentStore($0) }
        ),
        Mutant(
            "memory-only-on-disk",
            "What is for memory alone is written to disk",
            [],
            documents: ["willcache.memory-only"],
            storing { WritingStore($0) }
        ),
        Mutant(
            "user-info-lost",
            "What a caller keeps with an entry is lost",
            [],
            documents: ["willcache.userinfo"],
            storing { InfoLosingStore($0) }
        ),
        Mutant(
            "removal-ignored",
            "A stored response that is to be removed stays",
            [],
            documents: ["urlcache.remove-api"],
            storing { KeepingStore($0) }
        ),
        Mutant(
            "lookups-read-everything",
            "Each lookup reads all that is on disk",
            [],
            documents: ["urlcache.two-tier"],
            storing { SearchingStore($0) }
        ),
        Mutant(
            "wrong-content",
            "Content comes back with its last byte missing",
            [],
            documents: ["urlcache.replay-length"],
            storing { ShorteningStore($0) }
        ),
    ]

    private static var keepingUnstorable: Decoration {
        var decoration = Decoration()
        decoration.decisions = { DefectiveEngine(base: $0, defect: .storingUnstorable) }
        decoration.store = { NoStoreRetainingStore($0) }
        return decoration
    }

    /// The client's hook, its own expiry and its transport.
    static let ofClient: [Mutant] = [
        Mutant(
            "hook-ignored",
            "The hook that decides what is stored is not asked",
            [],
            documents: ["willcache.nil-prevents-storage", "willcache.replace-data"],
            storing { ImmediateStore($0) }
        ),
        Mutant(
            "own-expiry-ignored",
            "A cache's own expiry is not looked at",
            [],
            documents: ["customurlcache.expired-is-removed"],
            stamping { _ in .greatestFiniteMagnitude }
        ),
        Mutant(
            "own-expiry-early",
            "A cache's own expiry comes a second early",
            [],
            documents: ["customurlcache.boundary"],
            stamping { $0 - 1 }
        ),
        Mutant(
            "interim-taken-for-final",
            "A 1xx response is taken for the final one",
            [.storeFinalStatus],
            receiving { FirstResponseReceiver($0) }
        ),
        Mutant(
            "trailers-merged",
            "Trailer fields are stored among the header fields",
            [.trailersApart],
            receiving { MergingReceiver($0) }
        ),
    ]

    /// Returns a decoration whose store reports another storing time than the one of an entry.
    private static func stamping(_ change: @escaping @Sendable (Double) -> Double) -> Decoration {
        storing { TimestampShiftingStore($0, change) }
    }
}
