import Locks

/// Content on its way into the store: in memory at first, in a file of the store's folder once it is large.
///
/// For one writer at a time. A spool that goes away without `finish()` leaves nothing behind.
public final class BodySpool: Sendable {
    private struct State {
        /// What is not in the file, in order; whoever else has a large piece shares its bytes.
        var pieces: [[UInt8]] = []
        var heldCount = 0
        var count = 0
        var writer: BodyFileWriter?
        var isOver = false
    }
    private let state = Lock(State())
    private let paths: StoragePaths?
    /// Pieces that are together no larger are put into one.
    private let gathered: Int

    /// Without `paths`, everything stays in memory.
    init(paths: StoragePaths?, expectedSize: Int?) {
        self.paths = paths
        gathered = min(max(expectedSize ?? 0, 16 << 10), DiskTier.largestRowBody)
    }

    deinit { discard() }

    /// Bytes appended so far.
    public var count: Int { state.withLock { $0.count } }

    /// Bytes of these that are in memory.
    public var heldCount: Int { state.withLock { $0.heldCount } }

    /// Whether all of it stays in memory, however large it gets.
    public var isHeldWhole: Bool { paths == nil }

    /// Appends bytes; throws when they had to go to a file and could not, after which nothing can be stored.
    public func append(_ bytes: [UInt8]) throws(StorageError) {
        let isFull = state.withLock { state in
            guard !state.isOver, !bytes.isEmpty else { return false }
            if let last = state.pieces.indices.last, state.pieces[last].count + bytes.count <= gathered {
                state.pieces[last] += bytes
            } else {
                state.pieces.append(bytes)
            }
            state.count += bytes.count
            state.heldCount += bytes.count
            return state.heldCount > DiskTier.largestRowBody
        }
        if isFull, let paths { try spill(to: paths, all: false) }
    }

    /// Appends bytes; throws when they had to go to a file and could not, after which nothing can be stored.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) { try append([UInt8](bytes)) }

    /// Returns the content; the spool takes no more.
    ///
    /// Throws when its end could not be written, or when the spool was discarded.
    public func finish() throws(StorageError) -> StoredBody {
        if let paths, state.withLock({ $0.writer != nil }) { try spill(to: paths, all: true) }
        let (isOver, writer, pieces) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.isOver, state.writer, state.pieces)
        }
        guard !isOver else {
            throw StorageError(operation: "finish", path: "a body", reason: "it was discarded or is finished")
        }
        return if let writer { .file(try writer.finish()) } else { .bytes(Self.joined(pieces)) }
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
        let (old, bytes, count) = state.withLock { state in
            let bytes = Self.joined(state.pieces)
            let count = all ? bytes.count : bytes.count / StoredFile.blockSize * StoredFile.blockSize
            state.pieces = count < bytes.count ? [Array(bytes[count...])] : []
            state.heldCount = bytes.count - count
            return (state.writer, bytes, count)
        }
        var writer = old
        do throws(StorageError) {
            var open: BodyFileWriter
            if let writer { open = writer } else { open = try BodyFileWriter(paths) }
            writer = open
            try bytes.withBytes { (bytes) throws(StorageError) in
                try open.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            state.withLock { $0.writer = open }
        } catch {
            writer?.discard()
            state.withLock { $0 = State(isOver: true) }
            throw error
        }
    }

    private static func joined(_ pieces: [[UInt8]]) -> [UInt8] {
        if pieces.count == 1 { return pieces[0] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { bytes += piece }
        return bytes
    }
}
