#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why the store could not do what it was asked to.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, as a verb: "open", "write".
    public let operation: String
    /// The file or folder it was tried on.
    public let path: String
    /// The cause, in the system's or SQLite's words.
    public let reason: String
    /// Whether what is stored is not what it was, which no failed call of the system says.
    package let isDamage: Bool

    /// Creates an error.
    public init(operation: String, path: String, reason: String) {
        self.operation = operation
        self.path = path
        self.reason = reason
        isDamage = false
    }

    /// Creates the error of something stored that is not what it was.
    package init(damaged path: String, reason: String) {
        operation = "read"
        self.path = path
        self.reason = reason
        isDamage = true
    }

    /// One sentence that names operation, file and cause.
    public var description: String { "Cannot \(operation) \(path): \(reason)." }

    /// The error of the system call that has just failed.
    static func system(_ operation: String, _ path: String, code: Int32 = errno) -> StorageError {
        StorageError(operation: operation, path: path, reason: String(cString: strerror(code)))
    }
}
