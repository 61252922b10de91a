public import CacheSemantics
import Clocks
import Locks
import Synchronization

extension CacheStore {
    /// Stores an entry in the tiers that its policy and size allow, replacing one with the same key and variant.
    ///
    /// Sets `storedAt`, and the length of its content. The disk's part is written soon after; lookups find it at once.
    /// `PutOutcome.stored` describes what happens if it cannot be written. An older entry is removed even if the new
    /// one is too large to be stored.
    @discardableResult
    public func put(_ entry: CacheEntry) -> PutOutcome { put(entry, watchedBy: nil) }

    /// Stores the entry of a response that was requested when `watch` started.
    ///
    /// If its key has been invalidated since, the entry is stored as invalidated; if its key has been removed, the
    /// entry is refused. No lookup, in this store or another, finds it as valid in between.
    @discardableResult
    public func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome {
        guard entry.storagePolicy != .notAllowed else { return .refused(.notAllowed) }
        // Removals by other stores before now affect older entries, except those that the watch has recorded.
        catchUpIfBehind()
        let candidate = Candidate(entry, storedAt: nextStoredAt(), labelling)
        let room = state.withLock { $0.room(for: candidate) }
        switch room {
        case .refused(let reason):
            removeOlder(candidate)
            return .refused(reason)
        case .open(let inMemory, let disk): return put(candidate, watch, inMemory: inMemory, disk: disk)
        }
    }

    /// Returns a spool for collecting content before it is stored.
    ///
    /// `expectedSize` is a hint, such as the value of Content-Length.
    public func spool(expectedSize: ByteCount? = nil) -> BodySpool {
        let disk = state.withLock { $0.diskCapacity > 0 ? $0.disk : nil }
        return BodySpool(paths: disk?.paths, expectedSize: expectedSize?.bytes) { [weak self] in
            self?.note(fileFailure: $0)
        }
    }

    /// Records whether content could be written to a separate file.
    func note(fileFailure: StorageError?) { state.withLock { $0.fileFailure = fileFailure } }

    /// Returns a unique time of storing, which distinguishes an entry from the one that it replaces.
    func nextStoredAt() -> Double {
        var last = lastStoredAt.load(ordering: .relaxed)
        while true {
            let (now, before) = (clock.wallSeconds, Double(bitPattern: last))
            // A clock that was set back shows other moments than before; one that stands still shows the same.
            let moment = now <= before && before - now < 0.001 ? before.nextUp : now
            let (isDone, current) = lastStoredAt.compareExchange(
                expected: last,
                desired: moment.bitPattern,
                ordering: .relaxed
            )
            if isDone { return moment }
            last = current
        }
    }

    private func put(
        _ candidate: Candidate,
        _ watch: KeyWatch?,
        inMemory: Bool,
        disk: DiskTier?
    ) -> PutOutcome {
        var (candidate, failure) = (candidate, StorageError?.none)
        let forms = forms(of: candidate.entry.body, inMemory: inMemory, disk: disk, &failure)
        watches.note(candidate.digest)
        let (isRemoved, hadTrouble, isBacklogged, drained) = state.withLock { state in
            // Changes by this store and by others are applied under the same lock, so the watch is exact here.
            if watch?.isInvalidated(for: candidate.entry.stored) == true {
                candidate.entry.stored = candidate.entry.stored.invalidated()
            }
            let isRemoved = watch?.isCleared == true
            if !isRemoved {
                state.place(candidate, forms, disk: disk)
            } else if let file = forms.disk?.file, file != 0 {
                state.chores.files.append(file)
            }
            let isBacklogged = disk != nil && state.isBacklogged
            let needsDrain = state.trouble == nil && state.shouldScheduleDrain()
            return (isRemoved, state.trouble != nil, isBacklogged, needsDrain ? state.disk : nil)
        }
        if let disk, isBacklogged || forms.disk != nil && (hadTrouble || isDoubtful(forms, disk)) {
            // Producers that outrun the writer help it. If the disk failed before, or may be full, this write is awaited.
            // The drain that was announced under the lock may be that of a folder that was opened meanwhile.
            drainNow(drained ?? disk)
        } else if let drained {
            sendDrain(drained)
        } else if hadTrouble {
            scheduleDrain()
        }
        return isRemoved ? .refused(.removed) : outcome(candidate, forms, failure)
    }

