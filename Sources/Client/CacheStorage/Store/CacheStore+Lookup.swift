public import CacheSemantics
import Locks
import Synchronization

extension CacheStore {
    /// Returns all variants stored under a key: from memory if they are there, otherwise from disk.
    ///
    /// Freshness is ignored. Variants read from disk are then also in memory, as far as they fit. If there are
    /// several, none of them counts as used.
    public func entries(for key: CacheKey) -> StoredEntries { entries(for: key, by: nil) }

    /// Returns the variants stored under a key that a request may select; those that it does select count as used.
    ///
    /// The time does not grow with the number of variants. The result may contain variants that the request cannot
    /// select; `leavesOut` is true if others were left out.
    public func entries(for key: CacheKey, selectableBy selector: VariantSelector) -> StoredEntries {
        entries(for: key, by: selector)
    }

    @inline(__always)
    private func entries(for key: CacheKey, by selector: VariantSelector?) -> StoredEntries {
        let digest = StoreState.digest(key)
        if promises.load(ordering: .acquiring) == 0,
            let found = ready.entries(for: key, digest: digest, by: selector)
        {
            return StoredEntries(found)
        }
        let lookup = lock.withLock { $0.lookup(key, digest: digest, by: selector) }
        if case .found(let found) = lookup { return StoredEntries(found) }
        return entriesFromDisk(for: key, by: selector, lookup)
    }

    /// Reports findings with the next lookup that can report them.
    public func reportLater(_ damage: [StorageDamage]) { lock.withLock { $0.damage += damage } }

    private func entriesFromDisk(
        for key: CacheKey,
        by selector: VariantSelector?,
        _ first: StoreState.Lookup
    ) -> StoredEntries {
        let digest = StoreState.digest(key)
        var lookup = first
        var waits = true
        var damage: [StorageDamage] = []
        // Each round is one change by another process; the lookup gives up after a few in a row.
        for _ in 0..<8 {
            switch lookup {
            case .found(let found): return StoredEntries(found, damage: damage)
            case .nothing: return StoredEntries(damage: damage)
            case .damaged(let found, let new): return StoredEntries(found, damage: damage + new)
            case .outdated: catchUp()
            case .promised:
                keepPromises()
                // Entries that others promise meanwhile are left to them.
                waits = false
            case .incomplete(let memory, let reads, let new):
                damage += new
                if let found = load(reads, beside: memory, of: key, by: selector, &damage) {
                    return StoredEntries(found, damage: damage)
                }
            }
            lookup = lock.withLock { $0.lookup(key, digest: digest, by: selector, waits: waits) }
        }
        // It is unknown what is stored, which differs from nothing stored.
        let cause = lock.withLock { $0.trouble?.reason } ?? "the folder changes too often to be read"
        return StoredEntries(damage: damage + [StorageDamage(subject: key.targetURI, reason: cause)])
    }

    /// Adds variants from disk to those from memory, and the content of aliases among them.
    ///
    /// `nil` if the folder changed meanwhile and the lookup must be repeated.
    private func load(
        _ reads: [StoreState.DiskRead],
        beside memory: FoundVariants,
        of key: CacheKey,
        by selector: VariantSelector?,
        _ damage: inout [StorageDamage]
    ) -> FoundVariants? {
        var variants = memory
        guard load(reads, into: &variants.entries, of: key, by: selector, &damage) else { return nil }
        guard variants.leavesOut, variants.entries.contains(where: \.entry.stored.isAlias) else {
            return variants
        }
        let entries = variants.entries
        let contents = state.withLock { $0.contents(of: entries, digest: StoreState.digest(key)) }
        variants.entries += contents.found
        guard load(contents.reads, into: &variants.entries, of: key, by: selector, &damage) else {
            return nil
        }
        return variants
    }

    /// Reads variants from disk; false if the folder changed meanwhile and the lookup must be repeated.
    private func load(
        _ reads: [StoreState.DiskRead],
        into found: inout [LocatedEntry],
        of key: CacheKey,
        by selector: VariantSelector?,
        _ damage: inout [StorageDamage]
    ) -> Bool {
        guard let disk = state.withLock({ $0.disk }) else { return true }
        for read in reads {
            switch fetch(read, key, disk) {
            case .entry(let entry, let verified):
                let isUse = read.isUse || selector?.selects(entry.stored) == true
                state.withLock { $0.settle(read, entry, verified: verified, isUse: isUse) }
                found.append(LocatedEntry(entry: entry, tier: .disk))
            case .otherKey: continue
            case .missing:
                catchUp()
                guard state.withLock({ $0.isCurrent(read) }) else { return false }
                damage.append(discard(read, key, reason: "its row or file is missing"))
            case .damaged(let reason): damage.append(discard(read, key, reason: reason))
            case .unreadable(let error):
                handle(error, disk, operation: "read")
                let reason = "could not be read: \(disk.failure("read", error).reason)"
                damage.append(StorageDamage(subject: key.targetURI, reason: reason))
            }
        }
        return true
    }

