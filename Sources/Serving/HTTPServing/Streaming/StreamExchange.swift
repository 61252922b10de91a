import Locks

/// The client of an exchange has disconnected.
public struct ClientDisconnected: Error, Sendable, Hashable {
    /// Creates the error.
    public init() {}
}

/// One request and its response; may be used from any thread, by one task at a time for each direction.
public final class StreamExchange: Sendable {
    /// Commands to the loop.
    enum Command {
        case readContent
        case write([UInt8])
        case finish(isPersistent: Bool)
        case abort(resets: Bool)
    }
    /// The end of the content.
    enum ContentEnd: Equatable {
        case complete
        case refused(RequestProblem)
        case lost
    }
    private struct State {
        var commands: [Command] = []
        var isPosted = false
        /// The number of bytes that were written but are not in the socket yet.
        var queued = 0
        var writer: UnsafeContinuation<Void, Never>?
        var pieces: [[UInt8]] = []
        var piecesCount = 0
        var contentEnd: ContentEnd?
        var contentReader: UnsafeContinuation<Void, Never>?
        var isReading = false
        var isGone = false
        var isFinished = false
        var onGone: (@Sendable () -> Void)?
    }
    private static let highWater = 64 << 10
    private static let lowWater = 32 << 10

    /// The request's head.
    public let request: StreamRequest
    let connection: StreamConnection
    private let state = Lock(State())

    init(_ request: StreamRequest, connection: StreamConnection) {
        self.request = request
        self.connection = connection
        if !request.hasContent { state.withLock { $0.contentEnd = .complete } }
    }

    /// Calls `action` if the client disconnects before the exchange has ended; at once if it has already.
    public func onGone(_ action: @escaping @Sendable () -> Void) {
        let isGone = state.withLock { state in
            if !state.isGone { state.onGone = action }
            return state.isGone
        }
        if isGone { action() }
    }

    /// Whether all content has been received.
    public var hasWholeContent: Bool { state.withLock { $0.contentEnd == .complete } }

    /// Whether content was requested that the client has not sent yet.
    public var awaitsContent: Bool {
        state.withLock { $0.isReading && $0.pieces.isEmpty && $0.contentEnd == nil }
    }

    /// The reason why the content was refused while it was received; `nil` if it was not.
    public var contentProblem: RequestProblem? {
        state.withLock { state in
            if case .refused(let problem) = state.contentEnd { problem } else { nil }
        }
    }

    /// Returns the next piece of the content, `nil` at its end; sends 100 (Continue) if the client waits for it.
    public func nextPiece() async throws -> [UInt8]? {
        while true {
            let (piece, end, asks) = state.withLock { Self.takePiece(&$0) }
            if asks { post(.readContent) }
            if let piece { return piece }
            switch end {
            case .complete: return nil
            case .refused, .lost: throw ClientDisconnected()
            case nil: await waitForContent()
            }
        }
    }

    /// Writes bytes unchanged; waits while the client is slow to read.
    public func write(_ bytes: [UInt8]) async throws(ClientDisconnected) {
        state.withLock { $0.queued += bytes.count }
        guard post(.write(bytes)) else { throw ClientDisconnected() }
        await waitForRoom()
        if state.withLock({ $0.isGone }) { throw ClientDisconnected() }
    }

    /// Writes bytes without waiting; returns false if the client has disconnected.
    @discardableResult
    public func writeNow(_ bytes: [UInt8]) -> Bool {
        state.withLock { $0.queued += bytes.count }
        return post(.write(bytes))
    }

    /// Ends the exchange; with `isPersistent` another request may follow on the connection.
    public func finish(isPersistent: Bool) { post(.finish(isPersistent: isPersistent)) }

    /// Aborts the exchange and closes the connection, so that the client detects an incomplete response; with a reset if content
    /// that ends with the connection would otherwise seem complete.
    public func abort(resets: Bool = false) { post(.abort(resets: resets)) }

    @discardableResult
    private func post(_ command: Command) -> Bool {
        let (isGone, posts) = state.withLock { state in
            guard !state.isGone else { return (true, false) }
            state.commands.append(command)
            defer { state.isPosted = true }
            return (false, !state.isPosted)
        }
        if posts { connection.loop.post(.exchange(self)) }
        return !isGone
    }

    private static func takePiece(_ state: inout State) -> ([UInt8]?, ContentEnd?, asks: Bool) {
        guard !state.pieces.isEmpty else {
            let asks = !state.isReading && state.contentEnd == nil
            if asks { state.isReading = true }
            return (nil, state.contentEnd, asks)
        }
        let piece = state.pieces.removeFirst()
        state.piecesCount -= piece.count
        let asks = !state.isReading && state.contentEnd == nil && state.piecesCount < lowWater
        if asks { state.isReading = true }
        return (piece, nil, asks)
    }

    private func waitForContent() async {
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.pieces.isEmpty, state.contentEnd == nil else { return false }
                state.contentReader = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    private func waitForRoom() async {
        guard state.withLock({ $0.queued > Self.highWater && !$0.isGone }) else { return }
        await withUnsafeContinuation { continuation in
            let waits = state.withLock { state in
                guard state.queued > Self.highWater, !state.isGone else { return false }
                state.writer = continuation
                return true
            }
            if !waits { continuation.resume() }
        }
    }
}

// MARK: - The loop's side

extension StreamExchange {
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { (state.commands, state.isPosted) = ([], false) }
            return state.commands
        }
    }

    /// Adds content; returns false if no more is needed for now.
    func receive(_ piece: [UInt8]) -> Bool {
        let (shouldContinue, reader) = state.withLock { state in
            state.pieces.append(piece)
            state.piecesCount += piece.count
            state.isReading = state.piecesCount < Self.highWater
            defer { state.contentReader = nil }
            return (state.isReading, state.contentReader)
        }
        reader?.resume()
        return shouldContinue
    }

    func endContent(_ end: ContentEnd) {
        let reader = state.withLock { state in
            state.contentEnd = state.contentEnd ?? end
            defer { state.contentReader = nil }
            return state.contentReader
        }
        reader?.resume()
    }

    func sent(_ count: Int) {
        let writer = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            state.queued -= count
            guard state.queued <= Self.lowWater else { return nil }
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
    }

    /// Called when the exchange has ended.
    func over() {
        state.withLock { state in
            state.isFinished = true
            state.onGone = nil
        }
    }

    /// Called when the client has disconnected.
    func gone() {
        let (writer, reader, action) = state.withLock { state in
            state.isGone = true
            state.contentEnd = state.contentEnd ?? .lost
            defer { (state.writer, state.contentReader, state.onGone) = (nil, nil, nil) }
            return (state.writer, state.contentReader, state.isFinished ? nil : state.onGone)
        }
        writer?.resume()
        reader?.resume()
        action?()
    }
}
