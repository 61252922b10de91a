import Clocks
import Cmicrohttpd

/// Requests whose content is read only as far as told.
///
/// libmicrohttpd suspends the connection meanwhile, which costs no thread.
extension ServerCore {
    /// Does what is due before the first byte of the content.
    func beginReading(
        _ connection: ServerConnection,
        _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        guard handler.pacesRequests, connection.hasContentAhead,
            let reading = handler.reading(of: connection.request(method: method))
        else { return .YES }
        // Who is held back by the server has time.
        connection.stage.enter(.busy)
        connection.pace = ReadingPace(reading, now: reading.clock.elapsed)
        return goOn(connection, handle)
    }

    /// Does what is due at the head; a connection that is suspended in its first call gets that call again.
    func goOn(_ connection: ServerConnection, _ handle: OpaquePointer) -> MHD_Result {
        switch stop(connection, handle) {
        case .none: return .YES
        case .answered(let result): return result
        case .paused:
            connection.phase = .resuming
            return .YES
        }
    }

    /// Takes in content until reading waits; returns how much was taken.
    ///
    /// libmicrohttpd offers again what was left only after a wait.
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
            // What stops at this byte happens when reading goes on, or at the request's end.
            if let wait, pause(connection, handle, pace.reading, { clock.schedule(after: wait, $0) }) {
                return (taken, .YES)
            }
        }
    }

    /// What came of a place where reading stops.
    enum Stop {
        /// Reading goes on.
        case none
        /// The connection is suspended.
        case paused
        /// The connection is another's, as after any answer.
        case answered(MHD_Result)
    }

    /// Does what is due at this place of the content.
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

    /// Suspends the connection until what `arrange` arranges; false where there is nothing to wait for.
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
        // Last: whoever sees that it waits may move the clock at once.
        reading.observer?.readingPaused(pause)
        return true
    }
}

/// libmicrohttpd's name for a connection.
private struct Handle: @unchecked Sendable {
    // Reason: it is only handed back to libmicrohttpd, which allows resuming a connection from any thread.
    let pointer: OpaquePointer
}