    /// Returns the content in the form of each tier that is to store it; a tier that fails is left out.
    private func forms(
        of body: StoredBody,
        inMemory: Bool,
        disk: DiskTier?,
        _ failure: inout StorageError?
    ) -> Forms {
        var forms = Forms()
        do throws(StorageError) {
            if inMemory { forms.memory = .bytes(try body.readAll()) }
        } catch {
            failure = error
        }
        do throws(StorageError) {
            if let disk { forms.disk = try diskForm(of: body, in: disk) }
        } catch {
            failure = error
        }
        return forms
    }

    /// Whether an entry that is stored nowhere else may not find room on the disk.
    private func isDoubtful(_ forms: Forms, _ disk: DiskTier) -> Bool {
        forms.memory == nil && disk.paths.isShortOfSpace
    }

    private func outcome(_ candidate: Candidate, _ forms: Forms, _ failure: StorageError?) -> PutOutcome {
        if forms.disk == nil, forms.memory != nil { return .stored(Self.memoryAlone) }
        return state.withLock { state in
            var tiers: Set<StorageTier> = forms.memory == nil ? [] : [.memory]
            let isOnDisk = forms.disk != nil && (state.trouble == nil || state.isOnDisk(candidate))
            if isOnDisk { tiers.insert(.disk) }
            guard tiers.isEmpty else { return .stored(tiers) }
            if let cause = failure ?? state.trouble { return .refused(.failed(cause)) }
            return .refused(.noTier)
        }
    }

    private static let memoryAlone: Set<StorageTier> = [.memory]

    private func removeOlder(_ candidate: Candidate) {
        let variant = candidate.entry.stored.variant
        state.withLock { $0.removeOlder(digest: candidate.digest, variant: variant) }
        scheduleDrain()
    }

    /// Returns the content as the disk tier stores it: bytes for a row, or a body file with its number.
    private func diskForm(of body: StoredBody, in disk: DiskTier) throws(StorageError) -> DiskForm {
        guard body.count > DiskTier.largestRowBody else {
            return DiskForm(body: .bytes(try body.readAll()), file: 0)
        }
        if case .file(let spooled) = body, spooled.path.hasPrefix(disk.paths.bodies), spooled.claim() {
            return try fileForm { () throws(StorageError) in (spooled, try disk.paths.keep(spooled)) }
        }
        let bytes = try body.readAll()
        return try fileForm { () throws(StorageError) in
            let file = try disk.paths.write(bytes)
            _ = file.claim()
            return (file, try disk.paths.keep(file))
        }
    }

    private func fileForm(
        _ write: () throws(StorageError) -> (StoredFile, UInt64)
    ) throws(StorageError) -> DiskForm {
        do throws(StorageError) {
            let (file, number) = try write()
            note(fileFailure: nil)
            return DiskForm(body: .file(file), file: number)
        } catch {
            note(fileFailure: error)
            throw error
        }
    }
}

/// An entry to be stored, with the values that are computed from it outside of the lock.
struct Candidate {
    var entry: CacheEntry
    let metadata: EntryMetadata
    let metadataSize: Int
    /// Its cost in the memory tier, in bytes.
    let memoryCost: Int
    let digest: UInt64
    let variant: UInt64
    let origin: UInt64
    let labels: [UInt64]

    /// Its size in the disk tier, in bytes.
    var size: Int { entry.body.count + metadataSize }

    init(_ entry: CacheEntry, storedAt: Double, _ labelling: Labelling) {
        var entry = entry
        entry.storedSeconds = storedAt
        entry.stored = entry.stored.holding(contentLength: entry.body.count)
        self.init(entry, labelling)
    }

    init(_ entry: CacheEntry, _ labelling: Labelling) {
        self.entry = entry
        metadata = EntryMetadata(entry)
        metadataSize = metadata.encodedSize
        digest = StoreState.digest(entry.stored.key)
        variant = StoreState.digest(entry.stored.variant)
        origin = StoreState.digest(origin: entry.stored.origin)
        labels = labelling.labels(of: entry.stored)
        memoryCost = MemoryCost.of(
            entry.stored,
            bodyCount: entry.body.count,
            metadataSize: metadataSize,
            labels: labels.count
        )
    }
}

/// Content as the tiers store it; `nil` for a tier that does not.
struct Forms {
    var memory: StoredBody?
    var disk: DiskForm?
}

/// Content as the disk tier stores it.
struct DiskForm {
    var body: StoredBody
    var file: UInt64
}
