import HTTPServing
import Locks

/// The exchanges of a namespace in order of arrival: all of them, or the last ones in a ring of reused buffers.
final class Journal: Sendable {
    private struct Slot {
        var exchange = RecordedExchange(ServedRequest(method: "", target: ""), at: 0, keeping: .max)
        /// The request of a prepared response; otherwise unused.
        var head = ReusedHead()
        var isPrepared = false
    }
    /// The text of a request's head, in buffers that are reused.
    private struct ReusedHead {
        var method: [UInt8] = []
        var target: [UInt8] = []
        var fieldLines: [UInt8] = []
    }
    private let ring: Lock<JournalRing<Slot>>
    /// The readers that wait for news.
    let readers = JournalReaders()
    /// The bytes of a request's content that are kept.
    let contentLimit: Int

    /// Creates a journal of the last `size` exchanges, each with the first 64 KiB of its content; `nil` keeps everything.
    init(size: Int?) {
        ring = Lock(JournalRing(size: size.map { max($0, 0) } ?? .max))
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
        _ = edit { ring in
            ring.add(Slot()) { slot, number in
                Self.fill(&slot, head, target: answer.target)
                let route = answer.source.label
                if slot.exchange.route != route { slot.exchange.route = route }
                slot.exchange.number = number
                slot.exchange.arrivedSeconds = wallSeconds
                slot.exchange.status = response.status
                slot.exchange.answerFields = response.fields
                slot.exchange.bytesSent = response.bytes.count
            }
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
        edit { ring in
            ring.add(Slot()) { slot, number in
                slot.exchange = exchange
                slot.exchange.number = number
                slot.isPrepared = false
            }
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
        edit { ring in
            for number in ring.numbers {
                let request = ring[number].exchange.request
                guard request.connection == connection, request.requestsBefore >= whole else { continue }
                ring.change(number) { ($0.exchange.bytesSent, $0.exchange.isAborted) = (nil, true) }
            }
        }
    }

    /// Changes an exchange unless it has been overwritten.
    private func change(_ number: Int, _ body: (inout RecordedExchange) -> Void) {
        edit { $0.change(number) { body(&$0.exchange) } }
    }

    /// Removes all exchanges; numbering continues.
    func clear() { edit { $0.clear() } }

    private func edit<Result>(_ body: (inout JournalRing<Slot>) -> Result) -> Result {
        defer { readers.notify() }
        return ring.withLock(body)
    }

    // MARK: Reading

    /// Returns the exchanges, the oldest first.
    func entries() -> [RecordedExchange] {
        changes(after: -1).entries
    }

    /// Returns the exchanges that changed after a revision, oldest first, and the current revision.
    func changes(after revision: Int) -> (entries: [RecordedExchange], revision: Int) {
        let (slots, last) = ring.withLock { ($0.changes(after: revision), $0.revision) }
        return (slots.map(Self.exchange), last)
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
