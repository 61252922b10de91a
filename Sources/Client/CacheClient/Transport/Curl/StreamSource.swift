import CacheSemantics
import Locks

/// Content from an asynchronous stream: a task fills a small buffer and libcurl empties it; each waits for the other.
final class StreamSource: UploadSource, Sendable {
    private struct State {
        var pending: [UInt8] = []
        var offset = 0
        var taken = 0
        /// The number of bytes that the stream has produced.
        var produced = 0
        var end: UploadPiece?
        var isReaderWaiting = false
        var writer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
        var begin: (@Sendable () -> Task<Void, Never>)?
    }
    private static let limitBytes = 256 << 10
    private let state = Lock(State())
    let length: Int?

    init(_ stream: UploadStream) { length = stream.length?.bytes }

    /// Prepares to read `stream` once content is requested, which may depend on the server's 100 (Continue).
    ///
    /// `resume` is called when a read has returned `later` and there is more.
    func prepare(
        _ stream: UploadStream,
        executor: (any TaskExecutor)?,
        resume: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.begin = {
                Task(executorPreference: executor) { await self.fill(from: stream, resume: resume) }
            }
        }
    }

    private func beginIfNeeded() {
        let begin = state.withLock { state in
            defer { state.begin = nil }
            return state.begin
        }
        guard let begin else { return }
        let task = begin()
        state.withLock { $0.task = task }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece {
        beginIfNeeded()
        let (step, writer) = state.withLock { Self.take(&$0, buffer, length: length) }
        writer?.resume()
        return step
    }

    func rewind(to offset: Int) -> Bool { state.withLock { $0.taken == offset } }

    /// Stops reading the stream of a request that is over.
    func stop() {
        let (task, writer) = state.withLock { state in
            state.end = state.end ?? .bytes(0)
            state.begin = nil
            defer { state.writer = nil }
            return (state.task, state.writer)
        }
        task?.cancel()
        writer?.resume()
    }

    private static func take(
        _ state: inout State,
        _ buffer: UnsafeMutableRawBufferPointer,
        length: Int?
    ) -> (UploadPiece, CheckedContinuation<Void, Never>?) {
        // The last byte completes the request, so it waits until the stream ends there: a longer one is not cut off.
        let isWhole = if case .bytes = state.end { true } else { false }
        let rest = length.map { (isWhole ? $0 : $0 - 1) - state.taken } ?? .max
        let count = min(buffer.count, state.pending.count - state.offset, rest)
        guard count > 0 else {
            state.isReaderWaiting = state.end == nil
            return (state.end ?? .later, nil)
        }
        buffer.copyBytes(from: state.pending[state.offset..<state.offset + count])
        state.offset += count
        state.taken += count
        guard state.offset == state.pending.count else { return (.bytes(count), nil) }
        state.pending.removeAll(keepingCapacity: true)
        state.offset = 0
        defer { state.writer = nil }
        return (.bytes(count), state.writer)
    }

    private func fill(from stream: UploadStream, resume: @escaping @Sendable () -> Void) async {
        do {
            try await stream.forEach { piece in
                guard self.add(piece, resume) else { return false }
                if let length = self.length, self.state.withLock({ $0.produced }) > length { return false }
                await self.waitForRoom()
                return self.state.withLock { $0.end == nil }
            }
            finish(end(), resume)
        } catch {
            finish(
                .failed(
                    TransportError(
                        .bodyExhausted,
                        "The request content could not be read to the end: \(error)."
                    )
                ),
                resume
            )
        }
    }

    /// Returns the result after the last byte of the stream: an error if the number of bytes is not the announced one.
    private func end() -> UploadPiece {
        let produced = state.withLock { $0.produced }
        guard let length, produced != length else { return .bytes(0) }
        let found = produced > length ? "more than \(length)" : "\(produced)"
        return .failed(
            TransportError(
                .bodyExhausted,
                "The request content has \(found) bytes, and its length was given as \(length)."
            )
        )
    }

    /// Appends a chunk; returns false if the request has ended, though the sequence may still produce chunks.
    private func add(_ piece: [UInt8], _ resume: () -> Void) -> Bool {
        let (isWanted, wakes) = state.withLock { state in
            guard state.end == nil else { return (false, false) }
            state.pending += piece
            state.produced += piece.count
            // The reader of nothing would wait again, and for the next piece in vain.
            guard !piece.isEmpty else { return (true, false) }
            defer { state.isReaderWaiting = false }
            return (true, state.isReaderWaiting)
        }
        if wakes { resume() }
        return isWanted
    }

    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.pending.count - state.offset >= Self.limitBytes, state.end == nil,
                    state.produced != length
                else { return false }
                state.writer = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    private func finish(_ step: UploadPiece, _ resume: () -> Void) {
        let wakes = state.withLock { state in
            state.end = state.end ?? step
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting
        }
        if wakes { resume() }
    }
}
