import CacheSemantics

/// Following what other processes do to the folder.
extension StoreState {
    /// Brings the index and the memory tier up to date with what others did.
    mutating func apply(_ news: ForeignNews, generation: UInt64) {
        seenGeneration = generation
        marks = news.marks
        if news.isComplete { startAnew() }
        for change in news.changes { apply(change) }
        for record in news.records { adopt(record) }
        evict()
    }

    /// Forgets everything, to be told again by the folder.
    mutating func startAnew() {
        memory.removeAll()
        // Body files of what was never written belong to nobody; those of rows may still be somebody's.
        for slot in index.allSlots where index[slot].row == 0 && index[slot].file != 0 {
            chores.files.append(index[slot].file)
        }
        index = DiskIndex(after: index)
        pending = [:]
        order = []
        pendingCost = 0
    }

    private mutating func apply(_ change: StorageChange) {
        switch change.kind {
        case .evicted: forgetRow(change)
        case .removed:
            forgetRow(change)
            forgetVariant(digest: change.digest, variant: change.variant)
        case .invalidated: markInvalidated(digest: change.digest)
        case .cleared: forgetForeign { _ in true }
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

    private mutating func forgetInMemory(digest: UInt64, variant: UInt64) {
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

    private mutating func adopt(_ record: DiskIndex.Record) {
        let digest = record.digest
        defer { updateCompleteness(digest) }
        guard let slot = index.slot(digest, variant: record.variant) else {
            forgetInMemory(digest: digest, variant: record.variant)
            index.insert(record)
            return
        }
        if index[slot].row == record.row {
            index.revise(slot, size: record.size, isInvalidated: record.isInvalidated)
        } else if index[slot].row == 0 {
            // Ours is about to be written and takes the place of theirs.
            let change = StorageChange(
                kind: .removed,
                row: record.row,
                digest: digest,
                variant: record.variant
            )
            chores.changes.append(change)
            if record.file != 0 { chores.files.append(record.file) }
        } else {
            forgetInMemory(digest: digest, variant: record.variant)
            removeFromDisk(slot, .removed)
            index.insert(record)
        }
    }
}
