import CacheSemantics

/// The store's entire state, as one value behind one lock; it does no I/O.
struct StoreState: Sendable {
    var memoryCapacity: Int
    var diskCapacity: Int
    let largestShare: Double
    /// The largest number of variants of one key.
    let maximumVariants: Int

    var memory: MemoryTier
    var index = DiskIndex()
    /// The open folder; `nil` while the disk tier is off.
    var disk: DiskTier?
    /// The pending writes, by serial number.
    var pending: [UInt64: PendingWrite] = [:]
    /// The serial numbers of pending writes, oldest first; some may no longer exist.
    var order: [(digest: UInt64, serial: UInt64)] = []
    var pendingCost = 0
    /// The entries that are to be stored and not created yet, oldest first.
    var promised: [Promise] = []
    var chores = WriteBatch()
    var isDrainScheduled = false
    /// Whether entries wait until something else must be written, or too many wait.
    var defersWrites = false
    /// Whether the database may contain rows.
    var mayHaveRows = false
    var seenGeneration: UInt64 = 0
    var marks = DiskMarks()
    private var lastStamp: UInt64 = 0
    /// Findings that no lookup has reported yet.
    var damage: [StorageDamage] = [] {
        didSet { if !damage.isEmpty { memory.ready.removeAll() } }
    }
    /// The reason why the last write failed; `nil` if it did not.
    var trouble: StorageError?
    /// The reason why content could not be written to a separate file last; `nil` once some could.
    var fileFailure: StorageError?
    /// The folder that was open and could not be reopened; `nil` while one is open or if none ever was.
    var lost: LostDisk?
    /// The number of updates with changes by other stores.
    var learnings: UInt64 = 0
    var isClosed = false
    /// Whether an entry with labels may be stored.
    var hasLabels = false

    init(_ configuration: CacheStore.Configuration, labelling: Labelling) {
        memory = MemoryTier(labelling: labelling)
        memoryCapacity = configuration.memoryCapacity.bytes
        diskCapacity = configuration.diskCapacity.bytes
        largestShare = configuration.largestShare
        maximumVariants = configuration.maximumVariants
    }

    /// The largest size of one response, in bytes.
    var largestEntry: Int {
        let capacity = disk != nil && diskCapacity > 0 ? diskCapacity : memoryCapacity
        return Int(Double(capacity) * largestShare)
    }

    /// Counts the changes of the folder, also of one that was lost: what its other stores withdraw must go here, too.
    var generation: GenerationFile? { (disk ?? lost?.disk)?.generation }

    /// Whether another store has changed the folder since this one was brought up to date.
    var isBehind: Bool { generation.map { $0.value != seenGeneration } ?? false }

    /// Number of entries in either tier.
    var entryCount: Int { index.count + memory.countWithoutDisk }

    static func digest(_ key: CacheKey) -> UInt64 { key.digest }

    /// Returns the digest of an origin; never zero, which means none.
    static func digest(origin: String) -> UInt64 { max(ByteHash.sum(origin), 1) }

    static func digest(_ variant: VariantKey) -> UInt64 { variant.digest }
}

// MARK: - Placing and removing

extension StoreState {
    /// Removes one variant from both tiers; its row is deleted with the next batch.
    mutating func remove(digest: UInt64, variant: VariantKey, _ kind: StorageChange.Kind = .removed) {
        settleUses()
        memory.remove(digest: digest, variant: variant)
        if let slot = index.slot(digest, variant: Self.digest(variant)) { removeFromDisk(slot, kind) }
        updateCompleteness(digest)
    }

    /// Removes the record in `slot`; its row is deleted with the next batch.
    mutating func removeFromDisk(_ slot: Int, _ kind: StorageChange.Kind) {
        let record = forgetOnDisk(slot)
        if record.row != 0 { note(kind, record, row: record.row) }
    }

    /// Records a change of a row for other stores, to be written with the next batch.
    mutating func note(_ kind: StorageChange.Kind, _ record: DiskIndex.Record, row: Int64) {
        let change = StorageChange(kind: kind, row: row, digest: record.digest, variant: record.variant)
        note(change)
    }

    /// Records a change for other stores, to be written with the next batch; ignored without a disk tier.
    mutating func note(_ change: StorageChange) {
        if disk != nil { chores.changes.append(change) }
    }

    /// Removes the record in `slot` and its body file, but deletes no row.
    @discardableResult
    mutating func forgetOnDisk(_ slot: Int) -> DiskIndex.Record {
        let record = index.remove(slot)
        memory.detach(digest: record.digest, diskSerial: record.serial)
        if let write = pending.removeValue(forKey: record.serial) { pendingCost -= write.cost }
        if record.file != 0 { chores.files.append(record.file) }
        return record
    }

    /// Adds an entry to the disk tier's index, to be written with the next batch; returns its slot.
    mutating func insertOnDisk(_ record: DiskIndex.Record, _ write: PendingWrite) -> Int {
        let slot = index.insert(record)
        index.setVary(of: write.metadata.stored, in: slot)
        enqueue(write, digest: record.digest, serial: index[slot].serial)
        return slot
    }

    /// Adds or replaces the pending write of a record.
    mutating func enqueue(_ write: PendingWrite, digest: UInt64, serial: UInt64) {
        lastStamp += 1
        var write = write
        write.stamp = lastStamp
        if let old = pending.updateValue(write, forKey: serial) { pendingCost -= old.cost }
        order.append((digest, serial))
        pendingCost += write.cost
    }

    /// Evicts the least recently used entries until both tiers are within their capacities.
    mutating func evict() {
        settleUses()
        while memory.usage > memoryCapacity, let node = memory.oldest {
            memory.remove(digest: node.digest, variant: node.variant)
            updateCompleteness(node.digest)
        }
        while index.usage > diskCapacity, let slot = index.oldest {
            let digest = index[slot].digest
            removeFromDisk(slot, .evicted)
            updateCompleteness(digest)
        }
    }

    /// Updates whether the memory tier alone can answer for a key.
    mutating func updateCompleteness(_ digest: UInt64) {
        guard let number = memory.group(digest: digest) else { return }
        let linked = memory[group: number].nodes.count { memory[node: $0].diskSerial != 0 }
        memory[group: number].isComplete = linked == index.slots(digest).count
    }

    /// Forgets everything; with `withBodies`, the body files of written entries are also removed.
    mutating func forgetAll(withBodies: Bool) {
        memory.removeAll()
        if index.fileCount > 0 {
            for slot in index.allSlots where index[slot].file != 0 && (withBodies || index[slot].row == 0) {
                chores.files.append(index[slot].file)
            }
        }
        index = DiskIndex(after: index)
        pending = [:]
        order = []
        pendingCost = 0
    }
}
