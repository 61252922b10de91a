public import CacheSemantics
import Clocks
import Locks

/// Invalidation and removal.
///
/// When one of these functions returns `ChangeOutcome.done`, no lookup finds the previous state of the affected entries,
/// in any store on the folder and any process, even if another store has yet to write them. This survives the death of
/// the process, but not a loss of power.
extension CacheStore {
    /// Marks all variants of a key as requiring validation before reuse (RFC 9111 §4.4).
    ///
    /// A key that consists of a target URI alone represents all keys of that URI and of equivalent ones (RFC 3986
    /// §6.2.2), regardless of their content or credentials, and for the stored responses that answer requests for it by their
    /// No-Vary-Search.
    @discardableResult
    public func invalidate(_ key: CacheKey) -> ChangeOutcome {
        guard key.content.isEmpty else {
            watches.note { $0 == key }
            return change([.labelled(.invalidated, key: key.digest)])
        }
        watches.note(isCleared: false, target: key)
        return change([.equivalent(.invalidated, to: key)])
    }

    /// Marks the responses in any of these groups of an origin as requiring validation before reuse (RFC 9875).
    ///
    /// The other variants of the keys that are found must be validated too, and so must pending responses of the
    /// origin that turn out to be in one of the groups.
    @discardableResult
    public func invalidate(groups: [String], of origin: String) -> ChangeOutcome {
        let labels = groups.map { StoreLabel.group($0, of: origin) }
        watches.note(groups: labels) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change(labels.map { .labelled(.invalidated, label: $0) })
    }

    /// Removes one variant from both tiers.
    @discardableResult
    public func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome {
        let outcome = change([
            StorageChange(kind: .removed, digest: key.digest, variant: StoreState.digest(variant))
        ])
        watches.note(StoreState.digest(key))
        return outcome
    }

    /// Removes all variants of a key from both tiers; pending responses for it are not stored.
    @discardableResult
    public func remove(_ key: CacheKey) -> ChangeOutcome {
        watches.note(isCleared: true) { $0 == key }
        return change([.labelled(.removedKey, key: key.digest)])
    }

    /// Removes the stored responses of a target URI and of equivalent ones (RFC 3986 §6.2.2), under any key, and those that
    /// answer requests for it by their No-Vary-Search.
    ///
    /// Pending responses for these target URIs are not stored. One for another that turns out to answer requests for it must be
    /// validated before reuse.
    @discardableResult
    public func remove(targetURI uri: String) -> ChangeOutcome {
        let key = CacheKey(targetURI: uri)
        watches.note(isCleared: true, target: key)
        return change([.equivalent(.removedKey, to: key)])
    }

    /// Removes the stored responses of an origin with a tag: one of their `Cache-Groups` (RFC 9875), or a member of
    /// one of `Configuration.tagFields`.
    ///
    /// A pending response of the origin that turns out to have the tag must be validated before reuse.
    @discardableResult
    public func remove(tag: String, of origin: String) -> ChangeOutcome {
        let labels = [StoreLabel.group(tag, of: origin), StoreLabel.tag(tag, of: origin)]
        watches.note(groups: labels) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change(labels.map { .labelled(.removedLabel, label: $0) })
    }

    /// Removes the stored responses of all target URIs that start with `prefix`, as requested or normalized; pending
    /// responses for them are not stored.
    @discardableResult
    public func remove(prefix: String) -> ChangeOutcome {
        watches.note(isCleared: true) { $0.begins(with: prefix) }
        return change([StorageChange(kind: .removedPrefix, text: prefix)])
    }

    /// Removes all stored responses of an origin (scheme and authority) from both tiers; pending responses of the
    /// origin are not stored.
    @discardableResult
    public func removeAll(of origin: String) -> ChangeOutcome {
        watches.note(isCleared: true) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change([StorageChange(kind: .removedOrigin, digest: StoreState.digest(origin: origin))])
    }

    /// Removes everything from both tiers; pending responses are not stored.
    @discardableResult
    public func removeAll() -> ChangeOutcome {
        watches.note(isCleared: true) { _ in true }
        return change([StorageChange(kind: .cleared)])
    }

    /// Removes the entries stored later than a time since 1970-01-01T00:00:00Z.
    @discardableResult
    public func remove(storedSince timeSinceEpoch: Duration) -> ChangeOutcome {
        watches.note(isCleared: true) { _ in true }
        return change([StorageChange(kind: .removedSince, moment: timeSinceEpoch.seconds)])
    }

    /// Changes the capacities that are not `nil`, and at once evicts the entries that exceed them.
    ///
    /// `.zero` switches a tier off. A disk tier that was off is opened if the store has a folder; if that fails, it stays
    /// off and the next lookup reports why.
    public func setCapacities(memory: ByteCount? = nil, disk: ByteCount? = nil) {
        catchUpIfBehind()
        let open = state.withLock { state in
            if let memory { state.memoryCapacity = memory.bytes }
            if let disk { state.diskCapacity = disk.bytes }
            state.evict()
            return state.disk
        }
        if let open { drainNow(open) }
        do throws(StorageError) {
            try openDiskIfNeeded()
        } catch {
            state.withLock { $0.damage.append(StorageDamage(subject: error.path, reason: error.reason)) }
        }
    }

    /// Updates the index if another store has changed the folder since.
    func catchUpIfBehind() {
        if lock.withLock({ $0.isBehind }) { catchUp() }
    }
}
