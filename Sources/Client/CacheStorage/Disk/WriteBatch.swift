import CacheSemantics

/// An entry that waits to be written, or the new metadata of one.
struct PendingWrite: Sendable {
    /// The entry as lookups see it; only the metadata counts if a written entry was changed.
    var metadata: EntryMetadata
    /// The size of the encoded `metadata`, in bytes.
    var metadataSize: Int
    /// The labels by which it is found besides its key.
    var labels: [UInt64]
    /// The content, unless it is already on disk.
    var body: StoredBody?
    /// Distinguishes it from earlier pending writes.
    var stamp: UInt64 = 0
    /// The memory it occupies, in bytes.
    var cost: Int { metadataSize + (body?.residentCount ?? 0) }
}

/// The work of one transaction.
struct WriteBatch: Sendable {
    struct Item: Sendable {
        var record: DiskIndex.Record
        var write: PendingWrite
    }

    var items: [Item] = []
    var changes: [StorageChange] = []
    /// Written records that must be validated before reuse.
    var invalidated: [DiskIndex.Record] = []
    var files: [UInt64] = []
    var used: [DiskIndex.Record] = []
    /// The number of rows that may record uses.
    var maximumUseRows = 0

    var isEmpty: Bool {
        items.isEmpty && changes.isEmpty && invalidated.isEmpty && files.isEmpty && used.isEmpty
    }

    /// Whether the previous state of an existing row must never be used again.
    var withdraws: Bool { !invalidated.isEmpty || changes.contains { $0.kind.withdraws } }

    /// Whether a row or a body would be written, rather than only files removed.
    var needsDatabase: Bool {
        !(items.isEmpty && changes.isEmpty && invalidated.isEmpty && used.isEmpty)
    }
}

extension StoredBody {
    /// The number of bytes in memory.
    var residentCount: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}
