public import CacheSemantics
import Locks

extension CacheStore {
    /// Replaces the metadata of a stored response and leaves its content unchanged; false if there is none to freshen.
    ///
    /// Content, user info, storage policy and the time of storing stay the same. With `seen`, the entry that was
    /// validated, nothing is changed if it has been replaced or invalidated since: the current entry is another
    /// response (RFC 9111 §4.3.4), or must be validated again (§4.4).
    @discardableResult
    public func freshen(_ stored: StoredResponse, seen: CacheEntry? = nil) -> Bool {
        // Usually from memory: a response is looked up before it is validated.
        guard var entry = ownEntry(for: stored.key, stored.variant), seen.map({ $0.isStill(entry) }) ?? true
        else { return false }
        let labels = labelling.labels(of: entry.stored)
        entry.stored = stored.holding(contentLength: entry.body.count)
        let storedAt = entry.storedSeconds
        let candidate = Candidate(entry, labelling)
        let isDone = state.withLock { $0.freshen(candidate, storedAt: storedAt) }
        watches.note(StoreState.digest(stored.key))
        if isDone, candidate.labels != labels, let disk = state.withLock({ $0.disk }) {
            // Other stores find the row by its labels, so these are written at once.
            drainNow(disk)
        } else {
            scheduleDrain()
        }
        return isDone
    }
}

extension CacheEntry {
    /// Returns whether `current` is the same entry and has not been invalidated since; its metadata may have changed.
    fileprivate func isStill(_ current: CacheEntry) -> Bool {
        storedSeconds == current.storedSeconds && (stored.isInvalidated || !current.stored.isInvalidated)
    }
}

extension StoreState {
    /// Replaces metadata in both tiers, if the entry was stored at `storedAt`; false if there is no such entry.
    mutating func freshen(_ candidate: Candidate, storedAt: Double) -> Bool {
        settleUses()
        if !candidate.labels.isEmpty { hasLabels = true }
        let digest = candidate.digest
        var isDone = false
        if let slot = index.slot(digest, variant: candidate.variant), index[slot].storedAt == storedAt {
            freshenOnDisk(slot, candidate)
            isDone = true
        }
        if let number = memory.group(candidate.entry.stored.key, digest: digest),
            let place = memory.place(of: candidate.entry.stored.variant, in: number),
            memory[group: number].entries[place].entry.storedSeconds == storedAt
        {
            var entry = memory[group: number].entries[place].entry
            entry.stored = candidate.entry.stored
            memory.update(entry, size: candidate.memoryCost, place: place, in: number)
            isDone = true
        }
        evict()
        return isDone
    }

    private mutating func freshenOnDisk(_ slot: Int, _ candidate: Candidate) {
        let record = index[slot]
        index.revise(slot, size: candidate.size, isInvalidated: candidate.entry.stored.isInvalidated)
        index.setVary(of: candidate.entry.stored, in: slot)
        // A pending entry is written once, with the new metadata.
        let body = pending[record.serial]?.body
        let write = PendingWrite(
            metadata: candidate.metadata,
            metadataSize: candidate.metadataSize,
            labels: candidate.labels,
            body: body
        )
        enqueue(write, digest: record.digest, serial: record.serial)
        guard record.row != 0 else { return }
        note(.freshened, record, row: record.row)
    }
}
