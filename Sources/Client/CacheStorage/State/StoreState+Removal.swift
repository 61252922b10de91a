import CacheSemantics

/// A row affected by a change, as found in the database.
struct AffectedRow: Sendable, Hashable {
    var digest: UInt64
    var row: Int64
}

/// Invalidations and removals by this store.
extension StoreState {
    /// Makes a change in both tiers and records it for other stores; returns the keys with affected entries.
    ///
    /// `rows` are those of its label or prefix. Must be called within the transaction that writes the change, so that
    /// the index contains every row.
    mutating func perform(_ change: StorageChange, _ rows: [AffectedRow] = []) -> Set<UInt64> {
        settleUses()
        defer { note(change) }
        switch change.kind {
        case .evicted, .freshened, .replaced: return []
        case .invalidated: return invalidate(change, rows)
        case .cleared:
            let keys = Set(memory.digests).union(index.allSlots.map { index[$0].digest })
            forgetAll(withBodies: true)
            return keys
        case .removed, .removedKey, .removedLabel, .removedPrefix, .removedOrigin, .removedSince:
            return remove(change, rows)
        }
    }

    /// Returns whether a change may affect entries stored here, as far as is known in memory.
    func mayConcern(_ change: StorageChange) -> Bool {
        guard change.kind == .invalidated || change.kind == .removed else { return true }
        return hasLabels && change.label != 0 || has(change.digest)
    }

    private mutating func invalidate(_ change: StorageChange, _ rows: [AffectedRow]) -> Set<UInt64> {
        let keys = keys(of: change).union(rows.map(\.digest))
        for digest in keys {
            markInvalidated(digest: digest)
            for slot in index.slots(digest) where index[slot].row != 0 {
                chores.invalidated.append(index[slot])
            }
            // Other stores must also invalidate the other variants of the labelled entries.
            if digest != change.digest { note(.labelled(.invalidated, key: digest)) }
        }
        return keys
    }

    private mutating func remove(_ change: StorageChange, _ rows: [AffectedRow]) -> Set<UInt64> {
        var keys = removeFromMemory(change, rows)
        let numbers = Set(rows.map(\.row))
        let known = Set(rows.map(\.digest)).flatMap { digest in
            index.slots(digest).filter { numbers.contains(index[$0].row) }
        }
        for slot in Set(slots(of: change) + known) {
            keys.insert(index[slot].digest)
            removeFromDisk(slot, .removed)
        }
        for digest in keys { updateCompleteness(digest) }
        return keys
    }

    /// Marks all variants of a key as requiring validation, but not on disk.
    mutating func markInvalidated(digest: UInt64) {
        for slot in index.slots(digest) where !index[slot].isInvalidated {
            index.revise(slot, size: index[slot].size, isInvalidated: true)
        }
        guard let number = memory.group(digest: digest) else { return }
        for position in memory[group: number].entries.indices {
            var entry = memory[group: number].entries[position].entry
            entry.stored = entry.stored.invalidated(true)
            memory[group: number].entries[position] = LocatedEntry(entry: entry, tier: .memory)
        }
    }

    /// Removes an older variant whose replacement was refused.
    mutating func removeOlder(digest: UInt64, variant: VariantKey) {
        let before = entryCount
        remove(digest: digest, variant: variant)
        guard entryCount != before else { return }
        // Other processes may have it in memory only, or as a pending write.
        note(StorageChange(kind: .removed, digest: digest, variant: Self.digest(variant)))
    }
}

// MARK: - Entries affected by a change

extension StoreState {
    /// Returns whether either tier has an entry of a key.
    private func has(_ digest: UInt64) -> Bool { memory.group(digest: digest) != nil || index.has(digest) }

