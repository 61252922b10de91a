package import CacheSemantics
import Clocks
import Locks
import Synchronization

extension CacheStore {
    /// Takes an entry that is still to be made, as if it were put now; false where it has to be made and put at once.
    ///
    /// Nobody who asks the store for anything can tell it from one that was put. Its content must be in memory, and
    /// no more than `largestPromisedBody` bytes.
    package func promise(_ entry: any PromisedEntry, for key: CacheKey) -> Bool {
        let promise = Promise(entry: entry, digest: StoreState.digest(key), storedAt: clock.wallSeconds)
        let (isTaken, drained) = lock.withLock { state -> (Bool, DiskTier?) in
            guard state.takesPromises else { return (false, nil) }
            state.promised.append(promise)
            // Who brings another response later has to look what there is.
            watches.note(promise.digest)
            // Counted in here: who keeps it counts it out.
            promises.add(1, ordering: .releasing)
            return (true, state.shouldScheduleDrain() ? state.disk : nil)
        }
        if let drained { sendDrain(drained) }
        return isTaken
    }

    /// Largest content of a promised entry, in bytes: what the disk tier keeps in a row.
    package static var largestPromisedBody: Int { DiskTier.largestRowBody }

    /// Makes and stores what was promised; waits for nothing.
    package func keepPromises() {
        // What others promise meanwhile is theirs to keep.
        for _ in 0..<promises.load(ordering: .acquiring) {
            guard keepFirst() else { return }
        }
    }

    /// Makes and stores what was promised first; false where nothing is promised.
    private func keepFirst() -> Bool {
        var (promise, learnings) = lock.withLock { ($0.promised.first, $0.learnings) }
        while let current = promise {
            guard let newer = keep(current, learnings) else { return true }
            // What was learnt from another store meanwhile may say something against what was made.
            (promise, learnings) = (current, newer)
        }
        return false
    }

    /// Several threads may make the same entry; the first to be ready stores it.
    ///
    /// Returns how often the state had been brought up to date where it was while the entry was being made, else `nil`.
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
            // Whoever sees that nothing is promised any more sees what became of it.
            promises.subtract(1, ordering: .releasing)
            return state.shouldScheduleDrain() ? state.disk : nil
        }
        if let drained { sendDrain(drained) }
        return newer
    }
}

extension StoreState {
    private static let mostPromises = 64

    /// Whether what is promised surely finds room, and nobody has to wait for a disk.
    var takesPromises: Bool {
        !isClosed && promised.count < Self.mostPromises && trouble == nil && !isBacklogged
    }

    /// Puts a promised entry where there is room for it; false where there is none.
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
