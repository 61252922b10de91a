import CacheSemantics

/// The limit on the variants of a key, and the selection of variants by a request.
extension StoreState {
    /// Evicts the least recently used variants of a key until it has no more than the limit.
    mutating func evictVariants(of digest: UInt64) {
        guard variantCount(of: digest) > maximumVariants else { return }
        while variantCount(of: digest) > maximumVariants, let variant = oldestVariant(of: digest) {
            forgetInMemory(digest: digest, variant: variant)
            if let slot = index.slot(digest, variant: variant) { removeFromDisk(slot, .evicted) }
        }
        updateCompleteness(digest)
    }

    /// Marks the content of an alias as used after the alias, so that it is not evicted first.
    mutating func touchContent(of alias: StoredResponse, digest: UInt64) {
        let variant = alias.contentVariant
        if let number = memory.group(digest: digest), let place = memory.place(of: variant, in: number) {
            touch(number, place)
        } else if let slot = index.slot(digest, variant: variant.digest) {
            index.touch(slot, serial: index[slot].serial)
        }
    }

    /// Returns the number of variants that a key has in either tier.
    private func variantCount(of digest: UInt64) -> Int {
        let inMemory = memory.group(digest: digest).map { number in
            memory[group: number].nodes.count { memory[node: $0].diskSerial == 0 }
        }
        return index.count(of: digest) + (inMemory ?? 0)
    }

    /// Returns the digest of the least recently used variant.
    private func oldestVariant(of digest: UInt64) -> UInt64? {
        var oldest: (used: Int64, variant: UInt64)?
        for slot in index.slots(digest) where index[slot].used < oldest?.used ?? .max {
            oldest = (index[slot].used, index[slot].variant)
        }
        guard let number = memory.group(digest: digest) else { return oldest?.variant }
        for slot in memory[group: number].nodes {
            let node = memory[node: slot]
            guard node.diskSerial == 0, node.used < oldest?.used ?? .max else { continue }
            oldest = (node.used, node.variant.digest)
        }
        return oldest?.variant
    }
}

// MARK: - Lookups by a request

extension StoreState {
    /// Returns the variants of a group that a request may select; all without a `selector`.
    ///
    /// Counts as a use of the variants that it selects, and of a key's only variant. Without a selector, several
    /// variants do not count as used, so that misses do not change their order of use.
    mutating func variants(of number: Int, by selector: VariantSelector?) -> FoundVariants {
        let entries = memory[group: number].entries
        if entries.count == 1, index.count(of: memory[group: number].digest) <= 1 {
            touch(number, 0)
            return FoundVariants(entries: entries)
        }
        guard let selector else { return FoundVariants(entries: entries) }
        let table = memory[group: number].table ?? VariantTable(entries)
        let choice = table.choice(by: selector)
        for position in choice.places.prefix(choice.selectedCount) { touch(number, position) }
        return entries.chosen(choice)
    }

    /// Makes an entry of the memory tier the most recently used, in both tiers.
    mutating func touch(_ number: Int, _ place: Int) {
        let slot = memory[group: number].nodes[place]
        let node = memory[node: slot]
        memory.touch(slot, use: index.nextUse())
        if node.diskSerial != 0 { index.touch(node.diskSlot, serial: node.diskSerial) }
    }

    /// Returns the slots of a key whose records a request may select, and whether others are left out.
    func slots(_ digest: UInt64, by selector: VariantSelector?) -> (slots: [ChosenSlot], leavesOut: Bool) {
        guard let selector, selector.leavesOut, index.hasSeveral(digest) else {
            return (index.slots(digest) { _, _ in .possible }.slots, false)
        }
        // All variants of most keys have the same `Vary`.
        var (last, isMatching, isExact, wanted): (Int32, Bool, Bool, UInt64) = (
            VaryTable.unread, false, false, 0
        )
        let (chosen, count) = index.slots(digest) { number, variant in
            guard number > 0 else { return .possible }
            if number != last {
                let vary = index.vary(number)
                last = number
                isMatching = !vary.neverMatches
                isExact = selector.isExact(vary)
                wanted = isMatching && isExact ? selector.variantDigest(vary) : 0
            }
            guard isMatching else { return .none }
            guard isExact else { return .possible }
            return variant == wanted ? .selected : .none
        }
        return (chosen, chosen.count < count)
    }

    /// Returns the entries with the content of aliases among `entries` that are not there themselves: in memory, or to
    /// be read.
    mutating func contents(of entries: [LocatedEntry], digest: UInt64) -> (
        found: [LocatedEntry], reads: [DiskRead]
    ) {
        var found: [LocatedEntry] = []
        var reads: [DiskRead] = []
        for alias in entries.map(\.entry.stored) where alias.isAlias {
            let variant = alias.contentVariant
            guard !(entries + found).contains(where: { $0.entry.stored.variant == variant }) else { continue }
            if let number = memory.group(digest: digest), let place = memory.place(of: variant, in: number) {
                touch(number, place)
                found.append(memory[group: number].entries[place])
            } else if let slot = index.slot(digest, variant: variant.digest),
                !reads.contains(where: { $0.slot == slot })
            {
                reads.append(read(slot, isUse: true))
            }
        }
        return (found, reads)
    }

    /// Returns the read of a record.
    func read(_ slot: Int, isUse: Bool) -> DiskRead {
        let record = index[slot]
        return DiskRead(slot: slot, record: record, pending: pending[record.serial], isUse: isUse)
    }
}
