import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension ServerConnection {
    /// What a connection is waiting for; known to those who look after its time.
    enum Stage {
        /// The next request.
        case idle
        /// The rest of a head.
        case head
        /// The rest of the content, of which so many bytes have come.
        case content(Int)
        /// The server: whoever answers has the connection.
        case busy
        /// Its end: its time is over, and the client has been told.
        case expired
    }

    /// Has the connection wait for something from now on; false where its time was over before.
    @discardableResult
    func enter(_ stage: Stage) -> Bool {
        place.withLock { place in
            if case .expired = place.stage { return false }
            (place.stage, place.since) = (stage, Self.now)
            return true
        }
    }

    /// Notes that content has come.
    func countContent(_ count: Int) {
        place.withLock { place in
            if case .content = place.stage { place.stage = .content(count) }
        }
    }

    /// Ends the connection if its time is over; never while it is answered.
    func expire(_ limits: TimeLimits) {
        place.withLock { place in
            guard place.socket >= 0 else { return }
            let time = Duration.nanoseconds(Self.now - place.since)
            switch place.stage {
            case .busy: return
            case .expired: shutdown(place.socket, CInt(SHUT_RDWR))
            case .head where time > limits.head: refuse(&place)
            case .content(let count) where time > limits.content(of: count): refuse(&place)
            case .idle where time > limits.idle: shutdown(place.socket, CInt(SHUT_RDWR))
            // Of a connection's first request the beginning of its first line can be seen, too.
            case .idle where time > limits.head && place.isNew && Socket.hasReceived(place.socket):
                refuse(&place)
            default: return
            }
        }
    }

    /// Answers by hand, under the lock that keeps everybody else from answering; neither call blocks.
    private func refuse(_ place: inout Place) {
        _ = Socket.send(place.socket, Self.timeout[...])
        // The client has until the next look to take the answer.
        shutdown(place.socket, CInt(SHUT_WR))
        (place.stage, place.since) = (.expired, Self.now)
    }

    /// Nanoseconds since the machine started, to the timer's tick.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static let timeout: [UInt8] = {
        let text = RequestProblem.tooSlow.explanation + "\n"
        return Array(
            """
            HTTP/1.1 408 Request Timeout\r
            \(FieldName.contentType): text/plain; charset=utf-8\r
            \(FieldName.contentLength): \(text.utf8.count)\r
            \(FieldName.connection): close\r
            \r
            \(text)
            """.utf8
        )
    }()
}
