@testable import CacheStorage
import GRDB
import Testing
import TestSupport

@Suite("The log is copied into the database beside the writer")
struct LogCheckpointerTests {
    @Test("The log begins anew after each checkpoint, and so does not grow with what is written")
    func log() throws {
        let folder = try TestFolder()
        let paths = StoragePaths(directory: folder.path)
        try paths.create()
        var damage: [StorageDamage] = []
        let writer = try DiskSchema.open(paths.database, damage: &damage)
        defer { _ = Result { try writer.close() } }
        var logs: [Int] = []
        for round in 1...4 {
            let checkpointer = LogCheckpointer(paths.database)
            try write(round, writer)
            writer.writeWithoutTransaction { db in checkpointer.didWrite(db) }
            // Waits for it.
            checkpointer.close()
            #expect(contents(paths.database).count > round * Self.bytes)
            logs.append(contents(paths.database + "-wal").count)
        }
        #expect(logs.allSatisfy { $0 < 2 * Self.bytes })
    }

    @Test("A commit copies nothing itself")
    func commit() throws {
        let folder = try TestFolder()
        let paths = StoragePaths(directory: folder.path)
        try paths.create()
        var damage: [StorageDamage] = []
        let writer = try DiskSchema.open(paths.database, damage: &damage)
        defer { _ = Result { try writer.close() } }
        try write(1, writer)
        #expect(contents(paths.database).count < Self.bytes)
    }

    /// More than the pages between two checkpoints.
    private static let bytes = 9 << 20

    private func write(_ number: Int, _ writer: DatabaseQueue) throws {
        try writer.write { db in
            try db.execute(
                sql:
                    "INSERT INTO content (id, metadata_sum, body_sum, uri, metadata, body) VALUES (?, 0, 0, x'', x'', zeroblob(?))",
                arguments: [number, Self.bytes]
            )
        }
    }
}
