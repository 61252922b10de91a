import GRDB
import GRDBSQLite

/// A value to bind to a statement of SQLite.
enum SQLValue {
    case integer(Int64)
    case real(Double)
    case blob([UInt8])
    case null

    /// Returns a 64-bit pattern as an integer.
    static func bits(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }
}

/// Binding and reading without boxing, and without typed decoding, which may trap: a damaged file may hold any type.
extension Statement {
    /// Runs a statement that returns no rows.
    func run(_ values: [SQLValue]) throws {
        defer { finish() }
        try bind(values)
        while try step() {}
    }

    /// Runs `body` on the first row; returns `nil` if there is none.
    func first<Result>(_ values: [SQLValue], _ body: () throws -> Result) throws -> Result? {
        defer { finish() }
        try bind(values)
        return try step() ? try body() : nil
    }

    /// Runs `body` on every row.
    func each(_ values: [SQLValue], _ body: () throws -> Void) throws {
        defer { finish() }
        try bind(values)
        while try step() { try body() }
    }

    /// Returns the integer in a column; zero if it contains another type.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(sqliteStatement, column) }

    /// Returns the number in a column; zero if it contains another type.
    func real(_ column: Int32) -> Double { sqlite3_column_double(sqliteStatement, column) }

    /// Returns the 64-bit pattern in a column.
    func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    /// Calls `body` with the bytes of a column, which are valid during the call only.
    func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let bytes = sqlite3_column_blob(sqliteStatement, column)
        let count = Int(sqlite3_column_bytes(sqliteStatement, column))
        return body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func bind(_ values: [SQLValue]) throws {
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(sqliteStatement, index, number)
                case .real(let number): sqlite3_bind_double(sqliteStatement, index, number)
                case .blob(let bytes): bind(bytes, at: index)
                case .null: sqlite3_bind_null(sqliteStatement, index)
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    private func bind(_ bytes: [UInt8], at place: Int32) -> Int32 {
        // A null pointer would bind NULL.
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(sqliteStatement, place, 0) }
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return bytes.withUnsafeBytes {
            sqlite3_bind_blob(sqliteStatement, place, $0.baseAddress, Int32($0.count), copied)
        }
    }

    private func step() throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw failure(code)
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(code, on: sqlite3_db_handle(sqliteStatement))
    }

    private func finish() {
        sqlite3_reset(sqliteStatement)
        sqlite3_clear_bindings(sqliteStatement)
    }
}

extension DatabaseError {
    /// Creates the error of the last call on a connection, in the words of SQLite, which name a missing table.
    init(_ code: Int32, on connection: OpaquePointer?) {
        let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        self.init(resultCode: ResultCode(rawValue: code), message: message)
    }
}
