import CacheSemantics

extension StoreState {
    /// Marks all variants of a key as to be validated; true when there were any.
    mutating func invalidate(digest: UInt64) -> Bool {
        let hasAny = memory.group(digest: digest) != nil || !index.slots(digest).isEmpty
        markInvalidated(digest: digest)
        for slot in index.slots(digest) where index[slot].row != 0 {
            chores.invalidatedRows.append(index[slot].row)
        }
        if hasAny { note(StorageChange(kind: .invalidated, digest: digest)) }
        return hasAny
    }

    /// Marks all variants of a key, without telling the disk.
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

    /// Removes one variant; true when there was one.
    mutating func removeAndTell(digest: UInt64, variant: VariantKey) -> Bool {
        let before = entryCount
        remove(digest: digest, variant: variant)
        guard entryCount != before else { return false }
        // Other processes may have it in memory only, or waiting.
        note(StorageChange(kind: .removed, digest: digest, variant: Self.digest(variant)))
        return true
    }

    /// Removes all variants of a key from both tiers; true when there were any.
    mutating func removeAll(digest: UInt64) -> Bool {
        settleUses()
        let inMemory = memory.group(digest: digest).map { memory[group: $0].entries } ?? []
        let slots = index.slots(digest)
        let variants = Set(
            slots.map { index[$0].variant } + inMemory.map { Self.digest($0.entry.stored.variant) }
        )
        memory.removeGroup(digest: digest)
        for slot in slots { removeFromDisk(slot, .removed) }
        // Other processes may have them in memory only, or waiting.
        for variant in variants { note(StorageChange(kind: .removed, digest: digest, variant: variant)) }
        return !variants.isEmpty
    }

    /// Removes what is on disk, or waits for it, of an origin, and what is in memory of the same; true when there was any.
    mutating func remove(ofOrigin origin: UInt64) -> Bool {
        let slots = index.slots { $0.origin == origin }
        for slot in slots {
            let record = index[slot]
            forgetInMemory(digest: record.digest, variant: record.variant)
            removeFromDisk(slot, .removed)
            // Other processes may have it in memory only, or waiting.
            note(StorageChange(kind: .removed, digest: record.digest, variant: record.variant))
            updateCompleteness(record.digest)
        }
        return !slots.isEmpty
    }

    /// Removes everything from both tiers.
    mutating func clear() {
        forgetAll(withBodies: true)
        chores.invalidatedRows = []
        chores.changes = []
        note(StorageChange(kind: .cleared))
    }

    /// Removes what was stored later than `moment`.
    mutating func remove(storedSince moment: Double) {
        removeFromMemory { $0 > moment }
        for slot in index.allSlots where index[slot].storedAt > moment {
            let digest = index[slot].digest
            removeFromDisk(slot, .removed)
            updateCompleteness(digest)
        }
        note(StorageChange(kind: .removedSince, moment: moment))
    }

    /// Removes from the memory tier what was stored at a moment that `isGone` says.
    mutating func removeFromMemory(where isGone: (Double) -> Bool) {
        for digest in memory.digests {
            guard let number = memory.group(digest: digest) else { continue }
            let gone = memory[group: number].entries.filter { isGone($0.entry.storedAt) }
            for located in gone { memory.remove(digest: digest, variant: located.entry.stored.variant) }
            updateCompleteness(digest)
        }
    }
}