    /// Returns the keys affected by a change of keys or labels, as far as the index, memory and pending writes show.
    func keys(of change: StorageChange) -> Set<UInt64> {
        var keys: Set<UInt64> = has(change.digest) ? [change.digest] : []
        if change.label != 0, hasLabels {
            keys.formUnion(memory.digests(labelled: [change.label]))
            keys.formUnion(keysInMemory(searchedBy: change))
            keys.formUnion(waiting(change).map(\.metadata.stored.key.digest))
        }
        return keys
    }

    /// Returns the keys of entries in memory that the target URI of a change matches by their No-Vary-Search.
    private func keysInMemory(searchedBy change: StorageChange) -> [UInt64] {
        guard let label = change.searchLabel else { return [] }
        return keysInMemory(memory.digests(labelled: [label])) { change.concerns($0.stored, labels: []) }
    }

    /// Returns the slots affected by a removal; finding written rows of a label or prefix is left to the database.
    func slots(of change: StorageChange) -> [Int] {
        switch change.kind {
        case .evicted, .freshened, .replaced, .invalidated, .cleared: []
        case .removed: index.slot(change.digest, variant: change.variant).map { [$0] } ?? []
        case .removedKey: keys(of: change).flatMap { index.slots($0) }
        case .removedLabel, .removedPrefix:
            waiting(change).compactMap { write in
                let stored = write.metadata.stored
                return index.slot(stored.key.digest, variant: Self.digest(stored.variant))
            }
        case .removedOrigin: index.slots { $0.origin == change.digest }
        case .removedSince: index.slots { $0.storedAt > change.moment }
        }
    }

    /// Removes the entries affected by a removal from the memory tier; returns their keys.
    ///
    /// `rows` are those of its label or prefix; in a change by another store, each row has its own removal.
    mutating func removeFromMemory(_ change: StorageChange, _ rows: [AffectedRow] = []) -> Set<UInt64> {
        switch change.kind {
        case .removed:
            return forgetInMemory(digest: change.digest, variant: change.variant) ? [change.digest] : []
        case .removedKey: return removeGroups(keys(of: change))
        case .removedLabel:
            let labelling = memory.labelling
            return removeVariants(of: memory.digests(labelled: [change.label])) {
                labelling.labels(of: $0.stored).contains(change.label)
            }
        case .removedSince:
            return removeVariants(of: memory.digests) { $0.storedSeconds > change.moment }
        case .removedPrefix:
            // If no entry is in memory alone, all entries have a row or wait for one.
            guard memory.countWithoutDisk == 0 else {
                return removeGroups(memory.digests(beginningWith: change.text))
            }
            return removeGroups(Set(rows.map(\.digest) + waiting(change).map(\.metadata.stored.key.digest)))
        case .evicted, .freshened, .replaced, .invalidated, .cleared, .removedOrigin:
            let gone = keysInMemory(memory.digests) { change.concerns($0.stored, labels: []) }
            return removeGroups(Set(gone))
        }
    }

    private mutating func removeGroups(_ digests: Set<UInt64>) -> Set<UInt64> {
        digests.filter { memory.removeGroup(digest: $0) }
    }

    /// Removes the entries of these keys in the memory tier that satisfy `isMeant`; returns their keys.
    private mutating func removeVariants(
        of digests: some Sequence<UInt64>,
        where isMeant: (CacheEntry) -> Bool
    ) -> Set<UInt64> {
        Set(digests.filter { memory.remove(digest: $0, where: isMeant) })
    }

    private func waiting(_ change: StorageChange) -> [PendingWrite] {
        pending.values.filter { change.concerns($0.metadata.stored, labels: $0.labels) }
    }

    /// Returns those of these keys with an entry in the memory tier that satisfies `isMeant`.
    private func keysInMemory(
        _ digests: some Sequence<UInt64>,
        where isMeant: (CacheEntry) -> Bool
    ) -> [UInt64] {
        digests.filter { digest in
            memory.group(digest: digest).map { number in
                memory[group: number].entries.contains { isMeant($0.entry) }
            } ?? false
        }
    }
}
