import CacheSemantics
import GRDB
import Locks

extension CacheStore {
    /// Returns the target URIs of all stored responses.
    ///
    /// Reads all metadata of the disk tier, which takes time. Throws if it cannot be read.
    public func targetURIs() throws(StorageError) -> Set<String> {
        flush()
        let (uris, disk) = state.withLock { state in
            (Set(state.memory.digests.compactMap { state.targetURI($0) }), state.disk)
        }
        guard let disk else { return uris }
        do {
            return try uris.union(disk.targetURIs())
        } catch {
            handle(error, disk, operation: "read")
            throw disk.failure("read", error)
        }
    }
}

extension StoreState {
    fileprivate func targetURI(_ digest: UInt64) -> String? {
        memory.group(digest: digest).map { memory[group: $0].key.targetURI }
    }
}

extension DiskTier {
    /// Returns the target URIs of all rows; damaged rows are left out.
    fileprivate func targetURIs() throws -> Set<String> {
        try writer.unsafeRead { db in
            let statement = try db.cachedStatement(sql: "SELECT metadata FROM content")
            var uris: Set<String> = []
            try statement.each([]) {
                let stored = statement.withBlob(0) { EntryMetadata($0, isInvalidated: false) }?.stored
                if let stored { uris.insert(stored.key.targetURI) }
            }
            return uris
        }
    }
}
