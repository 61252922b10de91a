import Locks

/// Content on its way into the store: in memory at first, in a file of the store's folder once it is large.
///
/// For one writer at a time. A spool that goes away without `finish()` leaves nothing behind.
public final class BodySpool: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var count = 0
        var writer: BodyFileWriter?
        var isOver = false
    }
    private let state = Lock(State())
    private let paths: StoragePaths?

    /// Without `paths`, everything stays in memory.
    init(paths: StoragePaths?, expectedSize: Int?) {
        self.paths = paths
        let expected = min(max(expectedSize ?? 0, 0), DiskTier.largestRowBody)
        if expected > 0 { state.withLock { $0.bytes.reserveCapacity(expected) } }
    }

    deinit { discard() }

    /// Bytes appended so far.
    public var count: Int { state.withLock { $0.count } }

    /// Appends bytes; throws when they had to go to a file and could not, after which nothing can be stored.
    public func append(_ bytes: [UInt8]) throws(StorageError) {
        try bytes.withBytes { (bytes) throws(StorageError) in try append(bytes) }
    }

    /// Appends bytes; throws when they had to go to a file and could not, after which nothing can be stored.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        let isFull = state.withLock { state in
            guard !state.isOver else { return false }
            state.bytes.append(contentsOf: bytes)
            state.count += bytes.count
            return state.bytes.count > DiskTier.largestRowBody
        }
        if isFull, let paths { try spill(to: paths, all: false) }
    }

    /// Returns the content; the spool takes no more.
    ///
    /// Throws when its end could not be written, or when the spool was discarded.
    public func finish() throws(StorageError) -> StoredBody {
        if let paths, state.withLock({ $0.writer != nil }) { try spill(to: paths, all: true) }
        let (isOver, writer, bytes) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.isOver, state.writer, state.bytes)
        }
        guard !isOver else {
            throw StorageError(operation: "finish", path: "a body", reason: "it was discarded or is finished")
        }
        return if let writer { .file(try writer.finish()) } else { .bytes(bytes) }
    }

    /// Removes what was appended; the spool takes no more.
    public func discard() {
        let writer = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.writer
        }
        writer?.discard()
    }

    /// Writes whole blocks, or everything, to the file.
    private func spill(to paths: StoragePaths, all: Bool) throws(StorageError) {
        var (writer, bytes) = state.withLock { state in
            let block = StoredFile.blockSize
            let count = all ? state.bytes.count : state.bytes.count / block * block
            defer { state.bytes.removeFirst(count) }
            return (state.writer, Array(state.bytes.prefix(count)))
        }
        do throws(StorageError) {
            var open: BodyFileWriter
            if let writer { open = writer } else { open = try BodyFileWriter(paths) }
            writer = open
            try bytes.withBytes { (bytes) throws(StorageError) in try open.append(bytes) }
            state.withLock { $0.writer = open }
        } catch {
            writer?.discard()
            state.withLock { $0 = State(isOver: true) }
            throw error
        }
    }
}
