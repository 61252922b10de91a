import CacheSemantics

extension StoreState {
    /// What a lookup found in memory.
    enum Lookup {
        case found(FoundVariants)
        /// Nothing, and no file needs to be touched to know it.
        case nothing
        /// Maybe something, and findings that nobody was told yet.
        case damaged(FoundVariants, [StorageDamage])
        /// Something that was promised first; a miss that it has nothing to do with does not wait for it.
        case promised
        /// Another process has changed the folder since the index was brought up to date.
        case outdated
        /// Some of the variants have to be read from disk; with findings that nobody was told yet.
        case incomplete(memory: FoundVariants, reads: [DiskRead], damage: [StorageDamage])
    }

    /// One variant that is to be read from disk.
    struct DiskRead {
        let slot: Int
        let record: DiskIndex.Record
        /// What waits to be written, which is newer than the row.
        let pending: PendingWrite?
        /// Whether it is used, as far as that is known without its metadata.
        let isUse: Bool
    }

    /// Looks up the variants of a key, all or what a request may select; a hit costs one dictionary access.
    ///
    /// Unless it `waits`, what was promised meanwhile is left to others.
    mutating func lookup(
        _ key: CacheKey,
        digest: UInt64,
        by selector: VariantSelector?,
        waits: Bool = true
    ) -> Lookup {
        settleUses()
        if let disk, disk.generation.value != seenGeneration { return .outdated }
        if waits, !promised.isEmpty, mayHave(digest) { return .promised }
        if let number = memory.group(key, digest: digest), memory[group: number].isComplete, damage.isEmpty {
            memory.ready.publish(memory[group: number], seenGeneration, disk?.generation)
            return .found(variants(of: number, by: selector))
        }
        return lookupOnDisk(key, digest: digest, by: selector)
    }

    /// Takes over in which order was used what went past the lock.
    mutating func settleUses() {
        for use in memory.ready.takeUses() {
            // Every change of a group takes its answer back, so that the places are those of now.
            if let number = memory.group(digest: use.digest) { touch(number, use.place) }
        }
    }

    /// Whether something is stored under a key, or promised.
    private func mayHave(_ digest: UInt64) -> Bool {
        memory.group(digest: digest) != nil || index.has(digest) || promised.contains { $0.digest == digest }
    }

    private mutating func lookupOnDisk(
        _ key: CacheKey,
        digest: UInt64,
        by selector: VariantSelector?
    ) -> Lookup {
        let number = memory.group(key, digest: digest)
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

    /// Whether what was read is still what the index holds.
    func isCurrent(_ read: DiskRead) -> Bool {
        // Where everything was removed, the index was begun anew, with fewer slots or with others' entries in them.
        guard index.has(slot: read.slot) else { return false }
        let record = index[read.slot]
        return record.serial == read.record.serial && record.revision == read.record.revision
    }

    /// Takes over what reading an entry from disk has shown.
    mutating func settle(_ read: DiskRead, _ entry: CacheEntry, verified: UInt64, isUse: Bool) {
        guard isCurrent(read) else { return }
        index.setVerified(verified, of: read.slot)
        index.setVaryIfUnread(of: entry.stored, in: read.slot)
        if isUse { index.touch(read.slot, serial: read.record.serial) }
        promote(entry, read)
    }

    /// Takes an entry that was read from disk into the memory tier, if it fits and is still the one.
    private mutating func promote(_ entry: CacheEntry, _ read: DiskRead) {
        let digest = read.record.digest
        let count = entry.body.count
        let size = MemoryCost.of(entry.stored, bodyCount: count, metadataSize: read.record.size - count)
        guard size <= memoryCapacity, case .bytes = entry.body else { return }
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
        memory.insert(entry, as: node)
        evict()
        updateCompleteness(digest)
    }
}
