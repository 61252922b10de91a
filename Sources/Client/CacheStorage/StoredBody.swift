/// The content of an entry: immutable and shared.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StoredBody: Sendable {
    /// All bytes in memory.
    case bytes([UInt8])
    /// Bytes in a file that is kept open, so that they stay readable after the entry is removed.
    case file(StoredFile)

    /// Size in bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.count
        }
    }

    /// Whether the content is still what it was when the entry was found or stored; content in memory always is.
    var isUnchanged: Bool {
        if case .file(let file) = self { file.isUnchanged } else { true }
    }

    /// Returns up to `count` bytes starting at `offset`; fewer only at the end, none beyond it.
    public func read(from offset: Int, count: Int) throws(StorageError) -> [UInt8] {
        switch self {
        case .bytes(let bytes):
            let start = min(max(offset, 0), bytes.count)
            return Array(bytes[start..<(start + min(max(count, 0), bytes.count - start))])
        case .file(let file): return try file.read(from: offset, count: count)
        }
    }

    /// Returns all bytes.
    public func readAll() throws(StorageError) -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let file): try file.read(from: 0, count: file.count)
        }
    }
}
