import CLibrary
import CacheSemantics
import Locks

/// Reads a multipart body piece by piece; files are open only while they are read.
final class MultipartStream: Sendable {
    private enum Step {
        case bytes([UInt8])
        case file(String)
    }
    private struct State {
        var steps: [Step]
        var next = 0
        var file: OpenFile?
        /// The remainder of bytes that are returned in pieces.
        var rest: ArraySlice<UInt8> = []
        var sent = 0
    }
    private let length: ByteCount
    private let onProgress: (@Sendable (TransferProgress) -> Void)?
    private static let pieceBytes = 64 << 10
    private let state: Lock<State>

    init(_ body: MultipartBody, length: ByteCount) {
        self.length = length
        onProgress = body.onProgress
        var steps: [Step] = []
        for part in body.parts {
            steps.append(.bytes(body.head(of: part)))
            switch part.source {
            case .bytes(let bytes): steps.append(.bytes(bytes))
            case .file(let path): steps.append(.file(path))
            }
            steps.append(.bytes(MultipartBody.lineEnd))
        }
        state = Lock(State(steps: steps + [.bytes(body.closing)]))
    }

    /// Returns the next piece, never empty; `nil` at the end.
    ///
    /// Called by one reader at a time, so no caller waits for the lock while a file is read.
    func next() throws(FetchError) -> [UInt8]? {
        let (piece, sent) = try nextPiece()
        onProgress?(TransferProgress(completed: .bytes(sent), total: length))
        return piece
    }

    /// Returns the next piece, and the number of bytes returned before it, which have been sent.
    private func nextPiece() throws(FetchError) -> (piece: [UInt8]?, sent: Int) {
        try state.withLock { state throws(FetchError) in
            let sent = state.sent
            let piece = try Self.advance(&state)
            state.sent += piece?.count ?? 0
            return (piece, sent)
        }
    }

    private static func advance(_ state: inout State) throws(FetchError) -> [UInt8]? {
        while true {
            if !state.rest.isEmpty {
                let piece = state.rest.prefix(pieceBytes)
                state.rest = state.rest.dropFirst(piece.count)
                return Array(piece)
            }
            if let file = state.file {
                let piece = try file.read(pieceBytes)
                if !piece.isEmpty { return piece }
                state.file = nil
            }
            guard state.next < state.steps.count else { return nil }
            switch state.steps[state.next] {
            case .bytes(let bytes): state.rest = bytes[...]
            case .file(let path): state.file = try OpenFile(reading: path)
            }
            state.next += 1
        }
    }
}

/// A file open for reading, closed with its last reference.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    init(reading path: String) throws(FetchError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FetchError(reading: path, errno) }
    }

    /// Opens a file; `nil` if it does not exist.
    init?(ifExists path: String) throws(FetchError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw FetchError(reading: path, errno) }
    }

    deinit { close(descriptor) }

    /// Reads up to `limit` bytes; returns none at the end.
    func read(_ limit: Int) throws(FetchError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let read = readSome(descriptor, buffer.baseAddress, limit)
            failure = read < 0 ? errno : 0
            count = max(read, 0)
        }
        if failure != 0 { throw FetchError(reading: path, failure) }
        return bytes
    }

    /// Reads the rest of the file.
    func readAll() throws(FetchError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try read(64 << 10)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}

/// Calls `read` of the C library, whose name a method hides.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
