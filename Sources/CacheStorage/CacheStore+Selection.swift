import CacheSemantics
import GRDB
import Locks

extension CacheStore {
    /// Removes everything whose target URI `isChosen` says; returns how many keys that were.
    ///
    /// Goes through all metadata of the disk tier, so that it takes time; on disk when it returns.
    @discardableResult
    public func remove(where isChosen: (_ targetURI: String) -> Bool) -> Int {
        flush()
        var keys = state.withLock { state in
            Set(
                state.memory.digests.compactMap { digest in
                    state.memory.group(digest: digest).map { state.memory[group: $0].key }
                }
            )
        }
        if let disk = state.withLock({ $0.disk }) { keys.formUnion(storedKeys(disk)) }
        let chosen = keys.filter { isChosen($0.targetURI) }
        for key in chosen {
            for located in ownEntries(for: key) { remove(key, located.entry.stored.variant) }
        }
        return chosen.count
    }

    private func storedKeys(_ disk: DiskTier) -> Set<CacheKey> {
        do {
            return try disk.keys()
        } catch {
            handle(error, disk, operation: "read")
            return []
        }
    }
}

extension DiskTier {
    /// The keys of all rows; what is damaged is left out.
    func keys() throws -> Set<CacheKey> {
        try writer.unsafeRead { db in
            let statement = try db.cachedStatement(sql: "SELECT metadata FROM content")
            var keys: Set<CacheKey> = []
            try statement.each([]) {
                if let key = statement.withBlob(0, { EntryMetadata.key($0) }) { keys.insert(key) }
            }
            return keys
        }
    }
}

extension EntryMetadata {
    /// Reads the key alone from the binary form.
    static func key(_ bytes: UnsafeRawBufferPointer) -> CacheKey? {
        var reader = ByteReader(bytes)
        guard reader.readByte() == version, let targetURI = reader.readText(), let content = reader.readText()
        else { return nil }
        return CacheKey(targetURI: targetURI, content: content)
    }
}
