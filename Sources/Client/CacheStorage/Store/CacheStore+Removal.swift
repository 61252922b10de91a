public import CacheSemantics
import Clocks
import Locks

/// Invalidating and removing.
///
/// When one of these returns `ChangeOutcome.done`, what it is about is found by no lookup of any store that has the
/// folder open, in whatever process, not even where the other store has yet to write it. That survives the death of the
/// process, but not a loss of power.
extension CacheStore {
    /// Has all variants of a key validated before they are used again (RFC 9111 §4.4).
    ///
    /// A key of a target URI alone stands for all keys of that URI and of those that are equivalent to it (RFC 3986
    /// §6.2.2), whatever content or credentials they have.
    @discardableResult
    public func invalidate(_ key: CacheKey) -> ChangeOutcome {
        guard key.content.isEmpty else {
            watches.note { $0 == key }
            return change([.labelled(.invalidated, key: key.digest)])
        }
        watches.note { $0.isEquivalent(to: key) }
        return change([.equivalent(.invalidated, to: key)])
    }

    /// Has what is stored in one of the groups of an origin validated before it is used again (RFC 9875).
    ///
    /// The other variants of the keys that are found are validated too, and so is what is on its way from the origin and
    /// turns out to be in one of them.
    @discardableResult
    public func invalidate(groups: [String], of origin: String) -> ChangeOutcome {
        let labels = groups.map { StoreLabel.group($0, of: origin) }
        watches.note(groups: labels) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change(labels.map { .labelled(.invalidated, label: $0) })
    }

    /// Removes one variant from both tiers.
    @discardableResult
    public func remove(_ key: CacheKey, _ variant: VariantKey) -> ChangeOutcome {
        change([
            StorageChange(kind: .removed, digest: key.digest, variant: StoreState.digest(variant))
        ])
    }

    /// Removes all variants of a key from both tiers; what is on its way from the origin shall not be stored.
    @discardableResult
    public func remove(_ key: CacheKey) -> ChangeOutcome {
        watches.note(isCleared: true) { $0 == key }
        return change([.labelled(.removedKey, key: key.digest)])
    }

    /// Removes what is stored of a target URI and of those that are equivalent to it (RFC 3986 §6.2.2), under whatever keys;
    /// what is on its way from the origin shall not be stored.
    @discardableResult
    public func remove(targetURI uri: String) -> ChangeOutcome {
        let key = CacheKey(targetURI: uri)
        watches.note(isCleared: true) { $0.isEquivalent(to: key) }
        return change([.equivalent(.removedKey, to: key)])
    }

    /// Removes what is stored of an origin with a tag: one of its `Cache-Groups` (RFC 9875), or a member of one of
    /// `Configuration.tagFields`.
    ///
    /// What is on its way from the origin and turns out to have the tag is validated before it is used again.
    @discardableResult
    public func remove(tag: String, of origin: String) -> ChangeOutcome {
        let labels = [StoreLabel.group(tag, of: origin), StoreLabel.tag(tag, of: origin)]
        watches.note(groups: labels) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change(labels.map { .labelled(.removedLabel, label: $0) })
    }

    /// Removes what is stored of all target URIs that begin so, as they were asked for or normalized; what is on its way
    /// from the origin shall not be stored.
    @discardableResult
    public func remove(prefix: String) -> ChangeOutcome {
        watches.note(isCleared: true) { $0.begins(with: prefix) }
        return change([StorageChange(kind: .removedPrefix, text: prefix)])
    }

    /// Removes everything of an origin, scheme and authority, from both tiers; what is on its way from the origin shall
    /// not be stored.
    @discardableResult
    public func removeAll(of origin: String) -> ChangeOutcome {
        watches.note(isCleared: true) { StoredResponse.origin(of: $0.targetURI) == origin }
        return change([StorageChange(kind: .removedOrigin, digest: StoreState.digest(origin: origin))])
    }

    /// Removes everything from both tiers; what is on its way from an origin shall not be stored.
    @discardableResult
    public func removeAll() -> ChangeOutcome {
        watches.note(isCleared: true) { _ in true }
        return change([StorageChange(kind: .cleared)])
    }

    /// Removes what was stored later than a moment, in seconds since 1970-01-01T00:00:00Z.
    @discardableResult
    public func remove(storedSince wallSeconds: Double) -> ChangeOutcome {
        change([StorageChange(kind: .removedSince, moment: wallSeconds)])
    }

    /// Changes the capacities that are not `nil`, and evicts at once what is beyond them.
    ///
    /// Zero switches a tier off. A disk tier that was off is opened when the store has a folder; when that fails, it
    /// stays off and the next lookup says why.
    public func setCapacities(memory: Int? = nil, disk: Int? = nil) {
        catchUpIfBehind()
        let open = state.withLock { state in
            if let memory { state.memoryCapacity = max(memory, 0) }
            if let disk { state.diskCapacity = max(disk, 0) }
            state.evict()
            return state.disk
        }
        if let open { drainNow(open) }
        do throws(StorageError) {
            try openDiskIfNeeded()
        } catch {
            state.withLock { $0.damage.append(StorageDamage(subject: error.path, reason: error.description)) }
        }
    }

    /// Brings the index up to date where another process has changed something since.
    func catchUpIfBehind() {
        let isBehind = lock.withLock { state in
            state.disk.map { $0.generation.value != state.seenGeneration } ?? false
        }
        if isBehind { catchUp() }
    }
}
