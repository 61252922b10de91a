import CacheSemantics

/// Following what other processes do to the folder.
extension StoreState {
    /// Brings the index and the memory tier up to date with what others did.
    mutating func apply(_ news: ForeignNews, generation: UInt64) {
        seenGeneration = generation
        if !news.records.isEmpty || !news.changes.isEmpty { mayHaveRows = true }
        if news.isComplete { startOver(isFirst: marks == DiskMarks.unknown) }
        marks = news.marks
        for change in news.changes { apply(change) }
        for record in news.records { adopt(record) }
        for record in news.freshened { revise(record) }
        evict()
    }

    private mutating func startOver(isFirst: Bool) {
        let memory = memory
        forgetAll(withBodies: false)
        // A disk tier that has just been switched on says nothing against what is in memory.
        if isFirst { self.memory = memory }
    }

    private mutating func apply(_ change: StorageChange) {
        switch change.kind {
        case .evicted: forgetRow(change)
        case .replaced:
            forgetRow(change)
            forgetInMemory(digest: change.digest, variant: change.variant)
        case .removed:
            forgetRow(change)
            forgetVariant(digest: change.digest, variant: change.variant)
        case .invalidated: markInvalidated(digest: change.digest)
        case .cleared: forgetAll(withBodies: false)
        case .removedSince: forgetForeign { $0 > change.moment }
        case .freshened: forgetInMemory(digest: change.digest, variant: change.variant)
        }
        updateCompleteness(change.digest)
    }

    private mutating func forgetRow(_ change: StorageChange) {
        let slot = index.slots(change.digest).first { index[$0].row == change.row }
        guard let slot, change.row != 0 else { return }
        dropSlot(slot)
    }

    /// Removes a record whose row is gone already and whose body file the other process removes.
    private mutating func dropSlot(_ slot: Int) {
        let isWaiting = index[slot].row == 0
        let record = forgetOnDisk(slot)
        if !isWaiting, record.file != 0 { chores.files.removeLast() }
    }

    private mutating func forgetVariant(digest: UInt64, variant: UInt64) {
        forgetInMemory(digest: digest, variant: variant)
        if let slot = index.slot(digest, variant: variant), index[slot].row == 0 { dropSlot(slot) }
    }

    mutating func forgetInMemory(digest: UInt64, variant: UInt64) {
        guard let number = memory.group(digest: digest) else { return }
        let nodes = memory[group: number].nodes.map { memory[node: $0].variant }
        for node in nodes where Self.digest(node) == variant { memory.remove(digest: digest, variant: node) }
    }

    private mutating func forgetForeign(where isGone: (Double) -> Bool) {
        removeFromMemory(where: isGone)
        for slot in index.allSlots where isGone(index[slot].storedAt) {
            let digest = index[slot].digest
            dropSlot(slot)
            updateCompleteness(digest)
        }
    }

    /// Takes over new metadata of a row, unless it has gone here and is about to go on disk.
    private mutating func revise(_ record: DiskIndex.Record) {
        guard let slot = index.slots(record.digest).first(where: { index[$0].row == record.row }) else {
            return
        }
        index.revise(slot, size: record.size, isInvalidated: record.isInvalidated)
    }

    private mutating func adopt(_ record: DiskIndex.Record) {
        let digest = record.digest
        defer { updateCompleteness(digest) }
        guard let slot = index.slot(digest, variant: record.variant) else {
            forgetInMemory(digest: digest, variant: record.variant)
            index.insert(record)
            return
        }
        if index[slot].row == 0 {
            // Ours is about to be written and takes the place of theirs.
            note(.replaced, record, row: record.row)
            if record.file != 0 { chores.files.append(record.file) }
        } else {
            forgetInMemory(digest: digest, variant: record.variant)
            removeFromDisk(slot, .replaced)
            index.insert(record)
        }
    }
}
