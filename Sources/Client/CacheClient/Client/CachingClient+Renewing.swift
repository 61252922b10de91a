import CacheSemantics
import CacheStorage
import HTTPTypes

extension CachingClient {
    /// Returns the lookup with which the reply to a forwarded request is settled: the responses found before the request
    /// was sent or, if the reply updates stored responses and something was stored or updated meanwhile, the responses
    /// stored now.
    ///
    /// RFC 9111 §4.3.4 applies to the responses that are stored when the 304 arrives. Otherwise, one of two 304s that
    /// arrive together would undo the update by the other.
    func current(_ forwarded: OriginRequest, _ reply: OriginReply) -> PlannedLookup {
        let lookup = forwarded.lookup
        guard case .response(let response, _, _) = reply, let store,
            forwarded.watch?.isChanged == true,
            response.status.code == 304 || lookup.planned.request.method == .head
        else { return lookup }
        let stored = store.ownEntries(for: lookup.planned.key)
        guard response.status.code == 304 else { return Self.renewed(lookup, with: stored) }
        let former = Self.former(lookup, stored, namedBy: response)
        let others = stored.filter { entry in
            !former.contains { $0.entry.stored.variant == entry.entry.stored.variant }
        }
        return Self.renewed(lookup, with: others, besides: former)
    }

    /// Returns the lookup with which a repeated request is settled: the responses stored now.
    func current(_ forwarded: OriginRequest, _ lookup: PlannedLookup) -> PlannedLookup {
        guard let store, forwarded.watch?.isChanged == true else { return lookup }
        return Self.renewed(lookup, with: store.ownEntries(for: lookup.planned.key))
    }

    private static func renewed(
        _ lookup: PlannedLookup,
        with current: [LocatedEntry],
        besides former: [LocatedEntry] = []
    ) -> PlannedLookup {
        PlannedLookup(
            planned: lookup.planned.renewed(
                with: current.map(\.entry.stored),
                besides: former.map(\.entry.stored)
            ),
            entries: former + current,
            damage: lookup.damage,
            at: lookup.moment
        )
    }

    /// Returns the edits without aliases for variants that were stored while the request was under way: such a response
    /// is newer than the one that the 304 names.
    func timely(_ edits: [StoreEdit], _ forwarded: OriginRequest) -> [StoreEdit] {
        guard let store, forwarded.watch?.isChanged == true else { return edits }
        return edits.filter { edit in
            guard case .putAlias(let alias) = edit else { return true }
            let seen = forwarded.lookup.entry(of: alias)?.entry.stored
            let current = store.ownEntry(for: alias.key, alias.variant)?.stored
            return StoredPlace(seen: seen, current: current).acceptsAlias
        }
    }

    /// Returns the entries that the request asked about and that were removed since, or replaced by a response that the
    /// 304 does not name.
    private static func former(
        _ lookup: PlannedLookup,
        _ current: [LocatedEntry],
        namedBy notModified: HTTPResponse
    ) -> [LocatedEntry] {
        lookup.planned.validated.compactMap(lookup.entry).filter { old in
            !current.contains { entry in
                let place = StoredPlace(seen: old.entry.stored, current: entry.entry.stored)
                let hasSameContent = entry.entry.storedAt == old.entry.storedAt
                return entry.entry.stored.variant == old.entry.stored.variant
                    && place.isNamed(by: notModified, hasSameContent: hasSameContent)
            }
        }
    }
}
