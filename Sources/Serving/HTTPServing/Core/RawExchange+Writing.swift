import CLibrary
import Locks

/// The steps that write, which continue when the socket is writable.
extension RawExchange {
    /// Writes one step's bytes; returns false if the caller must not continue.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes.dropFirst(state.withLock { $0.offset })
        while !rest.isEmpty {
            switch Socket.send(socket, rest) {
            case .bytes(let count):
                note(rest.prefix(count))
                rest = rest.dropFirst(count)
            case .full:
                block(at: bytes.count - rest.count)
                return false
            case .failed:
                return abort()
            }
        }
        state.withLock { $0.offset = 0 }
        return true
    }

    /// Writes one step's content as it is produced; returns false if the caller must not continue.
    func produce(_ producer: ContentProducer) -> Bool {
        var offset = state.withLock { $0.offset }
        let turn = offset + 16 * ContentProducer.pieceSize
        while offset < producer.count {
            // Limited, because a client that reads as fast as the server writes would block the thread.
            if offset >= turn {
                block(at: offset)
                return false
            }
            let limit = min(offset + ContentProducer.pieceSize, producer.count)
            guard let bytes = producer.bytes(offset..<limit), bytes.count == limit - offset else {
                return abort()
            }
            switch Socket.send(socket, bytes) {
            case .bytes(let count):
                note(bytes.prefix(count))
                offset += count
            case .full:
                block(at: offset)
                return false
            case .failed:
                return abort()
            }
        }
        state.withLock { $0.offset = 0 }
        return true
    }

    private func note(_ written: ArraySlice<UInt8>) {
        state.withLock { $0.bytesSent += written.count }
        reply.onWritten?(written)
    }

    /// Ends the exchange after a failed write, unless it has ended; returns false, as the caller must not continue.
    private func abort() -> Bool {
        if state.withLock({ $0.leave([]) }) { end(.aborted) }
        return false
    }

    /// Continues the same step from a position when the socket is writable.
    private func block(at offset: Int) {
        state.withLock { state in
            state.offset = offset
            state.step -= 1
            state.mode = .blocked
        }
        server.watcher.watch(self, socket: socket, for: .writable)
    }
}
