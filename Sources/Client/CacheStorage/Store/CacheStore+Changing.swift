import GRDB
import Locks

/// A folder that was open and could not be reopened.
struct LostDisk: Sendable {
    let disk: DiskTier
    /// Whether its database still contains what was invalidated or removed, and must not be used again.
    var isOwed: Bool
}

extension CacheStore {
    private static let maximumAttempts = 6

    /// Makes changes that apply to every store on the folder when this returns.
    ///
    /// They are written in one transaction, in which the store first reads the changes by others. If they cannot be
    /// written, the database is removed, which needs no disk space.
    func change(_ changes: [StorageChange]) -> ChangeOutcome {
        for attempt in 1...Self.maximumAttempts {
            guard let disk = openAgain() else { break }
            do {
                let isDurable = lock.withLock { state in changes.contains { state.mayConcern($0) } }
                let keys = try perform(changes, disk, isDurable: isDurable)
                // Another store may have created a new database meanwhile, which lacks these changes.
                if disk.isCurrent { return .done(keys: keys.count) }
                reopen(disk, damage: nil)
            } catch {
                recover(from: error, disk, isLast: attempt == Self.maximumAttempts / 2)
            }
        }
        return changeWithoutDisk(changes)
    }

    /// Returns the open folder, or the lost one if it can be reopened now.
    private func openAgain() -> DiskTier? {
        let (disk, isLost) = state.withLock { ($0.disk, $0.lost != nil) }
        guard disk == nil, isLost else { return disk }
        tryToOpen(waits: true)
        return lock.withLock { $0.disk }
    }

    private func tryToOpen(waits: Bool = false) {
        do throws(StorageError) {
            try openDiskIfNeeded(waits: waits)
        } catch {
            lock.withLock { $0.trouble = error }
        }
    }

    /// Opens the folder again that this store has lost and another has changed; forgets everything if it cannot be
    /// opened, because what was changed is unknown.
    func catchUpWithoutDisk() {
        tryToOpen()
        state.withLock { state in
            guard state.disk == nil, state.isBehind, let generation = state.generation else { return }
            state.seenGeneration = generation.value
            // Under the lock of the state, so that a thread that puts a response sees either both or neither.
            watches.note(isCleared: true) { _ in true }
            state.forgetAll(withBodies: false)
        }
    }

    /// Removes the cause of a failure, at the latest by giving up the database.
    private func recover(from error: any Error, _ disk: DiskTier, isLast: Bool) {
        let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
        if error is DatabaseReplaced || !disk.isCurrent {
            reopen(disk, damage: nil)
        } else if DiskSchema.isDamage(error) {
            reopen(disk, damage: DiskSchema.reason(error))
        } else if !isBusy || isLast {
            let failure = disk.failure("write", error)
            reopen(disk, owing: failure)
        }
    }

    /// Makes changes in memory, if there is no disk tier or none that can be opened.
    private func changeWithoutDisk(_ changes: [StorageChange]) -> ChangeOutcome {
        let (keys, lost) = state.withLock { state -> (Set<UInt64>, LostDisk?) in
            let keys = changes.reduce(into: Set<UInt64>()) { $0.formUnion(state.perform($1)) }
            // If the disk tier failed in every attempt, none of its contents may be used.
            if let disk = state.disk { lose(disk, isOwed: true, &state) }
            return (keys, state.lost)
        }
        guard let lost else { return .done(keys: keys.count) }
        do throws(StorageError) {
            try discard(lost.disk)
            return .done(keys: keys.count)
        } catch {
            lock.withLock { state in
                state.lost?.isOwed = true
                state.trouble = error
            }
            return .failed(error)
        }
    }

    /// Starts with an empty database, because the changes could not be written to this one.
    private func reopen(_ disk: DiskTier, owing error: StorageError) {
        let files = lock.withLock { state -> [UInt64]? in
            guard state.disk === disk else { return nil }
            state.forgetAll(withBodies: true)
            defer { lose(disk, isOwed: true, &state) }
            return state.chores.files
        }
        guard let files else { return }
        tryToOpen()
        let isRemoved = lock.withLock { state in
            let isRemoved = state.lost?.isOwed != true
            let reason = "because invalidations or removals could not be written: \(error.reason)"
            let action = isRemoved ? "removed" : "no longer used"
            state.damage.append(StorageDamage(subject: disk.paths.database, reason: "\(action), \(reason)"))
            return isRemoved
        }
        // Only once no store can find them.
        guard isRemoved else { return }
        for file in files { disk.paths.removeBody(file) }
    }
}

extension CacheStore {
    /// Continues without a folder that cannot be used; what other stores change in it from now on is unknown.
    ///
    /// Under the lock of the state, so that a thread that puts a response sees either both or neither.
    func lose(_ disk: DiskTier, isOwed: Bool, _ state: inout StoreState) {
        watches.note(isCleared: true) { _ in true }
        state.lose(disk, isOwed: isOwed)
    }
}

extension StoreState {
    /// Continues without a folder that cannot be used.
    mutating func lose(_ disk: DiskTier, isOwed: Bool) {
        self.disk = nil
        lost = LostDisk(disk: disk, isOwed: isOwed)
        seenGeneration = disk.generation.value
        forgetAll(withBodies: false)
        chores = WriteBatch()
        isDrainScheduled = false
    }
}
