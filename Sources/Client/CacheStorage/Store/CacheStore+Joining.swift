import CacheSemantics

extension CacheStore {
    private static let pieceBytes: Int64 = 64 << 10

    /// Returns the combined content of two incomplete responses (RFC 9111 §3.4).
    ///
    /// `nil` if they are not incomplete, or differ in bytes that both have: then one of them is wrong, and they must
    /// not be combined. Content is read piece by piece, regardless of its size.
    public func joined(_ old: CacheEntry, _ new: CacheEntry) throws(StorageError) -> StoredBody? {
        guard let held = HeldParts(old), let added = HeldParts(new),
            let union = held.parts.union(added.parts),
            try agree(held, added)
        else { return nil }
        let spool = spool(expectedSize: .bytes(Int(union.count)))
        do throws(StorageError) {
            for range in union.ranges {
                var position = range.first
                while position <= range.last {
                    let fresh = try added.read(from: position)
                    guard let piece = try fresh == nil ? held.read(from: position) : fresh else {
                        spool.discard()
                        return nil
                    }
                    try spool.append(piece)
                    position += Int64(piece.count)
                }
            }
            return try spool.finish()
        } catch {
            spool.discard()
            throw error
        }
    }

    /// Returns whether the bytes that both have are the same.
    private func agree(_ old: HeldParts, _ new: HeldParts) throws(StorageError) -> Bool {
        for range in new.parts.ranges {
            for other in old.parts.ranges {
                var position = max(range.first, other.first)
                let end = min(range.last, other.last)
                while position <= end {
                    let count = min(Self.pieceBytes, end - position + 1)
                    guard let mine = try new.read(from: position, count: count),
                        let theirs = try old.read(from: position, count: count), mine == theirs
                    else { return false }
                    position += count
                }
            }
        }
        return true
    }

    /// The bytes of an incomplete response, by position.
    private struct HeldParts {
        let parts: StoredParts
        private let body: StoredBody

        init?(_ entry: CacheEntry) {
            guard let parts = entry.stored.parts, parts.count == entry.body.count else { return nil }
            self.parts = parts
            body = entry.body
        }

        /// Returns the bytes from a position to the next gap, at most `count`; `nil` if there are none.
        func read(from position: Int64, count: Int64 = pieceBytes) throws(StorageError) -> [UInt8]? {
            guard let range = parts.ranges.first(where: { $0.first <= position && position <= $0.last }),
                let wanted = ByteRange(first: position, last: min(range.last, position + count - 1)),
                let offset = parts.offset(of: wanted)
            else { return nil }
            let bytes = try body.read(from: Int(offset), count: Int(wanted.count))
            return bytes.count == wanted.count ? bytes : nil
        }
    }
}
