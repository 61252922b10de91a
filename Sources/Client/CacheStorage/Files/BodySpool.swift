import Locks

/// A spool for content that is to be stored: in memory at first, in a file of the store's folder once it is large.
///
/// It supports one writer at a time. A spool that is released without `finish()` leaves no files behind.
public final class BodySpool: Sendable {
    private struct State {
        /// The pieces that are not in the file, in order; large pieces share their bytes with other owners.
        var pieces: [[UInt8]] = []
        var heldCount = 0
        var count = 0
        var writer: BodyFileWriter?
        var isFinished = false
    }
    private let state = Lock(State())
    private let paths: StoragePaths?
    /// The size in bytes up to which pieces are combined into one.
    private let gathered: Int
    private let onFailure: @Sendable (StorageError) -> Void

    /// Creates a spool; without `paths`, everything stays in memory.
    ///
    /// `onFailure` is called if bytes cannot be written to the file.
    init(
        paths: StoragePaths?,
        expectedSize: Int?,
        onFailure: @escaping @Sendable (StorageError) -> Void = { _ in }
    ) {
        self.paths = paths
        self.onFailure = onFailure
        gathered = min(max(expectedSize ?? 0, 16 << 10), DiskTier.largestRowBody)
    }

    deinit { discard() }

    /// Bytes appended so far.
    public var count: Int { state.withLock { $0.count } }

    /// The appended bytes that are in memory.
    public var heldCount: Int { state.withLock { $0.heldCount } }

    /// Whether all content stays in memory, regardless of its size.
    public var isHeldWhole: Bool { paths == nil }

    /// Appends bytes; throws if writing them to a file failed, after which nothing can be stored.
    public func append(_ bytes: [UInt8]) throws(StorageError) {
        let isFull = state.withLock { state in
            guard !state.isFinished, !bytes.isEmpty else { return false }
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

    /// Appends bytes; throws if writing them to a file failed, after which nothing can be stored.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) { try append([UInt8](bytes)) }

    /// Returns the content; the spool accepts no more bytes.
    ///
    /// Throws if the end of the content could not be written, or if the spool was discarded.
    public func finish() throws(StorageError) -> StoredBody {
        if let paths, state.withLock({ $0.writer != nil }) { try spill(to: paths, all: true) }
        let (isFinished, writer, pieces) = state.withLock { state in
            defer { state = State(isFinished: true) }
            return (state.isFinished, state.writer, state.pieces)
        }
        guard !isFinished else {
            throw StorageError(operation: "finish", path: "a body", reason: "it was discarded or is finished")
        }
        return if let writer { .file(try writer.finish()) } else { .bytes(Self.joined(pieces)) }
    }

    /// Removes the appended content; the spool accepts no more bytes.
    public func discard() {
        let writer = state.withLock { state in
            defer { state = State(isFinished: true) }
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
            state.withLock { $0 = State(isFinished: true) }
            onFailure(error)
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
