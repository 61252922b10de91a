public import HTTPServing
import Clocks
import Locks

/// One exchange outside namespaces.
public struct JournalEntry: Sendable {
    /// Its number in the order of arrival, from 1.
    public var number: Int
    /// The request, with at most 64 KiB of its content.
    public var request: ServedRequest
    /// The size of the request's content in bytes.
    public var contentCount: Int
    /// The parsed content of the request, from its full length.
    public var content: RequestContent
    /// Arrival in seconds since 1970.
    public var arrivedAt: Double
    /// Label of the site's route that answered; `files` for a file, `nil` for a page or if no route matched.
    public var route: String?
    /// The near misses of a request that no route matched, each with its differences; empty if there was an answer.
    public var nearestRoutes: [String]
    /// Status of the response; `nil` if no head was sent.
    public var status: Int?
    /// Field lines of the response's head in the order in which they were sent.
    public var answerFields: [ServedField]
    /// Bytes written to the socket; `nil` while the exchange continues, and for a prepared response that was cut off.
    public var bytesSent: Int?
    /// Whether the client aborted the exchange.
    public var isAborted: Bool
}

/// The latest exchanges outside namespaces, in a ring of reused buffers.
final class Journal: Sendable {
    private struct Slot {
        var number = 0
        var arrivedAt = 0.0
        var method: [UInt8] = []
        var target: [UInt8] = []
        var fieldLines: [UInt8] = []
        var body: [UInt8] = []
        var contentCount = 0
        /// The parsed content if the kept beginning is not enough to parse it; otherwise `nil`.
        var summary: RequestContent?
        var connection: UInt64 = 0
        var peerPort: UInt16 = 0
        var requestsBefore = 0
        var isHTTP11 = true
        var route: String?
        var nearestRoutes: [String] = []
        var status: Int?
        var answerFields: [ServedField] = []
        var bytesSent: Int?
        var isAborted = false
        var revision = 0
    }
    private struct State {
        var slots: [Slot]
        var count = 0
        /// The number of the last change.
        var revision = 0
        /// Readers that wait for changes, by a number of their own.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watcherCount = 0

        func tell() {
            for watcher in watchers.values { watcher.yield() }
        }
    }
    private let size: Int
    private let state: Lock<State>
    private static let largestBody = 64 << 10

    init(size: Int) {
        self.size = max(size, 0)
        state = Lock(State(slots: Array(repeating: Slot(), count: max(size, 0))))
    }

    /// Records a request with a prepared response; allocates nothing once the ring is full.
    func note(
        _ head: RequestHead,
        at wallSeconds: Double,
        _ answer: PreparedAnswer,
        _ response: PreparedResponse
    ) {
        guard size > 0 else { return }
        state.withLock { state in
            let place = state.count % size
            state.count += 1
            Self.fill(&state.slots[place], head, target: answer.target)
            let route = answer.source.label
            if state.slots[place].route != route { state.slots[place].route = route }
            state.slots[place].status = response.status
            state.slots[place].bytesSent = response.bytes.count
            state.slots[place].number = state.count
            state.slots[place].arrivedAt = wallSeconds
            state.slots[place].answerFields = response.fields
            state.revision += 1
            state.slots[place].revision = state.revision
            state.tell()
        }
    }

    /// Records that the responses on a connection after the first `whole` were not sent completely.
    func wereCut(connection: UInt64, after whole: Int) {
        state.withLock { state in
            for place in state.slots.indices
            where state.slots[place].connection == connection && state.slots[place].requestsBefore >= whole {
                state.slots[place].bytesSent = nil
                state.slots[place].isAborted = true
                state.revision += 1
                state.slots[place].revision = state.revision
            }
            state.tell()
        }
    }

    private static func fill(_ slot: inout Slot, _ head: RequestHead, target: [UInt8]) {
        replace(&slot.method, head.method)
        target.withUnsafeBufferPointer { replace(&slot.target, $0) }
        replace(&slot.fieldLines, head.fieldLines)
        if !slot.body.isEmpty { slot.body = [] }
        slot.contentCount = 0
        slot.summary = nil
        slot.connection = head.connection
        slot.peerPort = head.peerPort
        slot.requestsBefore = head.requestsBefore
        slot.isHTTP11 = true
        if !slot.nearestRoutes.isEmpty { slot.nearestRoutes = [] }
        slot.isAborted = false
    }

