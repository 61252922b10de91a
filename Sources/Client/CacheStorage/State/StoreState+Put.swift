import CacheSemantics

extension StoreState {
    /// The tiers that have room for an entry, or the reason for a refusal.
    enum Placement {
        case open(inMemory: Bool, disk: DiskTier?)
        case refused(PutRefusal)
    }

    static let largestBacklogCost = 8 << 20
    private static let largestBacklogCount = 512

    /// Whether more writes are pending than should be held in memory.
    var isBacklogged: Bool {
        pendingCost > Self.largestBacklogCost || pending.count > Self.largestBacklogCount
    }

    /// Returns the tiers that may store an entry.
    func room(for candidate: Candidate) -> Placement {
        let size = candidate.size
        let isExplicit = candidate.entry.isStoredExplicitly
        var mayBeOnDisk = disk != nil && diskCapacity > 0 && candidate.entry.storagePolicy == .allowed
        guard !isClosed, memoryCapacity > 0 || mayBeOnDisk else { return .refused(.noTier) }
        let limit = isExplicit ? max(memoryCapacity, mayBeOnDisk ? diskCapacity : 0) : largestEntry
        if isExplicit, size > diskCapacity { mayBeOnDisk = false }
        guard size <= limit else { return .refused(.tooLarge(size: size, limit: limit)) }
        let fitsMemory = memoryCapacity > 0 && candidate.memoryCost <= memoryCapacity
        guard fitsMemory || mayBeOnDisk else {
            return .refused(.tooLarge(size: candidate.memoryCost, limit: memoryCapacity))
        }
        return .open(inMemory: fitsMemory, disk: mayBeOnDisk ? disk : nil)
    }

    /// Places the forms of an entry in their tiers, replacing an older entry.
    mutating func place(_ candidate: Candidate, _ forms: Forms, disk: DiskTier?) {
        remove(digest: candidate.digest, variant: candidate.entry.stored.variant, .replaced)
        if !candidate.labels.isEmpty { hasLabels = true }
        // The tier may have been closed while the forms were created.
        var slot: Int?
        if let form = forms.disk, let disk, disk === self.disk, !isClosed {
            slot = insertOnDisk(
                record(candidate, file: form.file),
                PendingWrite(
                    metadata: candidate.metadata,
                    metadataSize: candidate.metadataSize,
                    labels: candidate.labels,
                    body: form.body
                )
            )
        }
        if let body = forms.memory, !isClosed {
            var entry = candidate.entry
            entry.body = body
            let node = MemoryTier.Node(
                digest: candidate.digest,
                variant: entry.stored.variant,
                size: candidate.memoryCost,
                diskSlot: slot ?? 0,
                diskSerial: slot.map { index[$0].serial } ?? 0,
                used: index.nextUse()
            )
            memory.insert(entry, as: node, labelled: candidate.labels)
        }
        if candidate.entry.stored.isAlias {
            touchContent(of: candidate.entry.stored, digest: candidate.digest)
        }
        evictVariants(of: candidate.digest)
        evict()
        updateCompleteness(candidate.digest)
    }

    /// Returns whether the disk tier has the variant, written or pending.
    func isOnDisk(_ candidate: Candidate) -> Bool {
        index.slot(candidate.digest, variant: candidate.variant) != nil
    }

    private func record(_ candidate: Candidate, file: UInt64) -> DiskIndex.Record {
        DiskIndex.Record(
            digest: candidate.digest,
            variant: candidate.variant,
            size: candidate.size,
            storedAt: candidate.entry.storedSeconds,
            file: file,
            isInvalidated: candidate.entry.stored.isInvalidated,
            origin: candidate.origin
        )
    }
}
