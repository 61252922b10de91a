import CacheSemantics

/// Updates with the changes by other stores on the folder.
extension StoreState {
    /// Updates the index and the memory tier with changes by other stores.
    mutating func apply(_ news: ExternalChanges, generation: UInt64) {
        settleUses()
        seenGeneration = generation
        if !news.records.isEmpty { mayHaveRows = true }
        if news.isComplete { startOver(isFirst: marks == DiskMarks.unknown) }
        marks = news.marks
        learnings += 1
        for change in news.changes { apply(change) }
        for record in news.records { adopt(record) }
        for (digest, storedAt) in latest(news.records) {
            useWaiting(of: digest, storedSince: storedAt)
            evictVariants(of: digest)
            updateCompleteness(digest)
        }
        for record in news.freshened { revise(record) }
        for row in news.damagedRows { dropDamaged(row) }
        evict()
    }

    private mutating func startOver(isFirst: Bool) {
        let memory = memory
        forgetAll(withBodies: false)
        // A disk tier that has just been switched on does not contradict the entries in memory.
        if isFirst { self.memory = memory }
    }

    private mutating func apply(_ change: StorageChange) {
        switch change.kind {
        case .evicted: forgetRow(change)
        case .replaced:
            forgetRow(change)
            forgetInMemory(digest: change.digest, variant: change.variant)
        case .freshened: forgetInMemory(digest: change.digest, variant: change.variant)
        case .invalidated: for digest in keys(of: change) { markInvalidated(digest: digest) }
        case .cleared: forgetAll(withBodies: false)
        case .removed, .removedKey, .removedLabel, .removedPrefix, .removedOrigin, .removedSince:
            forget(change)
        }
        updateCompleteness(change.digest)
    }

    /// Removes the entries affected by a removal; affected rows have their own changes.
    private mutating func forget(_ change: StorageChange) {
        forgetRow(change)
        let slots = Set(slots(of: change))
        var keys = removeFromMemory(change)
        for slot in slots where index[slot].row == 0 {
            keys.insert(index[slot].digest)
            dropSlot(slot)
        }
        // The other store could not find a label in new metadata that waits here to be written.
        for slot in slots where change.kind == .removedLabel && index[slot].row != 0 {
            keys.insert(index[slot].digest)
            removeFromDisk(slot, .removed)
        }
        for digest in keys { updateCompleteness(digest) }
    }

    private mutating func forgetRow(_ change: StorageChange) {
        let slot = index.slots(change.digest).first { index[$0].row == change.row }
        guard let slot, change.row != 0 else { return }
        dropSlot(slot)
    }

    /// Removes a record whose row is already deleted and whose body file the other process removes.
    private mutating func dropSlot(_ slot: Int) {
        let isWaiting = index[slot].row == 0
        let record = forgetOnDisk(slot)
        if !isWaiting, record.file != 0 { chores.files.removeLast() }
    }

    /// Removes a row that differs from what was written.
    private mutating func dropDamaged(_ row: Int64) {
        for slot in index.slots({ $0.row == row }) {
            let digest = index[slot].digest
            dropSlot(slot)
            updateCompleteness(digest)
        }
        note(StorageChange(kind: .removed, row: row))
    }

    /// Removes one variant from the memory tier; false if it does not exist.
    @discardableResult
    mutating func forgetInMemory(digest: UInt64, variant: UInt64) -> Bool {
        guard let number = memory.group(digest: digest) else { return false }
        let gone = memory[group: number].nodes.map { memory[node: $0].variant }
            .filter { Self.digest($0) == variant }
        for node in gone { memory.remove(digest: digest, variant: node) }
        return !gone.isEmpty
    }

    /// Takes over new metadata of a row, unless its record has been removed here and the row is about to be deleted.
    private mutating func revise(_ record: DiskIndex.Record) {
        guard let slot = index.slots(record.digest).first(where: { index[$0].row == record.row }) else {
            return
        }
        index.revise(slot, size: record.size, isInvalidated: record.isInvalidated)
        index.setVary(of: nil, in: slot)
    }

    private mutating func adopt(_ record: DiskIndex.Record) {
        let digest = record.digest
        let slot = index.slot(digest, variant: record.variant)
        if let slot, isNewer(index[slot], than: record) {
            // Our entry is about to be written and replaces theirs.
            note(.replaced, record, row: record.row)
            if record.file != 0 { chores.files.append(record.file) }
            return
        }
        forgetInMemory(digest: digest, variant: record.variant)
        if let slot { removeFromDisk(slot, .replaced) }
        index.insert(record)
    }

    /// Returns the keys of records, with the time when the latest of each was stored.
    private func latest(_ records: [DiskIndex.Record]) -> [UInt64: Double] {
        Dictionary(records.map { ($0.digest, $0.storedAt) }, uniquingKeysWith: max)
    }

    /// Makes records that wait to be written the most recently used of their key, after those of another store, if they
    /// were stored since then.
    ///
    /// So is the one that was used last here in any case: when it was used is not recorded in seconds.
    private mutating func useWaiting(of digest: UInt64, storedSince start: Double) {
        guard index.hasSeveral(digest) else { return }
        let waiting = index.slots(digest).filter { index[$0].row == 0 }
            .sorted { index[$0].used < index[$1].used }
        for slot in waiting where slot == waiting.last || index[slot].storedAt >= start {
            index.touch(slot, serial: index[slot].serial)
        }
    }

    /// Returns whether a record that waits here replaces one that another store has written (§4: the most recent
    /// response).
    private func isNewer(_ own: DiskIndex.Record, than record: DiskIndex.Record) -> Bool {
        own.row == 0 && own.storedAt >= record.storedAt && (!own.isInvalidated || record.isInvalidated)
    }
}
