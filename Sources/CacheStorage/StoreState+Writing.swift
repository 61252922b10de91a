import CacheSemantics

extension StoreState {
    /// How many uses may be lost when the process is killed.
    private static let usesPerBatch: Int64 = 4096

    /// Whether a drain is needed and none is on its way; the caller then sends one.
    mutating func shouldScheduleDrain() -> Bool {
        guard disk != nil, !isDrainScheduled, !order.isEmpty || !chores.isEmpty else { return false }
        isDrainScheduled = true
        return true
    }

    /// Takes everything that waits; what is taken stays visible to lookups until it is written.
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
        if withUses || index.lastUse - persistedUse >= Self.usesPerBatch {
            batch.used = index.used(after: persistedUse).filter { $0.row != 0 }
            persistedUse = index.lastUse
        }
        return batch
    }

    /// Takes over where the items of a batch were written, and how far the folder has been followed.
    mutating func finish(_ batch: WriteBatch, rows: [Int64], generationBefore: UInt64) {
        trouble = nil
        // Somebody else's change in between is still to be looked at.
        if seenGeneration == generationBefore { seenGeneration = generationBefore &+ 1 }
        marks.row = max(marks.row, rows.max() ?? 0)
        marks.change += Int64(batch.changes.count)
        for (item, row) in zip(batch.items, rows) { finish(item, row: row) }
    }

    private mutating func finish(_ item: WriteBatch.Item, row: Int64) {
        let written = item.record
        guard let slot = index.slot(written.digest, serial: written.serial) else {
            // Removed while it was being written.
            if written.row == 0 {
                let change = StorageChange(
                    kind: .removed,
                    row: row,
                    digest: written.digest,
                    variant: written.variant
                )
                chores.changes.append(change)
            }
            return
        }
        index.setRow(row, of: slot)
        guard index[slot].revision == written.revision else {
            if index[slot].isInvalidated { chores.invalidatedRows.append(row) }
            // Newer metadata wait; the content is on disk now.
            pending[written.serial]?.body = nil
            return
        }
        if let write = pending.removeValue(forKey: written.serial) { pendingCost -= write.cost }
    }

    /// Gives up the items of a batch that could not be written; what was to be deleted is tried again.
    mutating func abandon(_ batch: WriteBatch, _ error: StorageError) {
        trouble = error
        chores.changes = batch.changes + chores.changes
        chores.invalidatedRows += batch.invalidatedRows
        chores.files += batch.files
        persistedUse = min(persistedUse, batch.used.last.map { $0.used - 1 } ?? persistedUse)
        for item in batch.items {
            guard let slot = index.slot(item.record.digest, serial: item.record.serial) else { continue }
            removeFromDisk(slot, .removed)
            updateCompleteness(item.record.digest)
        }
    }
}
