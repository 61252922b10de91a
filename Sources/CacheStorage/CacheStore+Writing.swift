import GRDB
import Locks

extension CacheStore {
    /// Has what waits written on the writer's thread, together with whatever comes until it gets there.
    func scheduleDrain() {
        guard let disk = state.withLock({ $0.shouldScheduleDrain() ? $0.disk : nil }) else { return }
        sendDrain(disk)
    }

    /// Has the drain done that `shouldScheduleDrain` has announced.
    func sendDrain(_ disk: DiskTier) {
        disk.writer.asyncWriteWithoutTransaction { db in self.drain(disk, db) }
    }

    /// Writes what waits before it returns; `isDurable` waits for the device too.
    func drainNow(_ disk: DiskTier, withUses: Bool = false, isDurable: Bool = false) {
        disk.writer.writeWithoutTransaction { db in
            drain(disk, db, withUses: withUses, isDurable: isDurable)
        }
    }

    /// Brings the index up to date with other processes.
    func catchUp() {
        guard let disk = state.withLock({ $0.disk }) else { return }
        do {
            try disk.writer.writeWithoutTransaction { db in try followOthers(disk, db) }
        } catch {
            handle(error, disk, operation: "read")
        }
    }

    /// Runs on the writer's thread.
    private func drain(_ disk: DiskTier, _ db: Database, withUses: Bool = false, isDurable: Bool = false) {
        keepPromises()
        let hasWork = lock.withLock { state in
            state.settleUses()
            return state.disk === disk && state.hasWork
        }
        guard hasWork else { return }
        // Nobody may hold on to an old state of the database, or its log could not begin anew.
        disk.readers.rest()
        var batch = WriteBatch()
        do {
            let rows = try transact(db, isDurable: isDurable) {
                try learn(disk, db)
                batch = lock.withLock { $0.takeBatch(withUses: withUses) }
                return try disk.write(batch, db)
            }
            if batch.needsDatabase {
                let before = disk.generation.advance()
                lock.withLock { $0.finish(batch, rows: rows ?? [], generationBefore: before) }
            }
            for file in batch.files { disk.paths.removeBody(file) }
        } catch {
            lock.withLock { state in
                // Where not even a transaction could begin, what waits is given up all the same.
                if batch.isEmpty { batch = state.takeBatch(withUses: false) }
                state.abandon(batch, disk.failure("write", error))
            }
            handle(error, disk, operation: "write")
        }
    }

    private func transact<Result>(
        _ db: Database,
        isDurable: Bool,
        _ body: () throws -> Result
    ) throws -> Result? {
        if isDurable { try db.execute(sql: "PRAGMA synchronous = FULL") }
        var result: Result?
        defer {
            // Cannot fail outside of a transaction; if it did, later writes would only be slower.
            if isDurable { _ = Swift.Result { try db.execute(sql: "PRAGMA synchronous = NORMAL") } }
        }
        try db.inTransaction(.immediate) {
            result = try body()
            return .commit
        }
        return result
    }

    /// Runs on the writer's thread, outside of a transaction.
    func followOthers(_ disk: DiskTier, _ db: Database) throws {
        try db.inTransaction(.deferred) {
            try learn(disk, db)
            return .commit
        }
    }

    /// Runs on the writer's thread, within a transaction.
    private func learn(_ disk: DiskTier, _ db: Database) throws {
        let generation = disk.generation.value
        guard disk.isCurrent else { throw DatabaseReplaced() }
        let marks = lock.withLock { $0.marks }
        let news = try DiskTier.news(since: marks, db)
        let hasLabels = try news != nil && DiskTier.hasLabels(db)
        lock.withLock { state in
            if hasLabels { state.hasLabels = true }
            if let news {
                state.apply(news, generation: generation)
            } else {
                state.seenGeneration = generation
            }
        }
    }

    func handle(_ error: any Error, _ disk: DiskTier, operation: String) {
        if error is DatabaseReplaced { return reopen(disk, damage: nil) }
        if DiskSchema.isDamage(error) { return reopen(disk, damage: DiskSchema.reason(error)) }
        state.withLock { $0.trouble = disk.failure(operation, error) }
    }
}

/// Another process found the database damaged and began a new one.
struct DatabaseReplaced: Error {}
