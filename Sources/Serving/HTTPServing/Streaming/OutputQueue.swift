import CLibrary

/// A queue of content to write.
struct OutputQueue {
    private enum Piece {
        case bytes([UInt8])
        case file(any FileContent)
    }
    private var pieces: [Piece] = []
    private var place = 0
    private var offset = 0

    var isEmpty: Bool { place == pieces.count }

    mutating func append(_ bytes: [UInt8]) {
        if !bytes.isEmpty { pieces.append(.bytes(bytes)) }
    }

    mutating func append(_ file: any FileContent) {
        if file.count > 0 { pieces.append(.file(file)) }
    }

    /// Writes as much of the first piece as the socket accepts, up to `limit`; fails if a file has changed.
    mutating func writeFirst(to socket: CInt, limit: Int) -> Socket.Sent {
        let (sent, count) =
            switch pieces[place] {
            case .bytes(let bytes): (Socket.send(socket, bytes[offset...].prefix(limit)), bytes.count)
            case .file(let file):
                (Socket.send(socket, file, offset..<min(file.count, offset + limit)), file.count)
            }
        if case .bytes(let written) = sent { drop(written, of: count) }
        return sent
    }

    private mutating func drop(_ written: Int, of count: Int) {
        offset += written
        guard offset == count else { return }
        pieces[place] = .bytes([])
        offset = 0
        place += 1
        guard place == pieces.count else { return }
        pieces.removeAll(keepingCapacity: true)
        place = 0
    }
}
