import CLibrary

/// An operation of the store that failed.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that was tried, as a verb: "open", "write".
    public let operation: String
    /// The file or folder of the operation.
    public let path: String
    /// The cause, in the system's or SQLite's words.
    public let reason: String
    /// Whether stored data has changed, which no failed system call reports.
    package let isDamage: Bool

    /// Creates an error.
    public init(operation: String, path: String, reason: String) {
        self.operation = operation
        self.path = path
        self.reason = reason
        isDamage = false
    }

    /// Creates the error for stored data that has changed.
    package init(damaged path: String, reason: String) {
        operation = "read"
        self.path = path
        self.reason = reason
        isDamage = true
    }

    /// One sentence with operation, file and cause.
    public var description: String { "Cannot \(operation) \(path): \(reason)." }

    /// Returns the error of the system call that has just failed.
    static func system(_ operation: String, _ path: String, code: Int32 = errno) -> StorageError {
        StorageError(operation: operation, path: path, reason: String(cString: strerror(code)))
    }
}
