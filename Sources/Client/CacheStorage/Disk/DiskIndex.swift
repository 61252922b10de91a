import CacheSemantics

/// Whether a request selects a variant on disk.
enum VariantMatch {
    case none
    /// Only its metadata can decide.
    case possible
    case selected
}

/// The slot of a variant that a request may select.
struct ChosenSlot: Sendable, Hashable {
    let slot: Int
    /// Whether the request certainly selects it.
    let isSelected: Bool
}

/// An in-memory index of the disk tier: enough to answer a miss, to find a row and to choose what to evict.
///
/// A value without I/O. The variants of one key form a linked list.
struct DiskIndex: Sendable {
    /// The known facts about one entry on disk.
    struct Record: Sendable {
        var digest: UInt64
        var variant: UInt64
        var size: Int
        var storedAt: Double
        /// The number of its body file; zero if the content is in the row.
        var file: UInt64
        var isInvalidated: Bool
        /// The number of its `Vary` in the index (`VaryTable`).
        var vary = VaryTable.unread
        /// The digest of its origin; zero if it was not recorded.
        var origin: UInt64 = 0
        /// Its row; zero while it waits to be written.
        var row: Int64 = 0
        /// Never used twice in one process, unlike slots.
        var serial: UInt64 = 0
        /// Counts the changes of its metadata and flags in this process.
        var revision: UInt32 = 0
        /// The time of its last use, counted in uses.
        var used: Int64 = 0
        /// The time of its last use as recorded in its row.
        var writtenUse: Int64 = 0
        /// The stamp of the body file when its content was checked; zero if it was not.
        var verified: UInt64 = 0
        var next: Int32 = -1

        /// The digest of the fields of its row that must be correct; a wrong size or use only wastes space.
        var sum: UInt64 {
            let parts = [
                digest, variant, storedAt.bitPattern, file, isInvalidated ? 1 : 0, origin,
            ]
            return parts.withUnsafeBytes { ByteHash.sum($0) }
        }
    }

    /// Bytes in use.
    private(set) var usage = 0
    /// Number of entries.
    private(set) var count = 0
    /// Number of entries whose body is a file.
    private(set) var fileCount = 0
    /// The time of the last use of any entry, counted in uses.
    private(set) var lastUse: Int64 = 0
    /// The number of uses that the rows do not reflect.
    private(set) var unwrittenUses = 0
    private var lastWrittenUse: Int64 = 0
    private var lastSerial: UInt64 = 0
    private var recency = RecencyList()
    private var records: [Record] = []
    private var firstByDigest: [UInt64: Int32] = [:]
    private var varies = VaryTable()

    /// Creates an empty index.
    init() {}

    /// Creates an empty index that continues the serial numbers of `other`.
    init(after other: DiskIndex) {
        lastSerial = other.lastSerial
    }

    /// The slot of the least recently used record.
    var oldest: Int? { recency.oldest }

    /// The record in `slot`.
    subscript(slot: Int) -> Record { records[slot] }

    /// Whether there is a record in `slot`.
    func has(slot: Int) -> Bool { records.indices.contains(slot) }

    /// Whether a key has any record.
    func has(_ digest: UInt64) -> Bool { firstByDigest[digest] != nil }

    /// Returns the slots of a key.
    func slots(_ digest: UInt64) -> [Int] {
        guard var slot = firstByDigest[digest] else { return [] }
        var slots: [Int] = []
        while slot >= 0 {
            slots.append(Int(slot))
            slot = records[Int(slot)].next
        }
        return slots
    }

    /// Returns the slots of the variants of a key that `match` accepts, and the number of all its variants.
    ///
    /// `match` gets the number of a variant's `Vary` and the variant's digest.
    func slots(_ digest: UInt64, _ match: (_ vary: Int32, _ variant: UInt64) -> VariantMatch) -> (
        slots: [ChosenSlot], count: Int
    ) {
        var (slots, count): ([ChosenSlot], Int) = ([], 0)
        var slot = firstByDigest[digest] ?? -1
        while slot >= 0 {
            let place = Int(slot)
            let found = match(records[place].vary, records[place].variant)
            if found != VariantMatch.none {
                slots.append(ChosenSlot(slot: place, isSelected: found == .selected))
            }
            count += 1
            slot = records[place].next
        }
        return (slots, count)
    }

    /// Whether a key has more than one variant.
    func hasSeveral(_ digest: UInt64) -> Bool {
        guard let slot = firstByDigest[digest] else { return false }
        return records[Int(slot)].next >= 0
    }

    /// Returns the number of variants of a key.
    func count(of digest: UInt64) -> Int {
        var count = 0
        var slot = firstByDigest[digest] ?? -1
        while slot >= 0 {
            count += 1
            slot = records[Int(slot)].next
        }
        return count
    }

