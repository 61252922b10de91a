extension CacheEngine {
    /// Returns the response to store: on its own, or combined with the response stored for its key and variant (RFC 9111
    /// §3.4); `nil` if the stored response remains unchanged.
    ///
    /// Applies `joining(_:to:isPrefix:)` to the content of both, in memory. `isPrefix` is whether `new` is the beginning
    /// of a full response, which was interrupted.
    public func joined(_ new: StoredContent, to old: StoredContent?, isPrefix: Bool = false) -> StoredContent?
    {
        joined(new, to: old, joining(new.response, to: old?.response, isPrefix: isPrefix))
    }

    /// Returns the response to store after a decision about `old`, the response stored for its key and variant; `nil` if
    /// `old` remains unchanged.
    func joined(_ new: StoredContent, to old: StoredContent?, _ joining: Joining) -> StoredContent? {
        switch joining {
        case .keep: return nil
        case .replace(let response):
            return StoredContent(response, content: new.content, serialNumber: new.serial)
        case .freshen(let response):
            return old.map { StoredContent(response, content: $0.content, serialNumber: $0.serial) }
        case .combine(let response):
            guard let old, let content = combined(old, new) else {
                return joined(new, to: nil)?.invalidated(response.isInvalidated)
            }
            return StoredContent(response, content: content, serialNumber: new.serial)
        }
    }

    /// Returns the bytes of both, in order; `nil` if they differ where they overlap, so that one of them is wrong.
    private func combined(_ old: StoredContent, _ new: StoredContent) -> [UInt8]? {
        guard let held = old.response.parts, let added = new.response.parts, let union = held.union(added)
        else { return nil }
        var content: [UInt8] = []
        for range in union.ranges {
            var position = range.first
            while position <= range.last {
                guard let piece = new.bytes(from: position) ?? old.bytes(from: position, before: added) else {
                    return nil
                }
                content += piece
                position += Int64(piece.count)
            }
        }
        return agree(old, new) ? content : nil
    }

    private func agree(_ old: StoredContent, _ new: StoredContent) -> Bool {
        guard let held = old.response.parts, let added = new.response.parts else { return false }
        return held.ranges.allSatisfy { mine in
            added.ranges.allSatisfy { theirs in
                let first = max(mine.first, theirs.first)
                guard let shared = ByteRange(first: first, last: min(mine.last, theirs.last)) else {
                    return true
                }
                return old.response.bytes(shared, from: old.content)
                    == new.response.bytes(shared, from: new.content)
            }
        }
    }
}

extension StoredContent {
    /// Returns the bytes from a position to the end of the stored range, or to where `other` begins to have them.
    fileprivate func bytes(from position: Int64, before other: StoredParts? = nil) -> ArraySlice<UInt8>? {
        guard let held = response.parts?.ranges.first(where: { $0.first <= position && position <= $0.last })
        else { return nil }
        let next = other?.ranges.first { $0.first > position }?.first ?? .max
        guard let range = ByteRange(first: position, last: min(held.last, next - 1)) else { return nil }
        return response.bytes(range, from: content)
    }
}
