import CacheSemantics

/// A row that a change concerns, as the database has found it.
struct ConcernedRow: Sendable, Hashable {
    var digest: UInt64
    var row: Int64
}

/// Invalidations and removals of this store's own.
extension StoreState {
    /// Makes a change in both tiers and has it told; returns the keys under which there was something that it is about.
    ///
    /// `rows` are those of its label or prefix. To be called within the transaction that writes the change, so
    /// that the index knows every row.
    mutating func perform(_ change: StorageChange, _ rows: [ConcernedRow] = []) -> Set<UInt64> {
        settleUses()
        defer { note(change) }
        switch change.kind {
        case .evicted, .freshened, .replaced: return []
        case .invalidated: return invalidate(change, rows)
        case .cleared:
            let keys = Set(memory.digests).union(index.allSlots.map { index[$0].digest })
            clear()
            return keys
        case .removed, .removedKey, .removedLabel, .removedPrefix, .removedOrigin, .removedSince:
            return remove(change, rows)
        }
    }

    /// Whether a change may concern what is stored here, as far as memory tells.
    func mayConcern(_ change: StorageChange) -> Bool {
        guard change.kind == .invalidated || change.kind == .removed else { return true }
        return hasLabels && change.label != 0 || has(change.digest)
    }

    private mutating func invalidate(_ change: StorageChange, _ rows: [ConcernedRow]) -> Set<UInt64> {
        let keys = keys(of: change).union(rows.map(\.digest))
        for digest in keys {
            markInvalidated(digest: digest)
            for slot in index.slots(digest) where index[slot].row != 0 {
                chores.invalidated.append(index[slot])
            }
            // The other variants of what has the label, too.
            if digest != change.digest { note(.labelled(.invalidated, key: digest)) }
        }
        return keys
    }

    private mutating func remove(_ change: StorageChange, _ rows: [ConcernedRow]) -> Set<UInt64> {
        var keys = removeFromMemory(change, rows)
        let known = rows.compactMap { row in index.slots(row.digest).first { index[$0].row == row.row } }
        for slot in Set(slots(of: change) + known) {
            keys.insert(index[slot].digest)
            removeFromDisk(slot, .removed)
        }
        for digest in keys { updateCompleteness(digest) }
        return keys
    }

    private mutating func clear() {
        forgetAll(withBodies: true)
        chores.invalidated = []
        chores.changes = []
    }

    /// Marks all variants of a key as to be validated, without telling the disk.
    mutating func markInvalidated(digest: UInt64) {
        settleUses()
        for slot in index.slots(digest) where !index[slot].isInvalidated {
            index.revise(slot, size: index[slot].size, isInvalidated: true)
        }
        guard let number = memory.group(digest: digest) else { return }
        for place in memory[group: number].entries.indices {
            var entry = memory[group: number].entries[place].entry
            entry.stored = entry.stored.invalidated(true)
            memory[group: number].entries[place] = LocatedEntry(entry: entry, tier: .memory)
        }
    }

    /// Removes one variant for which there is no room any more.
    mutating func removeOlder(digest: UInt64, variant: VariantKey) {
        let before = entryCount
        remove(digest: digest, variant: variant)
        guard entryCount != before else { return }
        // Other processes may have it in memory only, or waiting.
        note(StorageChange(kind: .removed, digest: digest, variant: Self.digest(variant)))
    }
}

// MARK: - What a change is about

extension StoreState {
    /// Whether there is anything of a key in either tier.
    private func has(_ digest: UInt64) -> Bool { memory.group(digest: digest) != nil || index.has(digest) }

    /// The keys that a change of keys or labels is about, as far as the index, memory and what waits tell.
    func keys(of change: StorageChange) -> Set<UInt64> {
        var keys: Set<UInt64> = has(change.digest) ? [change.digest] : []
        if change.label != 0, hasLabels {
            keys.formUnion(memory.digests(labelled: [change.label]))
            keys.formUnion(waiting(change).map(\.metadata.stored.key.digest))
        }
        return keys
    }

    /// The slots that a removal is about: written rows of a label or prefix are for the database to find.
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

    /// Removes from the memory tier what a removal is about; returns the keys of it.
    ///
    /// `rows` are those of its label or prefix; of another store's, each row has a removal of its own.
    mutating func removeFromMemory(_ change: StorageChange, _ rows: [ConcernedRow] = []) -> Set<UInt64> {
        switch change.kind {
        case .removed:
            return forgetInMemory(digest: change.digest, variant: change.variant) ? [change.digest] : []
        case .removedKey: return removeGroups(keys(of: change))
        case .removedLabel:
            let labelled = memory.digests(labelled: [change.label])
            let gone = variantsInMemory(of: labelled) {
                memory.labelling.labels(of: $0.stored).contains(change.label)
            }
            return removeVariants(gone)
        case .removedSince:
            return removeVariants(variantsInMemory(of: memory.digests) { $0.storedAt > change.moment })
        case .removedPrefix:
            // Without anything that is in memory alone, all of it has a row or waits for one.
            guard memory.countWithoutDisk == 0 else {
                return removeGroups(memory.digests(beginningWith: change.text))
            }
            return removeGroups(Set(rows.map(\.digest) + waiting(change).map(\.metadata.stored.key.digest)))
        case .evicted, .freshened, .replaced, .invalidated, .cleared, .removedOrigin:
            let gone = variantsInMemory(of: memory.digests) { change.concerns($0.stored, labels: []) }
            return removeGroups(Set(gone.map(\.digest)))
        }
    }

    private mutating func removeGroups(_ digests: Set<UInt64>) -> Set<UInt64> {
        digests.filter { memory.removeGroup(digest: $0) }
    }

    private mutating func removeVariants(_ gone: [(digest: UInt64, variant: VariantKey)]) -> Set<UInt64> {
        for (digest, variant) in gone { memory.remove(digest: digest, variant: variant) }
        return Set(gone.map(\.digest))
    }

    private func waiting(_ change: StorageChange) -> [PendingWrite] {
        pending.values.filter { change.concerns($0.metadata.stored, labels: $0.labels) }
    }

    /// Which of the entries of these keys in the memory tier are meant.
    private func variantsInMemory(
        of digests: some Sequence<UInt64>,
        where isMeant: (CacheEntry) -> Bool
    ) -> [(digest: UInt64, variant: VariantKey)] {
        digests.flatMap { digest -> [(digest: UInt64, variant: VariantKey)] in
            guard let number = memory.group(digest: digest) else { return [] }
            return memory[group: number].entries.map(\.entry).filter(isMeant).map {
                (digest, $0.stored.variant)
            }
        }
    }
}