    /// Returns the `Vary` with this number, which a record has.
    func vary(_ number: Int32) -> Vary { varies[number] }

    /// Sets the `Vary` of a record whose metadata has been read, unless it is already known.
    mutating func setVaryIfUnread(of stored: StoredResponse, in slot: Int) {
        if records[slot].vary == VaryTable.unread { setVary(of: stored, in: slot) }
    }

    /// Sets the `Vary` of a record; with `nil`, its metadata has to be read first.
    mutating func setVary(of stored: StoredResponse?, in slot: Int) {
        varies.release(records[slot].vary)
        records[slot].vary = stored.map { varies.take($0) } ?? VaryTable.unread
    }

    /// Returns the time of another use.
    mutating func nextUse() -> Int64 {
        lastUse += 1
        return lastUse
    }

    /// Returns the slot of one variant of a key.
    func slot(_ digest: UInt64, variant: UInt64) -> Int? {
        slots(digest).first { records[$0].variant == variant }
    }

    /// Returns the slot of the record with this serial number.
    func slot(_ digest: UInt64, serial: UInt64) -> Int? {
        slots(digest).first { records[$0].serial == serial }
    }

    /// Adds a record as the most recently used; returns its slot.
    @discardableResult
    mutating func insert(_ record: Record) -> Int {
        let slot = recency.add()
        lastSerial += 1
        lastUse = max(lastUse + 1, record.used)
        var record = record
        record.serial = lastSerial
        record.used = lastUse
        record.next = firstByDigest[record.digest] ?? -1
        if slot < records.count { records[slot] = record } else { records.append(record) }
        firstByDigest[record.digest] = Int32(slot)
        usage += record.size
        count += 1
        fileCount += record.file == 0 ? 0 : 1
        return slot
    }

    /// Removes and returns the record in `slot`.
    @discardableResult
    mutating func remove(_ slot: Int) -> Record {
        let record = records[slot]
        unchain(slot, record)
        varies.release(record.vary)
        records[slot].serial = 0
        recency.remove(slot)
        usage -= record.size
        count -= 1
        fileCount -= record.file == 0 ? 0 : 1
        return record
    }

    /// Makes `slot` the most recently used, if it still contains the record with this serial number.
    @inline(__always)
    mutating func touch(_ slot: Int, serial: UInt64) {
        guard slot < records.count, records[slot].serial == serial else { return }
        guard recency.newest != slot else {
            // The row need not record this use, but entries that are only in memory may have been used in between.
            records[slot].used = lastUse
            return
        }
        recency.touch(slot)
        lastUse += 1
        records[slot].used = lastUse
        unwrittenUses += 1
    }

    /// Sets the row to which the record was written.
    mutating func setRow(_ row: Int64, of slot: Int, writtenUse: Int64) {
        records[slot].row = row
        records[slot].writtenUse = writtenUse
    }

    /// Updates the size of a record and whether it must be validated before reuse, after a change of its metadata.
    mutating func revise(_ slot: Int, size: Int, isInvalidated: Bool) {
        usage += size - records[slot].size
        records[slot].size = size
        records[slot].isInvalidated = isInvalidated
        records[slot].revision &+= 1
    }

    /// Records that the body file was found unchanged.
    mutating func setVerified(_ mark: UInt64, of slot: Int) {
        records[slot].verified = mark
    }

    /// Records that the rows reflect the order of use.
    mutating func markUsesWritten() {
        unwrittenUses = 0
        lastWrittenUse = lastUse
    }

    /// Returns the records whose rows have an earlier use, and regards them as written from now on.
    mutating func takeUnwrittenUses() -> [Record] {
        var found: [Record] = []
        var slot = recency.newest
        // The list is in the order of use, so older records need not be visited.
        while let current = slot, records[current].used > lastWrittenUse {
            if records[current].row != 0, records[current].writtenUse != records[current].used {
                found.append(records[current])
            }
            slot = recency.older(than: current)
        }
        markUsesWritten()
        return found
    }

    /// Returns the slots of the records that satisfy `isMeant`.
    func slots(_ isMeant: (Record) -> Bool) -> [Int] {
        records.indices.filter { records[$0].serial != 0 && isMeant(records[$0]) }
    }

    /// The slots in use, the most recently used first.
    var allSlots: [Int] {
        Array(
            sequence(state: recency.newest) { slot in
                defer { slot = slot.flatMap { recency.older(than: $0) } }
                return slot
            }
        )
    }

    private mutating func unchain(_ slot: Int, _ record: Record) {
        var previous: Int?
        for candidate in slots(record.digest) {
            if candidate == slot { break }
            previous = candidate
        }
        if let previous {
            records[previous].next = record.next
        } else {
            firstByDigest[record.digest] = record.next < 0 ? nil : record.next
        }
    }
}
