import CacheSemantics

extension StoreState {
    /// The number of uses that may be lost if the process is killed.
    private static let usesPerBatch = 4096
    /// The number of rows that may record uses, however few entries there are.
    private static let leastUseRows = 65_536

    /// Whether there is anything to write, including the order of use.
    var hasWork: Bool {
        !order.isEmpty || !chores.isEmpty || isDrainScheduled || index.unwrittenUses > 0
    }

    /// Returns whether a drain is needed and none is scheduled; the caller must then start one.
    mutating func shouldScheduleDrain() -> Bool {
        guard disk != nil, !defersWrites, !isDrainScheduled,
            !order.isEmpty || !chores.isEmpty || !promised.isEmpty
        else {
            return false
        }
        isDrainScheduled = true
        return true
    }

    /// Takes all pending writes; they stay visible to lookups until they are written.
    mutating func takeBatch(withUses: Bool) -> WriteBatch {
        var batch = chores
        chores = WriteBatch()
        isDrainScheduled = false
        var seen: Set<UInt64> = []
        for (digest, serial) in order where seen.insert(serial).inserted {
            guard let write = pending[serial], let slot = index.slot(digest, serial: serial) else { continue }
            batch.items.append(WriteBatch.Item(record: index[slot], write: write))
        }
        order = []
        settleUses()
        if withUses || index.unwrittenUses >= Self.usesPerBatch { batch.used = index.takeUnwrittenUses() }
        // Twice as many as are left where each entry has one, so that they are seldom gone through.
        batch.maximumUseRows = max(Self.leastUseRows, 2 * index.count)
        return batch
    }

    /// Takes the pending changes, but not the pending entries.
    mutating func takeChores() -> WriteBatch {
        defer { chores = WriteBatch() }
        return chores
    }

    /// Records where the items of a batch were written, and how far the folder has been read.
    mutating func finish(_ batch: WriteBatch, rows: [Int64], generationBefore: UInt64) {
        trouble = nil
        if batch.changes.contains(where: { $0.kind == .cleared }) { mayHaveRows = false }
        if !batch.items.isEmpty { mayHaveRows = true }
        // A change by another store in between must still be read.
        if seenGeneration == generationBefore { seenGeneration = generationBefore &+ 1 }
        marks.row = max(marks.row, rows.max() ?? 0)
        marks.change += Int64(batch.changes.count)
        for (item, row) in zip(batch.items, rows) { finish(item, row: row) }
    }

    private mutating func finish(_ item: WriteBatch.Item, row: Int64) {
        let written = item.record
        guard let slot = index.slot(written.digest, serial: written.serial) else {
            // Replaced while it was being written; an entry that another store has put since stays.
            if written.row == 0 { note(.replaced, written, row: row) }
            return
        }
        index.setRow(row, of: slot, writtenUse: written.used)
        if index[slot].isInvalidated, !written.isInvalidated { chores.invalidated.append(index[slot]) }
        guard var waiting = pending.removeValue(forKey: written.serial) else { return }
        pendingCost -= waiting.cost
        guard waiting.stamp != item.write.stamp else { return }
        // Newer metadata arrived meanwhile; the content is on disk now.
        waiting.body = nil
        pending[written.serial] = waiting
        pendingCost += waiting.cost
        note(.freshened, written, row: row)
    }

    /// Abandons the items of a batch that could not be written; deletions are tried again.
    mutating func abandon(_ batch: WriteBatch, _ error: StorageError) {
        // Later entries wait for the outcome, and are refused.
        if trouble == nil { damage += batch.items.compactMap { Self.unwritten($0, error) } }
        trouble = error
        isDrainScheduled = false
        chores.changes = batch.changes + chores.changes
        chores.invalidated += batch.invalidated
        chores.files += batch.files
        for item in batch.items {
            guard let slot = index.slot(item.record.digest, serial: item.record.serial) else { continue }
            removeFromDisk(slot, .removed)
            updateCompleteness(item.record.digest)
        }
    }

    /// Returns the finding for an entry that was accepted; `nil` if its content is already on disk.
    private static func unwritten(_ item: WriteBatch.Item, _ error: StorageError) -> StorageDamage? {
        guard item.record.row == 0 else { return nil }
        let uri = item.write.metadata.stored.key.targetURI
        return StorageDamage(subject: uri, reason: "could not be written: \(error.reason)")
    }
}
