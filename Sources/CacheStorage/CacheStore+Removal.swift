public import CacheSemantics
import Locks

extension CacheStore {
    /// Has all variants of a key validated before they are used again (RFC 9111 §4.4); on disk when it returns.
    ///
    /// A key of a target URI alone stands for all keys of that URI and of those that are equivalent to it (RFC 3986 §6.2.2),
    /// whatever content or credentials they have.
    public func invalidate(_ key: CacheKey) {
        guard key.content.isEmpty else {
            watches.note { $0 == key }
            return change { $0.invalidate(digest: StoreState.digest(key)) }
        }
        watches.note { $0.isEquivalent(to: key) }
        let normalized = key.normalized
        let digests = Set([key, normalized].map(StoreState.digest))
        change { state in digests.reduce(false) { state.invalidate(digest: $1) || $0 } }
        // Keys that have more than the URI in them, or spell it otherwise, are found by it.
        invalidate(labels: [StoreLabel.target(normalized.targetURI)])
    }

    /// Removes all that is stored for a target URI and its equivalents; returns how many keys that were.
    ///
    /// It does not matter what else the keys have in them. On disk when it returns.
    @discardableResult
    public func removeAll(equivalentTo key: CacheKey) -> Int {
        let normalized = key.normalized
        let known = Set([CacheKey(targetURI: key.targetURI), normalized].map(StoreState.digest))
        let digests = known.union(self.digests(labelled: [StoreLabel.target(normalized.targetURI)]))
        var count = 0
        change { state in
            for digest in digests where state.removeAll(digest: digest) { count += 1 }
            return count > 0
        }
        return count
    }

    /// Removes one variant from both tiers; on disk when it returns.
    public func remove(_ key: CacheKey, _ variant: VariantKey) {
        change { $0.removeAndTell(digest: StoreState.digest(key), variant: variant) }
    }

    /// Removes everything from both tiers; on disk when it returns.
    public func removeAll() {
        change { state in
            state.clear()
            return true
        }
    }

    /// Removes what was stored later than a moment, in seconds since 1970-01-01T00:00:00Z; on disk when it returns.
    public func remove(storedSince wallSeconds: Double) {
        change { state in
            state.remove(storedSince: wallSeconds)
            return true
        }
    }

    /// Changes the capacities that are not `nil`, and evicts at once what is beyond them.
    ///
    /// Zero switches a tier off. A disk tier that was off is opened when the store has a folder; when that fails, it
    /// stays off and the next lookup says why.
    public func setCapacities(memory: Int? = nil, disk: Int? = nil) {
        change { state in
            if let memory { state.memoryCapacity = max(memory, 0) }
            if let disk { state.diskCapacity = max(disk, 0) }
            state.evict()
            return true
        }
        do throws(StorageError) {
            try openDiskIfNeeded()
        } catch {
            state.withLock { $0.damage.append(StorageDamage(subject: error.path, reason: error.description)) }
        }
    }

    /// Makes a change that is on disk when this returns; `body` tells whether there is anything to write.
    func change(_ body: (inout StoreState) -> Bool) {
        catchUpIfBehind()
        let disk = state.withLock { body(&$0) ? $0.disk : nil }
        if let disk { drainNow(disk, isDurable: true) }
    }

    /// Brings the index up to date where another process has changed something since.
    func catchUpIfBehind() {
        guard let disk = state.withLock({ $0.disk }),
            state.withLock({ $0.seenGeneration != disk.generation.value })
        else { return }
        catchUp()
    }
}
