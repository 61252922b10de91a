import CacheSemantics

/// An entry, or new metadata of one, that waits to be written.
struct PendingWrite: Sendable {
    /// The entry as lookups see it; of a written one whose metadata changed, only the metadata counts.
    var metadata: EntryMetadata
    /// How many bytes `metadata` will be.
    var metadataSize: Int
    /// What it is found by beside its key.
    var labels: [UInt64]
    /// The content, unless it is on disk already.
    var body: StoredBody?
    /// Tells it from what was to be written before.
    var stamp: UInt64 = 0
    /// How much memory it holds.
    var cost: Int { metadataSize + (body?.residentCount ?? 0) }
}

/// One transaction's worth of work.
struct WriteBatch: Sendable {
    struct Item: Sendable {
        var record: DiskIndex.Record
        var write: PendingWrite
    }

    var items: [Item] = []
    var changes: [StorageChange] = []
    /// Written records that are to be validated before reuse.
    var invalidated: [DiskIndex.Record] = []
    var files: [UInt64] = []
    var used: [DiskIndex.Record] = []

    var isEmpty: Bool {
        items.isEmpty && changes.isEmpty && invalidated.isEmpty && files.isEmpty && used.isEmpty
    }

    /// Whether a row that was there before is never to be used again as it was.
    var withdraws: Bool { !invalidated.isEmpty || changes.contains { $0.kind.withdraws } }

    /// Whether a row or a body would be written, and not only a file be removed.
    var needsDatabase: Bool {
        !(items.isEmpty && changes.isEmpty && invalidated.isEmpty && used.isEmpty)
    }
}

extension StoredBody {
    /// Bytes that are in memory for it.
    var residentCount: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}
