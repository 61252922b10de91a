import Clocks
import Cmicrohttpd

/// Requests whose content is read with stops or at a limited rate.
///
/// libmicrohttpd suspends the connection meanwhile, which needs no thread.
extension ServerCore {
    /// Performs the stops before the first byte of the content.
    func beginReading(_ connection: ServerConnection, _ handle: OpaquePointer) -> MHD_Result {
        guard let reading = connection.reading.take() else { return .YES }
        // Time limits do not apply while the server delays the client.
        connection.stage.enter(.busy)
        connection.pace = ReadingPace(reading, now: reading.clock.elapsed)
        return goOn(connection, handle)
    }

    /// Performs the stops at the head; libmicrohttpd repeats the first call of a connection suspended in it.
    func goOn(_ connection: ServerConnection, _ handle: OpaquePointer) -> MHD_Result {
        switch stop(connection, handle) {
        case .none: return .YES
        case .answered(let result): return result
        case .paused:
            connection.phase = .resuming
            return .YES
        }
    }

    /// Adds content until reading is paused; returns the number of bytes that were used.
    ///
    /// libmicrohttpd offers the rest again only after a pause.
    func readPaced(
        _ bytes: UnsafeRawBufferPointer,
        _ connection: ServerConnection,
        _ handle: OpaquePointer
    ) -> (taken: Int, result: MHD_Result) {
        var taken = 0
        while true {
            switch stop(connection, handle) {
            case .none: break
            case .paused: return (taken, .YES)
            case .answered(let result): return (taken, result)
            }
            guard taken < bytes.count, var pace = connection.pace else { return (taken, .YES) }
            let clock = pace.reading.clock
            let count = connection.body.count
            let share = pace.share(of: bytes.count - taken, after: count)
            let wait = pace.time(for: share, after: count, now: clock.elapsed)
            connection.body.append(contentsOf: bytes[taken..<(taken + share)])
            connection.pace = pace
            taken += share
            // A stop at this byte is performed when reading continues, or at the end of the request.
            if let wait, pause(connection, handle, pace.reading, { clock.schedule(after: wait, $0) }) {
                return (taken, .YES)
            }
        }
    }

    /// The result of a stop.
    enum Stop {
        /// Reading continues.
        case none
        /// The connection is suspended.
        case paused
        /// The connection was taken over, as for any response.
        case answered(MHD_Result)
    }

    /// Performs the stops at this position of the content.
    func stop(_ connection: ServerConnection, _ handle: OpaquePointer) -> Stop {
        while let action = connection.pace?.nextAction(after: connection.body.count),
            let reading = connection.pace?.reading
        {
            switch action {
            case .wait(let time):
                if pause(connection, handle, reading, { reading.clock.schedule(after: time, $0) }) {
                    return .paused
                }
            case .hold(let hold):
                if pause(connection, handle, reading, hold.wait) {
                    return .paused
                }
            case .write(let bytes): _ = Socket.send(cachecheck_connection_socket(handle), bytes[...])
            case .answer(let reply): return .answered(answer(connection, handle) { reply })
            }
        }
        return .none
    }

    /// Suspends the connection until the wake-up that `arrange` schedules; false if there is nothing to wait for.
    private func pause(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ reading: RequestReading,
        _ arrange: (@escaping @Sendable () -> Void) -> Sleeper?
    ) -> Bool {
        let place = Handle(pointer: handle)
        let made = pauses.suspend(handle) { number in
            ReadingPause(number: number, peerPort: connection.peer.port) { [pauses] pause in
                reading.observer?.readingResumed(pause)
                pauses.forget(pause)
                MHD_resume_connection(place.pointer)
            }
        }
        guard let pause = made else { return false }
        if let sleeper = arrange({ pause.resume() }) { pause.wakes(by: sleeper) } else { pause.resume() }
        // Last, because the observer may advance the clock at once.
        reading.observer?.readingPaused(pause)
        return true
    }
}

/// libmicrohttpd's handle of a connection.
private struct Handle: @unchecked Sendable {
    // Reason: it is only passed to libmicrohttpd, which allows resuming a connection from any thread.
    let pointer: OpaquePointer
}
