import Clocks
import HTTPServing
import Locks

/// The exchanges of a namespace in order of arrival: all of them, or the last ones in a ring of reused buffers.
final class Journal: Sendable {
    private struct Slot {
        var exchange = RecordedExchange(ServedRequest(method: "", target: ""), at: 0, keeping: .max)
        /// The request of a prepared response; otherwise unused.
        var head = HeadBytes()
        var isPrepared = false
        var revision = 0
    }
    /// The text of a request's head, in buffers that are reused.
    private struct HeadBytes {
        var method: [UInt8] = []
        var target: [UInt8] = []
        var fieldLines: [UInt8] = []
    }
    private struct State {
        var slots: [Slot] = []
        var count = 0
        /// Number of the exchange in the first slot, while the ring is not full.
        var first = 1
        /// Number of the last change.
        var revision = 0
        /// The clients that wait for events, by a number of their own.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watcherCount = 0

        func notifyWatchers() {
            for watcher in watchers.values { watcher.yield() }
        }

        mutating func changed(_ place: Int) {
            revision += 1
            slots[place].revision = revision
        }

        /// Counts an exchange and returns its place; `nil` if none is kept.
        mutating func nextPlace(_ size: Int) -> Int? {
            count += 1
            guard size > 0 else { return nil }
            if slots.count < size { slots.append(Slot()) }
            return (count - first) % size
        }
    }
    private let size: Int
    private let state = Lock(State())
    /// The bytes of a request's content that are kept.
    let contentLimit: Int

    /// Creates a journal of the last `size` exchanges, each with the first 64 KiB of its content; `nil` keeps everything.
    init(size: Int?) {
        self.size = size.map { max($0, 0) } ?? .max
        contentLimit = size == nil ? .max : 64 << 10
    }

    // MARK: Recording

    /// Records a request that a prepared response answers; allocates nothing once the ring is warm.
    func add(
        _ head: RequestHead,
        at wallSeconds: Double,
        _ answer: PreparedAnswer,
        _ response: PreparedResponse
    ) {
        state.withLock { state in
            guard let place = state.nextPlace(size) else { return }
            Self.fill(&state.slots[place], head, target: answer.target)
            let route = answer.source.label
            if state.slots[place].exchange.route != route { state.slots[place].exchange.route = route }
            state.slots[place].exchange.number = state.count
            state.slots[place].exchange.arrivedSeconds = wallSeconds
            state.slots[place].exchange.status = response.status
            state.slots[place].exchange.answerFields = response.fields
            state.slots[place].exchange.bytesSent = response.bytes.count
            state.changed(place)
            state.notifyWatchers()
        }
    }

    private static func fill(_ slot: inout Slot, _ head: RequestHead, target: [UInt8]) {
        replace(&slot.head.method, head.method)
        target.withUnsafeBufferPointer { replace(&slot.head.target, $0) }
        replace(&slot.head.fieldLines, head.fieldLines)
        if !slot.isPrepared {
            slot.exchange = Slot().exchange
            slot.isPrepared = true
        }
        slot.exchange.request.connection = head.connection
        slot.exchange.request.peerPort = head.peerPort
        slot.exchange.request.requestsBefore = head.requestsBefore
        slot.exchange.isAborted = false
    }

