import CacheSemantics

extension StoreState {
    /// The result of a lookup in memory.
    enum Lookup {
        case found(FoundVariants)
        /// Nothing, as is known without accessing a file.
        case nothing
        /// Possibly some variants, with findings that have not been reported.
        case damaged(FoundVariants, [StorageDamage])
        /// Promised entries must be stored first; a miss that they do not affect does not wait for them.
        case promised
        /// Another store has changed the folder since this one was brought up to date.
        case outdated
        /// Some of the variants must be read from disk; with findings that have not been reported.
        case incomplete(memory: FoundVariants, reads: [DiskRead], damage: [StorageDamage])
    }

    /// A variant to be read from disk.
    struct DiskRead {
        let slot: Int
        let record: DiskIndex.Record
        /// The pending write, which is newer than the row.
        let pending: PendingWrite?
        /// Whether this is a use, as far as that is known without the metadata.
        let isUse: Bool
    }

    /// Looks up the variants of a key, all or those that a request may select; a hit costs one dictionary access.
    ///
    /// Without `waits`, entries that were promised meanwhile are left to others.
    mutating func lookup(
        _ key: CacheKey,
        digest: UInt64,
        by selector: VariantSelector?,
        waits: Bool = true
    ) -> Lookup {
        settleUses()
        if isBehind { return .outdated }
        if waits, !promised.isEmpty, mayHave(digest) { return .promised }
        let number = memory.group(key, digest: digest)
        if number == nil, !index.has(digest), damage.isEmpty { return .nothing }
        if let number, memory[group: number].isComplete, damage.isEmpty {
            memory.ready.publish(memory[group: number], seenGeneration, generation)
            return .found(variants(of: number, by: selector))
        }
        return lookupOnDisk(digest, beside: number, by: selector)
    }

    /// Takes over the uses that bypassed the lock, in their order.
    mutating func settleUses() {
        for use in memory.ready.takeUses() {
            // Every change of a group withdraws its answer, so the positions are current.
            if let number = memory.group(digest: use.digest) { touch(number, use.place) }
        }
    }

    /// Whether a key has entries in memory, or may have promised ones.
    ///
    /// Without either, its entries are read from the database after all promised entries have been written.
    private func mayHave(_ digest: UInt64) -> Bool {
        memory.group(digest: digest) != nil || promised.contains { $0.digest == digest }
    }

    /// Looks up the variants of a key that are not in its group in memory.
    private mutating func lookupOnDisk(
        _ digest: UInt64,
        beside number: Int?,
        by selector: VariantSelector?
    ) -> Lookup {
        var found = number.map { variants(of: $0, by: selector) } ?? FoundVariants()
        let covered = number.map { memory[group: $0].nodes.map { memory[node: $0].diskSerial } } ?? []
        let chosen = slots(digest, by: selector)
        if chosen.leavesOut { found.leavesOut = true }
        let isOnly = number == nil && !index.hasSeveral(digest)
        let reads = chosen.slots.compactMap { chosen in
            covered.contains(index[chosen.slot].serial)
                ? nil : read(chosen.slot, isUse: isOnly || chosen.isSelected)
        }
        let damage = damage
        if !damage.isEmpty { self.damage = [] }
        guard reads.isEmpty, !found.leavesOut || !found.entries.contains(where: \.entry.stored.isAlias) else {
            return .incomplete(memory: found, reads: reads, damage: damage)
        }
        guard damage.isEmpty else { return .damaged(found, damage) }
        return found.entries.isEmpty && !found.leavesOut ? .nothing : .found(found)
    }

    /// Returns whether the index still contains the record that was read.
    func isCurrent(_ read: DiskRead) -> Bool {
        // After everything was removed, the index is new, with fewer slots or with other entries in them.
        guard index.has(slot: read.slot) else { return false }
        let record = index[read.slot]
        return record.serial == read.record.serial && record.revision == read.record.revision
    }

    /// Takes over the results of reading an entry from disk.
    mutating func settle(_ read: DiskRead, _ entry: CacheEntry, verified: UInt64, isUse: Bool) {
        guard isCurrent(read) else { return }
        index.setVerified(verified, of: read.slot)
        index.setVaryIfUnread(of: entry.stored, in: read.slot)
        if isUse { index.touch(read.slot, serial: read.record.serial) }
        promote(entry, read)
    }

    /// Copies an entry that was read from disk into the memory tier, if it fits and is not there yet.
    private mutating func promote(_ entry: CacheEntry, _ read: DiskRead) {
        let digest = read.record.digest
        let count = entry.body.count
        guard case .bytes = entry.body else { return }
        let labels = memory.labelling.labels(of: entry.stored)
        let size = MemoryCost.of(
            entry.stored,
            bodyCount: count,
            // The size in a damaged row may be any.
            metadataSize: max(read.record.size - count, 0),
            labels: labels.count
        )
        guard size <= memoryCapacity else { return }
        if let number = memory.group(entry.stored.key, digest: digest),
            memory.place(of: entry.stored.variant, in: number) != nil
        {
            return
        }
        let node = MemoryTier.Node(
            digest: digest,
            variant: entry.stored.variant,
            size: size,
            diskSlot: read.slot,
            diskSerial: read.record.serial,
            used: index[read.slot].used
        )
        memory.insert(entry, as: node, labelled: labels)
        evict()
        updateCompleteness(digest)
    }
}
