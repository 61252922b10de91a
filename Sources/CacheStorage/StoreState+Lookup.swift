import CacheSemantics

extension StoreState {
    /// What a lookup found in memory.
    enum Lookup {
        case found([LocatedEntry])
        /// Nothing, and no file needs to be touched to know it.
        case nothing
        /// Maybe something, and findings that nobody was told yet.
        case damaged([LocatedEntry], [StorageDamage])
        /// Something that was promised first; a miss that it has nothing to do with does not wait for it.
        case promised
        /// Another process has changed the folder since the index was brought up to date.
        case outdated
        /// Some of the variants have to be read from disk; with findings that nobody was told yet.
        case incomplete(memory: [LocatedEntry], reads: [DiskRead], damage: [StorageDamage])
    }

    /// One variant that is to be read from disk.
    struct DiskRead {
        let slot: Int
        let record: DiskIndex.Record
        /// What waits to be written, which is newer than the row.
        let pending: PendingWrite?
    }

    /// Looks a key up; a hit costs one dictionary access and makes its entries the ones used last.
    ///
    /// Unless it `waits`, what was promised meanwhile is left to others.
    mutating func lookup(_ key: CacheKey, digest: UInt64, waits: Bool = true) -> Lookup {
        settleUses()
        if let disk, disk.generation.value != seenGeneration { return .outdated }
        if waits, !promised.isEmpty, mayHave(digest) { return .promised }
        if let number = memory.group(key, digest: digest), memory[group: number].isComplete, damage.isEmpty {
            touch(number)
            let entries = memory[group: number].entries
            memory.ready.publish(entries, of: key, digest: digest, seenGeneration, disk?.generation)
            return .found(entries)
        }
        return lookupOnDisk(key, digest: digest)
    }

    /// Takes over in which order was used what went past the lock.
    mutating func settleUses() {
        for digest in memory.ready.takeUses() {
            if let number = memory.group(digest: digest) { touch(number) }
        }
    }

    private mutating func touch(_ number: Int) {
        for place in memory[group: number].nodes.indices {
            let slot = memory[group: number].nodes[place]
            memory.touch(slot)
            let node = memory[node: slot]
            if node.diskSerial != 0 { index.touch(node.diskSlot, serial: node.diskSerial) }
        }
    }

    /// Whether something is stored under a key, or promised.
    private func mayHave(_ digest: UInt64) -> Bool {
        memory.group(digest: digest) != nil || index.has(digest) || promised.contains { $0.digest == digest }
    }

    private mutating func lookupOnDisk(_ key: CacheKey, digest: UInt64) -> Lookup {
        let number = memory.group(key, digest: digest)
        if let number { touch(number) }
        let entries = number.map { memory[group: $0].entries } ?? []
        let covered = number.map { memory[group: $0].nodes.map { memory[node: $0].diskSerial } } ?? []
        let reads = index.slots(digest).compactMap { slot -> DiskRead? in
            let record = index[slot]
            guard !covered.contains(record.serial) else { return nil }
            return DiskRead(slot: slot, record: record, pending: pending[record.serial])
        }
        let damage = damage
        if !damage.isEmpty { self.damage = [] }
        guard reads.isEmpty else { return .incomplete(memory: entries, reads: reads, damage: damage) }
        guard damage.isEmpty else { return .damaged(entries, damage) }
        return entries.isEmpty ? .nothing : .found(entries)
    }

    /// Whether what was read is still what the index holds.
    func isCurrent(_ read: DiskRead) -> Bool {
        let record = index[read.slot]
        return record.serial == read.record.serial && record.revision == read.record.revision
    }

    /// Takes over what reading an entry from disk has shown.
    mutating func settle(_ read: DiskRead, _ entry: CacheEntry, verified: Int64) {
        guard isCurrent(read) else { return }
        index.setVerified(verified, of: read.slot)
        promote(entry, read)
    }

    /// Takes an entry that was read from disk into the memory tier, if it fits and is still the one.
    private mutating func promote(_ entry: CacheEntry, _ read: DiskRead) {
        let digest = read.record.digest
        let size = read.record.size
        index.touch(read.slot, serial: read.record.serial)
        guard size <= memoryCapacity, case .bytes = entry.body else { return }
        if let number = memory.group(entry.stored.key, digest: digest),
            memory.place(of: entry.stored.variant, in: number) != nil
        {
            return
        }
        memory.insert(
            entry,
            digest: digest,
            size: size,
            diskSlot: read.slot,
            diskSerial: read.record.serial
        )
        evict()
        updateCompleteness(digest)
    }
}
