import CacheSemantics

/// What happened to stored entries, as other processes on the folder must hear of it.
struct StorageChange: Sendable {
    enum Kind: Int64, Sendable {
        /// A row went because room was needed; copies in memory stay true.
        case evicted = 0
        /// A row went because it was removed or damaged; with no row, what is in memory goes all the same.
        case removed = 1
        /// All variants of a key must be validated before reuse.
        case invalidated = 2
        /// Everything went.
        case cleared = 3
        /// What was stored later than a moment went.
        case removedSince = 4
        /// A row has new metadata.
        case freshened = 5
        /// A row went because a newer one takes its place.
        case replaced = 6
    }

    var kind: Kind
    var row: Int64 = 0
    var digest: UInt64 = 0
    var variant: UInt64 = 0
    var moment: Double = 0
}

/// An entry, or new metadata of one, that waits to be written.
struct PendingWrite: Sendable {
    /// The entry as lookups see it; of a written one whose metadata changed, only the metadata counts.
    var metadata: EntryMetadata
    /// How many bytes `metadata` will be.
    var metadataSize: Int
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
    var invalidatedRows: [Int64] = []
    var files: [UInt64] = []
    var used: [DiskIndex.Record] = []

    var isEmpty: Bool {
        items.isEmpty && changes.isEmpty && invalidatedRows.isEmpty && files.isEmpty && used.isEmpty
    }

    /// Whether a row or a body would be written, and not only a file be removed.
    var needsDatabase: Bool {
        !(items.isEmpty && changes.isEmpty && invalidatedRows.isEmpty && used.isEmpty)
    }
}

extension StoredBody {
    /// Bytes that are in memory for it.
    var residentCount: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}
