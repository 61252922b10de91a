import CLibrary
import Locks
import WireSyntax

extension ServerConnection {
    /// Ends the connection if a time limit has passed; never during a response.
    func expire(_ limits: TimeLimits) {
        let seen = stage.seen
        switch seen.kind {
        case .busy: return
        case .expired: cut()
        case .line where seen.time > limits.head, .head where seen.time > limits.head: refuse(seen)
        case .content where seen.time > limits.content(of: contentCount): refuse(seen)
        case .idle where seen.time > limits.firstLook: lookForLine(seen, limits)
        case .idle, .line, .head, .content: return
        }
    }

    /// Ends an idle connection whose time limit has passed, unless part of a request line has arrived, from which the time
    /// limit of the head counts.
    private func lookForLine(_ seen: ConnectionPhase.Seen, _ limits: TimeLimits) {
        place.withLock { socket in
            guard socket >= 0 else { return }
            if hasBegunRequest(socket) {
                _ = stage.move(from: seen, to: .line)
            } else if seen.time > limits.idle, stage.move(from: seen, to: .expired) {
                shutdown(socket, CInt(SHUT_RDWR))
            }
        }
    }

    /// Sends a raw response, under the lock that keeps the socket open; neither call blocks.
    private func refuse(_ seen: ConnectionPhase.Seen) {
        place.withLock { socket in
            guard socket >= 0, stage.move(from: seen, to: .expired) else { return }
            _ = Socket.send(socket, Self.timeout[...])
            // The client has until the next sweep to read the response.
            shutdown(socket, CInt(SHUT_WR))
        }
    }

    private static var timeout: [UInt8] {
        let text = RequestProblem.tooSlow.explanation + "\n"
        // By the machine's clock, as the limits are.
        let date = CivilTimestamp(secondsSinceEpoch: Int64(time(nil))).imfFixdate
        return Array(
            """
            HTTP/1.1 408 Request Timeout\r
            \(FieldName.date): \(date)\r
            \(FieldName.contentType): text/plain; charset=utf-8\r
            \(FieldName.contentLength): \(text.utf8.count)\r
            \(FieldName.connection): close\r
            \r
            \(text)
            """.utf8
        )
    }
}