    private static func replace(_ bytes: inout [UInt8], _ new: UnsafeBufferPointer<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: new)
    }

    /// Records an exchange and returns its number.
    func add(_ exchange: RecordedExchange) -> Int {
        state.withLock { state in
            if let place = state.nextPlace(size) {
                state.slots[place].exchange = exchange
                state.slots[place].exchange.number = state.count
                state.slots[place].isPrepared = false
                state.changed(place)
            }
            state.notifyWatchers()
            return state.count
        }
    }

    /// Records the head of a response, which may be decided later.
    func answered(_ number: Int, _ reply: ComposedReply) {
        let status = reply.finalStatus
        let (interim, ending) = (reply.interimResponses, reply.ending.journalText)
        change(number) { exchange in
            if let status { (exchange.status, exchange.answerFields) = (status, reply.head.fields) }
            exchange.interimResponses += interim
            exchange.ending = ending
        }
    }

    /// Records the head of a response of an upstream.
    func passed(_ number: Int, status: Int, fields: [ServedField]) {
        change(number) { ($0.status, $0.answerFields) = (status, fields) }
    }

    /// Records how an exchange ended.
    func ended(_ number: Int, _ end: ExchangeEnd, bytesSent: Int) {
        change(number) { ($0.bytesSent, $0.isAborted) = (bytesSent, end == .aborted) }
    }

    /// Records that the responses on a connection after the first `whole` were not sent completely.
    func wereCut(connection: UInt64, after whole: Int) {
        state.withLock { state in
            for place in state.slots.indices {
                let request = state.slots[place].exchange.request
                guard request.connection == connection, request.requestsBefore >= whole else { continue }
                state.slots[place].exchange.bytesSent = nil
                state.slots[place].exchange.isAborted = true
                state.changed(place)
            }
            state.notifyWatchers()
        }
    }

    /// Changes an exchange unless it has been overwritten.
    private func change(_ number: Int, _ body: (inout RecordedExchange) -> Void) {
        guard size > 0 else { return }
        state.withLock { state in
            let place = (number - state.first) % size
            guard state.slots.indices.contains(place), state.slots[place].exchange.number == number else {
                return
            }
            body(&state.slots[place].exchange)
            state.changed(place)
            state.notifyWatchers()
        }
    }

    /// Removes all exchanges; numbering continues.
    func clear() {
        state.withLock { state in
            (state.slots, state.first) = ([], state.count + 1)
            state.notifyWatchers()
        }
    }

    // MARK: News

    /// Notifies waiting readers of an event that is not an exchange.
    func notifyWatchers() { state.withLock { $0.notifyWatchers() } }

    /// Returns a stream like `news()` that ends after a duration on a clock.
    func news(for time: Duration, of clock: any TimeSource) -> AsyncStream<Void> {
        let (stream, sink) = watch()
        let sleeper = clock.schedule(after: time) { sink.finish() }
        let forget = sink.onTermination
        sink.onTermination = { reason in
            sleeper.cancel()
            forget?(reason)
        }
        return stream
    }

    /// Returns a stream of one element at once and one whenever something was noted.
    func news() -> AsyncStream<Void> { watch().stream }

    private func watch() -> (stream: AsyncStream<Void>, sink: AsyncStream<Void>.Continuation) {
        let (stream, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.watcherCount += 1
            state.watchers[state.watcherCount] = sink
            return state.watcherCount
        }
        sink.onTermination = { [weak self] _ in self?.forget(number) }
        sink.yield()
        return (stream, sink)
    }

    private func forget(_ watcher: Int) {
        // Released outside the lock, because ending the stream calls this method again.
        _ = state.withLock { $0.watchers.removeValue(forKey: watcher) }
    }

    // MARK: Reading

    /// Returns the exchanges, the oldest first.
    func entries() -> [RecordedExchange] {
        changes(after: -1).entries
    }

    /// Returns the exchanges that changed after a revision, oldest first, and the current revision.
    func changes(after revision: Int) -> (entries: [RecordedExchange], revision: Int) {
        let (slots, last) = state.withLock { state in
            (state.slots.filter { $0.revision > revision }, state.revision)
        }
        return (slots.map(Self.exchange).sorted { $0.number < $1.number }, last)
    }

    private static func exchange(_ slot: Slot) -> RecordedExchange {
        guard slot.isPrepared else { return slot.exchange }
        var exchange = slot.exchange
        exchange.request.method = String(decoding: slot.head.method, as: UTF8.self)
        exchange.request.target = String(decoding: slot.head.target, as: UTF8.self)
        exchange.request.fields = ServedField.lines(slot.head.fieldLines[...])
        return exchange
    }
}
