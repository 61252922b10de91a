import GRDB
import Locks

extension CacheStore {
    /// Schedules writing of all pending data on the writer's thread, including what is added until it runs.
    func scheduleDrain() {
        guard let disk = state.withLock({ $0.shouldScheduleDrain() ? $0.disk : nil }) else { return }
        sendDrain(disk)
    }

    /// Starts the drain that `shouldScheduleDrain` has announced.
    func sendDrain(_ disk: DiskTier) {
        disk.writer.asyncWriteWithoutTransaction { db in self.drain(disk, db) }
    }

    /// Writes all pending data before it returns.
    func drainNow(_ disk: DiskTier, withUses: Bool = false) {
        disk.writer.writeWithoutTransaction { db in drain(disk, db, withUses: withUses) }
    }

    /// Updates the index with changes by other stores.
    func catchUp() {
        guard let disk = state.withLock({ $0.disk }) else { return catchUpWithoutDisk() }
        do {
            try disk.writer.writeWithoutTransaction { db in try followOthers(disk, db) }
        } catch {
            handle(error, disk, operation: "read")
        }
    }

    /// Makes changes in one transaction; returns the keys with affected entries.
    func perform(_ changes: [StorageChange], _ disk: DiskTier, isDurable: Bool) throws -> Set<UInt64> {
        try disk.writer.writeWithoutTransaction { db in
            keepPromises()
            var keys: Set<UInt64> = []
            try write(disk, db, isDurable: isDurable) {
                let rows = try changes.map { try disk.rows(concernedBy: $0, db) }
                return lock.withLock { state in
                    for (change, rows) in zip(changes, rows) { keys.formUnion(state.perform(change, rows)) }
                    return state.takeChores()
                }
            }
            return keys
        }
    }

    /// Writes all pending data; runs on the writer's thread.
    private func drain(_ disk: DiskTier, _ db: Database, withUses: Bool = false) {
        keepPromises()
        let hasWork = lock.withLock { state in
            state.settleUses()
            return state.disk === disk && state.hasWork
        }
        guard hasWork else { return }
        do {
            try write(disk, db, givesUpWaiting: true) { lock.withLock { $0.takeBatch(withUses: withUses) } }
            // Entries that were promised after the others had been created relied on this drain.
            scheduleDrain()
        } catch {
            handle(error, disk, operation: "write")
        }
    }

    /// Writes what `take` returns in one transaction, in which the store first reads the changes by others.
    ///
    /// Runs on the writer's thread.
    private func write(
        _ disk: DiskTier,
        _ db: Database,
        isDurable: Bool = false,
        givesUpWaiting: Bool = false,
        _ take: () throws -> WriteBatch
    ) throws {
        // No reader may hold an old snapshot of the database, or its log could not be reused from its start.
        disk.readers.rest()
        var batch = WriteBatch()
        do {
            let rows = try transact(db, isDurable: isDurable) {
                try learn(disk, db)
                batch = try take()
                return try disk.write(batch, db)
            }
            conclude(batch, rows: rows ?? [], disk)
            // Other processes may not see pages that were lost while they were being written.
            try disk.checkMemory()
            disk.checkpointer.didWrite(db)
        } catch {
            lock.withLock { state in
                guard state.disk === disk else { return }
                // If not even a transaction could start, the pending entries are abandoned nevertheless.
                if batch.isEmpty, givesUpWaiting { batch = state.takeBatch(withUses: false) }
                state.abandon(batch, disk.failure("write", error))
            }
            throw error
        }
    }

    /// Records what was written, and makes the other stores read it.
    private func conclude(_ batch: WriteBatch, rows: [Int64], _ disk: DiskTier) {
        if batch.needsDatabase {
            let before = disk.generation.advance()
            let last = lock.withLock { state in
                state.finish(batch, rows: rows, generationBefore: before)
                return state.marks.change
            }
            if batch.withdraws, disk.isCurrent { disk.generation.acknowledge(last, of: disk.identity) }
        }
        for file in batch.files { disk.paths.removeBody(file) }
    }

    private func transact<Result>(
        _ db: Database,
        isDurable: Bool,
        _ body: () throws -> Result
    ) throws -> Result? {
        if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
        defer {
            // Cannot fail outside of a transaction; if it did, later writes would only be slower.
            if isDurable { _ = Swift.Result { try db.execute(sql: "PRAGMA synchronous = NORMAL") } }
        }
        return try db.immediately(body)
    }

    /// Reads the changes by others; runs on the writer's thread, outside of a transaction.
    func followOthers(_ disk: DiskTier, _ db: Database) throws {
        try db.inTransaction(.deferred) {
            try learn(disk, db)
            return .commit
        }
    }

    /// Reads the changes by others; runs on the writer's thread, within a transaction.
    private func learn(_ disk: DiskTier, _ db: Database) throws {
        try disk.checkMemory()
        let generation = disk.generation.value
        guard disk.isCurrent else { throw DatabaseReplaced() }
        // Read before the database, which then contains at least as much.
        let acknowledged = disk.generation.acknowledged
        let marks = lock.withLock { $0.marks }
        let news = try DiskTier.news(since: marks, db)
        try acknowledged.check((news?.marks ?? marks).change, of: disk.identity)
        let hasLabels = try news != nil && DiskTier.hasLabels(db)
        lock.withLock { state in
            if hasLabels { state.hasLabels = true }
            guard let news else {
                state.seenGeneration = generation
                return
            }
            // Under the lock of the state: a thread that puts a response sees either both or neither.
            if marks != .unknown { watches.note(news) }
            state.apply(news, generation: generation)
            if let damage = news.damage(of: disk.paths.database) { state.damage.append(damage) }
        }
    }

    func handle(_ error: any Error, _ disk: DiskTier, operation: String) {
        if error is DatabaseReplaced { return reopen(disk, damage: nil) }
        if DiskSchema.isDamage(error) { return reopen(disk, damage: DiskSchema.reason(error)) }
        state.withLock { $0.trouble = disk.failure(operation, error) }
    }
}

/// An error for a database that another process found damaged and replaced.
struct DatabaseReplaced: Error, CustomStringConvertible {
    var description: String { "another process has replaced the database" }
}
