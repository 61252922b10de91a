package import CacheSemantics
import Clocks
import Locks
import Synchronization

extension CacheStore {
    /// Accepts an entry that is created later, as if it were put now; false if it must be created and put at once.
    ///
    /// Callers of the store cannot distinguish it from an entry that was put. Its content must be in memory, and have
    /// no more than `largestPromisedBody` bytes.
    package func promise(_ entry: any PromisedEntry, for key: CacheKey) -> Bool {
        // An entry that may not find room on the disk, and is stored nowhere else, must be written before it is announced.
        guard onlyDisk?.paths.isShortOfSpace != true else { return false }
        let promise = Promise(entry: entry, digest: StoreState.digest(key), storedAt: nextStoredAt())
        let (isTaken, drained) = lock.withLock { state -> (Bool, DiskTier?) in
            guard state.takesPromises else { return (false, nil) }
            state.promised.append(promise)
            // A caller that puts another response later has to look up what is stored.
            watches.note(promise.digest)
            // Counted under the lock: the thread that stores the entry decrements the count.
            promises.add(1, ordering: .releasing)
            return (true, state.shouldScheduleDrain() ? state.disk : nil)
        }
        if let drained { sendDrain(drained) }
        return isTaken
    }

    /// The disk tier, if the memory tier is off.
    private var onlyDisk: DiskTier? { lock.withLock { $0.memoryCapacity == 0 ? $0.disk : nil } }

    /// The largest content of a promised entry, in bytes: what the disk tier stores in a row.
    package static var largestPromisedBody: Int { DiskTier.largestRowBody }

    /// Creates and stores the promised entries; waits for nothing.
    package func keepPromises() {
        // Entries that others promise meanwhile are left to them.
        for _ in 0..<promises.load(ordering: .acquiring) {
            guard keepFirst() else { return }
        }
    }

    /// Creates and stores the first promised entry; false if there is none.
    private func keepFirst() -> Bool {
        var (promise, learnings) = lock.withLock { ($0.promised.first, $0.learnings) }
        while let current = promise {
            guard let newer = keep(current, learnings) else { return true }
            // A change by another store that was read meanwhile may affect the created entry.
            (promise, learnings) = (current, newer)
        }
        return false
    }

    /// Creates and stores a promised entry; of several threads that create the same one, the first to finish stores
    /// it.
    ///
    /// Returns the new number of updates if the state was updated while the entry was created, otherwise `nil`.
    private func keep(_ promise: Promise, _ learnings: UInt64) -> UInt64? {
        let candidate = promise.entry.make().map { Candidate($0, storedAt: promise.storedAt, labelling) }
        var newer: UInt64?
        let drained = lock.withLock { state -> DiskTier? in
            guard state.promised.first?.entry === promise.entry else { return nil }
            guard state.learnings == learnings else {
                newer = state.learnings
                return nil
            }
            state.promised.removeFirst()
            promise.entry.keep(isStored: candidate.map { state.keep($0) } ?? false)
            // A thread that sees a count of zero also sees the outcome.
            promises.subtract(1, ordering: .releasing)
            return state.shouldScheduleDrain() ? state.disk : nil
        }
        if let drained { sendDrain(drained) }
        return newer
    }
}

extension StoreState {
    private static let maximumPromises = 64

    /// Whether a promised entry certainly finds room, without waiting for a disk.
    var takesPromises: Bool {
        !isClosed && promised.count < Self.maximumPromises && trouble == nil && !isBacklogged
    }

    /// Places a promised entry if there is room for it; false if there is none.
    mutating func keep(_ candidate: Candidate) -> Bool {
        guard case .open(let inMemory, let disk) = room(for: candidate) else {
            removeOlder(digest: candidate.digest, variant: candidate.entry.stored.variant)
            return false
        }
        var forms = Forms()
        if inMemory { forms.memory = candidate.entry.body }
        if disk != nil { forms.disk = DiskForm(body: candidate.entry.body, file: 0) }
        place(candidate, forms, disk: disk)
        return true
    }
}
