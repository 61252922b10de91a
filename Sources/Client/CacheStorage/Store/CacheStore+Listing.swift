package import CacheSemantics
import GRDB
import Locks

/// A stored response without its content, as a listing shows it.
package struct ListedResponse: Sendable {
    /// The stored response.
    package let stored: StoredResponse
    /// The number of bytes that it takes in its tier, at least those of its content.
    package let size: Int
}

extension CacheStore {
    /// Returns the target URIs of all stored responses.
    ///
    /// Reads all metadata of the disk tier, which takes time. Throws if it cannot be read.
    public func targetURIs() throws(StorageError) -> Set<String> {
        flush()
        let uris = state.withLock { state in Set(state.memory.digests.compactMap { state.targetURI($0) }) }
        return uris.union(try fromDisk { try $0.targetURIs() } ?? [])
    }

    /// Returns at most `count` stored responses: those in memory, most recently used first, then those that are on disk
    /// only, most recently written first.
    ///
    /// Using them does not count as a use. Throws if the disk tier cannot be read.
    package func listing(most count: Int) throws(StorageError) -> [ListedResponse] {
        flush()
        let inMemory = state.withLock { $0.memory.mostRecent(count) }
        let onDisk = try fromDisk { try $0.mostRecent(count) } ?? []
        let known = Set(inMemory.map(\.identity))
        return inMemory + onDisk.filter { !known.contains($0.identity) }.prefix(count - inMemory.count)
    }

    /// Queries the disk tier; returns `nil` without one.
    private func fromDisk<Result>(_ ask: (DiskTier) throws -> Result) throws(StorageError) -> Result? {
        guard let disk = state.withLock({ $0.disk }) else { return nil }
        do {
            return try ask(disk)
        } catch {
            handle(error, disk, operation: "read")
            throw disk.failure("read", error)
        }
    }
}

extension ListedResponse {
    /// Its identity within the store.
    fileprivate var identity: String { stored.key.targetURI + "\n" + stored.variant.text }
}

extension StoreState {
    fileprivate func targetURI(_ digest: UInt64) -> String? {
        memory.group(digest: digest).map { memory[group: $0].key.targetURI }
    }
}

extension MemoryTier {
    /// Returns at most `count` stored responses, most recently used first.
    fileprivate func mostRecent(_ count: Int) -> [ListedResponse] {
        newestNodes.prefix(count).compactMap { node in
            guard let number = group(digest: node.digest) else { return nil }
            let entry = self[group: number].entries.first { $0.entry.stored.variant == node.variant }?.entry
            return entry.map { ListedResponse(stored: $0.stored, size: $0.body.count) }
        }
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

    /// Returns at most `count` stored responses, most recently written first; damaged rows are left out.
    fileprivate func mostRecent(_ count: Int) throws -> [ListedResponse] {
        try writer.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT metadata, is_invalidated, size FROM content JOIN entry USING (id) ORDER BY id DESC LIMIT ?
                    """
            )
            var found: [ListedResponse] = []
            try statement.each([.integer(Int64(count))]) {
                let isInvalidated = statement.integer(1) != 0
                let metadata = statement.withBlob(0) { EntryMetadata($0, isInvalidated: isInvalidated) }
                guard let metadata else { return }
                found.append(ListedResponse(stored: metadata.stored, size: Int(statement.integer(2))))
            }
            return found
        }
    }
}