    private func discard(_ read: StoreState.DiskRead, _ key: CacheKey, reason: String) -> StorageDamage {
        state.withLock { state in
            guard state.isCurrent(read) else { return }
            state.removeFromDisk(read.slot, .removed)
            state.updateCompleteness(read.record.digest)
        }
        scheduleDrain()
        return StorageDamage(subject: key.targetURI, reason: reason)
    }
}

// MARK: - One variant

extension CacheStore {
    private enum Fetched {
        /// With the mark of the file whose content was checked; zero for none.
        case entry(CacheEntry, verified: UInt64)
        /// An entry of another key with the same digest.
        case otherKey
        case missing
        case damaged(String)
        case unreadable(any Error)
    }

    private func fetch(_ read: StoreState.DiskRead, _ key: CacheKey, _ disk: DiskTier) -> Fetched {
        if let pending = read.pending, let body = pending.body {
            guard pending.metadata.stored.key == key else { return .otherKey }
            guard body.isUnchanged else { return .damaged("its content is damaged") }
            let entry = pending.metadata.entry(body: body, isInvalidated: read.record.isInvalidated)
            return .entry(entry, verified: read.record.verified)
        }
        do {
            let row = try disk.content(
                row: read.record.row,
                of: key,
                isInvalidated: read.record.isInvalidated
            )
            guard let row else { return .missing }
            return assemble(read, row, key, disk)
        } catch {
            return .unreadable(error)
        }
    }

    private func assemble(
        _ read: StoreState.DiskRead,
        _ row: ContentRow,
        _ key: CacheKey,
        _ disk: DiskTier
    ) -> Fetched {
        guard let metadata = row.metadata else {
            return .damaged(row.isMetadataIntact ? "its metadata cannot be read" : "its metadata is damaged")
        }
        guard metadata.stored.key == key else { return .otherKey }
        guard StoreState.digest(metadata.stored.variant) == read.record.variant else {
            return .damaged("it contains another variant")
        }
        let newest = read.pending?.metadata ?? metadata
        if read.record.file != 0 { return assemble(read, newest, sum: row.bodySum, disk) }
        guard let body = row.body, ByteHash.contentSum(body) == row.bodySum, newest.fits(body.count) else {
            return .damaged("its content is damaged")
        }
        let entry = newest.entry(body: .bytes(body), isInvalidated: read.record.isInvalidated)
        return .entry(entry, verified: 0)
    }

    /// Returns the entry with the body from its file, which is read completely unless this process has checked it
    /// since its last change.
    private func assemble(
        _ read: StoreState.DiskRead,
        _ metadata: EntryMetadata,
        sum: UInt64,
        _ disk: DiskTier
    ) -> Fetched {
        do throws(StorageError) {
            guard let file = try StoredFile.open(disk.paths.body(read.record.file), checksum: sum) else {
                return .missing
            }
            guard metadata.fits(file.count) else { return .damaged("its content is damaged") }
            let body = try bodyToKeep(file, read)
            let mark = file.stamp.mark
            if mark == nil || mark != read.record.verified || body.residentCount > 0 {
                guard try digest(of: body) == sum else { return .damaged("its content is damaged") }
            }
            let entry = metadata.entry(body: body, isInvalidated: read.record.isInvalidated)
            return .entry(entry, verified: mark ?? 0)
        } catch {
            // The file is not damaged if the system cannot open or read it, for example for lack of a descriptor.
            return error.isDamage ? .damaged(error.description) : .unreadable(error)
        }
    }

    private func bodyToKeep(_ file: StoredFile, _ read: StoreState.DiskRead) throws(StorageError)
        -> StoredBody
    {
        guard promotesFiles, read.record.size <= memoryCapacity.bytes else { return .file(file) }
        return .bytes(try StoredBody.file(file).readAll())
    }

    private func digest(of body: StoredBody) throws(StorageError) -> UInt64 {
        switch body {
        case .bytes(let bytes): StoredFile.digest(of: bytes)
        case .file(let file): try file.digest()
        }
    }
}
