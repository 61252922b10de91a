import CacheSemantics
import GRDB
import GRDBSQLite

/// A connection that reads rows of content, for one thread at a time.
///
/// It does not use GRDB's queue: handing a read to another thread costs more than the read.
final class RowReader: @unchecked Sendable {
    // Reason: the caller that takes it out of `RowReaders` has exclusive use of it.
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    /// The folder's generation at the start of the open read transaction; `nil` if none is open.
    private var held: UInt64?

    /// Opens the database at `path`, which must exist.
    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError(code, on: opened)
        }
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, DiskSchema.busyMilliseconds)
        var prepared: OpaquePointer?
        var result = sqlite3_exec(opened, "PRAGMA cache_size = \(DiskSchema.readerCacheSize)", nil, nil, nil)
        if result == SQLITE_OK {
            let sql = "SELECT metadata_sum, body_sum, metadata, body FROM content WHERE id = ?"
            let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
            result = sqlite3_prepare_v3(opened, sql, -1, persistent, &prepared, nil)
        }
        guard result == SQLITE_OK, let prepared else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError(result, on: opened)
        }
        connection = opened
        statement = prepared
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close_v2(connection)
    }

    /// The steps of SQLite's virtual machine taken by all reads together.
    var steps: Int { Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// Reads a row as of the folder's `generation`; returns `nil` if it is gone.
    ///
    /// The row is expected to belong to `key`, which is not checked; the text of the key then need not be created
    /// again. The read transaction stays open until `rest()`, so that the next read needs no file lock.
    func content(
        row: Int64,
        of key: CacheKey,
        isInvalidated: Bool,
        _ generation: UInt64
    ) throws -> ContentRow? {
        let isHeld = held == generation
        do {
            if !isHeld { try hold(generation) }
            if let content = try read(row, key, isInvalidated) { return content }
            // A row may have been written since, by a process that has not announced its generation yet.
            guard isHeld else { return nil }
            try hold(generation)
            return try read(row, key, isInvalidated)
        } catch {
            rest()
            throw error
        }
    }

    /// Ends the open read transaction.
    func rest() {
        guard held != nil else { return }
        held = nil
        // A read transaction has nothing to write that could fail.
        sqlite3_exec(connection, "COMMIT", nil, nil, nil)
    }

    private func hold(_ generation: UInt64) throws {
        rest()
        let code = sqlite3_exec(connection, "BEGIN", nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, on: connection) }
        held = generation
    }

    private func read(_ row: Int64, _ key: CacheKey, _ isInvalidated: Bool) throws -> ContentRow? {
        defer { sqlite3_reset(statement) }
        sqlite3_bind_int64(statement, 1, row)
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return content(key, isInvalidated)
        case SQLITE_DONE: return nil
        case let code: throw DatabaseError(code, on: connection)
        }
    }

    private func content(_ key: CacheKey, _ isInvalidated: Bool) -> ContentRow {
        let metadata = bytes(2)
        let isIntact = ByteHash.sum(metadata) == bits(0)
        return ContentRow(
            bodySum: bits(1),
            metadata: isIntact ? EntryMetadata(metadata, of: key, isInvalidated: isInvalidated) : nil,
            isMetadataIntact: isIntact,
            body: sqlite3_column_type(statement, 3) == SQLITE_NULL ? nil : [UInt8](bytes(3))
        )
    }

    private func bits(_ column: Int32) -> UInt64 {
        UInt64(bitPattern: sqlite3_column_int64(statement, column))
    }

    /// Returns the bytes in a column, valid until the statement is reset.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}

extension CacheStore {
    /// Name and version of the library that implements the disk tier.
    public static var libraryVersion: String { "SQLite \(String(cString: sqlite3_libversion()))" }
}
