import HTTPServing
import Locks
import MockOrigin

/// The steps of a reply between the connection to an upstream, which makes them, and that of the client, which performs them.
///
/// The producer waits while too much is queued, the consumer while nothing is.
final class ResponseQueue: Sendable {
    private struct State {
        var steps: [RawReply.Step] = []
        /// Bytes of these steps.
        var size = 0
        /// The end after the steps; `nil` while more may come.
        var ending: RawReply.Ending?
        /// Released when there is something to perform.
        var news = Hold()
        /// Released when there is room again.
        var room: Hold?
        var isFinished = false
        var stream: DuplexStream?
    }
    /// Bytes above which more is waited with.
    private static let maximumBytes = 256 << 10
    private let state = Lock(State())

    /// The reply, which may begin before anything has come.
    var reply: PassedReply {
        PassedReply(steps: waiting) { self.end() }
    }

    private var waiting: [RawReply.Step] {
        [.hold(state.withLock { $0.news }), .decide { self.take() }]
    }

    /// Returns the steps that have arrived, followed by a wait for more.
    private func take() -> RawReply.Rest {
        let (steps, ending, room) = state.withLock { state in
            defer { (state.steps, state.size, state.room, state.news) = ([], 0, nil, Hold()) }
            return (state.steps, state.ending, state.room)
        }
        room?.release()
        if let ending { return RawReply.Rest(steps, ending: ending) }
        return RawReply.Rest(steps + waiting, ending: .close)
    }

    /// Adds steps and waits for room; false if the client has gone.
    func add(_ steps: [RawReply.Step]) async -> Bool {
        let size = steps.reduce(0) { if case .write(let bytes) = $1 { $0 + bytes.count } else { $0 } }
        let (news, room) = state.withLock { state -> (Hold, Hold?) in
            state.steps += steps
            state.size += size
            if state.size > Self.maximumBytes { state.room = Hold() }
            return (state.news, state.room)
        }
        news.release()
        if let room { _ = await Waiting.forFirst([.release(of: room)]) }
        return !state.withLock { $0.isFinished }
    }

    /// Ends the reply after what was added.
    func finish(_ ending: RawReply.Ending) {
        let news = state.withLock { state in
            state.ending = state.ending ?? ending
            return state.news
        }
        news.release()
    }

    /// Answers in place of an upstream.
    func fail(_ status: Int, _ text: String) {
        let content = Array("cachecheck serve: \(text)\n".utf8)
        let head =
            "HTTP/1.1 \(status) \(ReasonPhrase.standard(status))\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        state.withLock { $0.steps.append(.write((Array(head.utf8) + content)[...])) }
        finish(.drainAndClose)
    }

    /// Notes the connection to the upstream; false if the client has gone.
    func use(_ stream: DuplexStream) -> Bool {
        state.withLock { state in
            state.stream = stream
            return !state.isFinished
        }
    }

    /// Ends the reply; the connection to the upstream is no longer needed.
    private func end() {
        let (stream, room) = state.withLock { state in
            state.isFinished = true
            defer { (state.stream, state.room) = (nil, nil) }
            return (state.stream, state.room)
        }
        stream?.interrupt()
        room?.release()
    }
}