    private static func replace(_ bytes: inout [UInt8], _ new: UnsafeBufferPointer<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: new)
    }

    /// Records a request and returns its number.
    func note(
        _ request: ServedRequest,
        at wallSeconds: Double,
        route: String? = nil,
        nearest: [String] = []
    ) -> Int {
        var slot = Slot()
        slot.arrivedAt = wallSeconds
        slot.method = Array(request.method.utf8)
        slot.target = Array(request.target.utf8)
        for field in request.fields { slot.fieldLines += "\(field.name): \(field.value)\r\n".utf8 }
        slot.body = Array(request.body.prefix(Self.largestBody))
        slot.contentCount = request.body.count
        if slot.body.count < slot.contentCount {
            slot.summary = RequestContent.summary(request, limit: Self.largestBody)
        }
        slot.connection = request.connection
        slot.peerPort = request.peerPort
        slot.requestsBefore = request.requestsBefore
        slot.isHTTP11 = request.isHTTP11
        slot.route = route
        slot.nearestRoutes = nearest
        return state.withLock { state in
            state.count += 1
            slot.number = state.count
            state.revision += 1
            slot.revision = state.revision
            if size > 0 { state.slots[(state.count - 1) % size] = slot }
            state.tell()
            return state.count
        }
    }

    func answered(_ number: Int, status: Int?, _ fields: [ServedField]) {
        change(number) { ($0.status, $0.answerFields) = (status, fields) }
    }

    func ended(_ number: Int, bytesSent: Int, isAborted: Bool) {
        change(number) { slot in
            slot.bytesSent = bytesSent
            slot.isAborted = isAborted
        }
    }

    /// Changes an exchange unless it has been overwritten.
    private func change(_ number: Int, _ body: (inout Slot) -> Void) {
        guard size > 0 else { return }
        state.withLock { state in
            let place = (number - 1) % size
            guard state.slots[place].number == number else { return }
            body(&state.slots[place])
            state.revision += 1
            state.slots[place].revision = state.revision
            state.tell()
        }
    }

    /// Removes all exchanges; numbering continues.
    func clear() {
        state.withLock { state in
            for place in state.slots.indices { state.slots[place] = Slot() }
            state.tell()
        }
    }

    /// Notifies waiting readers of an event that is not an exchange.
    func tell() { state.withLock { $0.tell() } }

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

    /// Returns a stream with one element at once and one after each change.
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

    /// Returns the exchanges, oldest first.
    func entries() -> [JournalEntry] {
        changes(after: -1).entries
    }

    /// Returns the exchanges that changed after a revision, oldest first, and the current revision.
    func changes(after revision: Int) -> (entries: [JournalEntry], revision: Int) {
        let (slots, last) = state.withLock { state in
            (state.slots.filter { $0.number > 0 && $0.revision > revision }, state.revision)
        }
        return (slots.sorted { $0.number < $1.number }.map(Self.entry), last)
    }

    private static func entry(_ slot: Slot) -> JournalEntry {
        let request = ServedRequest(
            method: String(decoding: slot.method, as: UTF8.self),
            target: String(decoding: slot.target, as: UTF8.self),
            fields: ServedField.lines(slot.fieldLines[...]),
            body: slot.body,
            isHTTP11: slot.isHTTP11,
            peerPort: slot.peerPort,
            connection: slot.connection,
            requestsBefore: slot.requestsBefore
        )
        return JournalEntry(
            number: slot.number,
            request: request,
            contentCount: slot.contentCount,
            content: slot.summary ?? RequestContent(request),
            arrivedAt: slot.arrivedAt,
            route: slot.route,
            nearestRoutes: slot.nearestRoutes,
            status: slot.status,
            answerFields: slot.answerFields,
            bytesSent: slot.bytesSent,
            isAborted: slot.isAborted
        )
    }
}

/// An observer of one exchange for the journal.
struct JournalObserver: ExchangeObserver {
    let journal: Journal
    let number: Int

    func answered(_ reply: ComposedReply) {
        let status = reply.finalStatus
        journal.answered(number, status: status, status == nil ? [] : reply.head.fields)
    }

    func exchangeBegan(_ exchange: RawExchange) {}

    func exchangeParked() {}

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        journal.ended(number, bytesSent: bytesSent, isAborted: end == .aborted)
    }
}
