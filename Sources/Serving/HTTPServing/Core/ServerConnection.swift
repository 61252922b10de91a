#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Locks
import Synchronization

/// A connection and the request that is being read from it; its buffers are reused by the next request.
final class ServerConnection: @unchecked Sendable {
    // Reason: owned by one thread at a time, libmicrohttpd's worker or the exchange that took the socket over;
    // what others read is atomic, and `place` has a lock.
    enum Phase {
        /// The request line is known.
        case begun
        /// Reading waited at the head, for which libmicrohttpd calls a second time.
        case resuming
        /// The head was checked, content may follow.
        case reading
    }
    let number: UInt64
    let peer: SocketAddress
    var phase = Phase.begun
    var requests = 0
    /// Request target, then field lines that each end in CRLF.
    var head: [UInt8] = []
    var targetCount = 0
    var isHTTP11 = true
    var wantsClose = false
    var wantsKeepAlive = false
    /// Whether what is sent is held back until the response is complete.
    var isCorked = false
    /// Whether libmicrohttpd sends what is prepared.
    var isSendingPrepared = false
    /// Whether libmicrohttpd has read on beyond the request: what it holds is lost with the socket.
    private(set) var hasLostInput = false
    /// Bytes of the head of the request.
    var headSize = 0
    /// Bytes of all requests so far.
    private let requestBytes = Atomic(0)
    /// What ends TLS for it; `nil` where there is none, and until the handshake is done.
    var tunnel: TLSTunnel?
    /// What is done after the handshake; `nil` for nothing.
    var secondGreeting: RawReply?
    /// What the handshake has come to.
    var facts: TLSFacts?
    var check = RequestCheck()
    /// How the content is read; `nil` is as it comes.
    var pace: ReadingPace?
    var body: [UInt8] = []
    /// What it waits for.
    let stage = ConnectionStage()
    private let contentBytes = Atomic(0)
    /// Which descriptor the connection has; −1 when it is closed.
    let place: Lock<CInt>

    init(number: UInt64, socket: CInt, peer: SocketAddress) {
        self.number = number
        self.peer = peer
        place = Lock(socket)
        head.reserveCapacity(512)
    }

    /// Starts on the next request, whose target is known.
    func begin(target: UnsafePointer<CChar>) {
        phase = .begun
        stage.enter(.head)
        head.removeAll(keepingCapacity: true)
        head.append(contentsOf: UnsafeRawBufferPointer(start: target, count: strlen(target)))
        targetCount = head.count
        check = RequestCheck()
        pace = nil
        wantsClose = false
        wantsKeepAlive = false
        if !body.isEmpty { body = [] }
    }

    /// Takes the connection for an answer; false where its time was over before.
    func claim() -> Bool { stage.enter(.busy) }

    /// Has the connection wait for content, of which nothing has come.
    func awaitContent() {
        contentBytes.store(0, ordering: .relaxed)
        stage.enter(.content)
    }

    /// Notes how much content has come.
    func countContent() { contentBytes.store(body.count, ordering: .relaxed) }

    /// How much content of the request has come; from any thread.
    var contentCount: Int { contentBytes.load(ordering: .relaxed) }

    /// Takes in one field line.
    func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        check.see(name: name, value: value)
        head.append(contentsOf: name)
        head.append(contentsOf: Self.separator)
        head.append(contentsOf: value)
        head.append(contentsOf: Self.lineEnd)
        if name.count == 10 { seeConnectionOption(name, value) }
    }

    private func seeConnectionOption(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>)
    {
        guard String(decoding: name, as: UTF8.self).isSameFieldName(as: FieldName.connection) else { return }
        for option in String(decoding: value, as: UTF8.self).split(separator: ",") {
            let option = option.drop { $0 == " " }
            if option.isSameFieldName(as: "close") { wantsClose = true }
            if option.isSameFieldName(as: "keep-alive") { wantsKeepAlive = true }
        }
    }

    /// Whether another request may follow, as far as the client's side goes.
    var isPersistent: Bool { isHTTP11 ? !wantsClose : wantsKeepAlive && !wantsClose }

    /// Whether content follows the head.
    var hasContentAhead: Bool { check.hasCoding || check.length ?? 0 > 0 }

    /// Counts the bytes of a request that was read to its end.
    func countBytes() {
        countBytes(headSize + contentSize)
    }

    /// Counts so many bytes of requests.
    func countBytes(_ count: Int) {
        requestBytes.add(count, ordering: .relaxed)
    }

    /// Whether bytes have come that belong to no request that was read; from any thread, about a connection that is idle.
    func hasBegunRequest(_ socket: CInt) -> Bool {
        guard let taken = Socket.bytesTaken(socket) else { return false }
        // None is idle of which fewer bytes were counted than taken: it was closed after its answer.
        return taken + Socket.unreadCount(socket) > requestBytes.load(ordering: .relaxed)
    }

    /// Finds out, before a reply by hand, whether the client's next request is already read.
    func lookForLostInput(_ socket: CInt) {
        guard let taken = Socket.bytesTaken(socket) else { return }
        hasLostInput = taken > requestBytes.load(ordering: .relaxed)
    }

    /// Bytes that the content took.
    ///
    /// Of a chunked one, if it came in one chunk: after several a needless close is better than a lost request.
    private var contentSize: Int {
        guard check.hasCoding else { return body.count }
        let lastChunk = 5
        return body.isEmpty
            ? lastChunk : String(body.count, radix: 16).utf8.count + body.count + 4 + lastChunk
    }

    /// Returns the request as a value.
    func request(method: UnsafePointer<CChar>) -> ServedRequest {
        ServedRequest(
            method: String(cString: method),
            target: String(decoding: head[..<targetCount], as: UTF8.self),
            fields: ServedField.lines(head[targetCount...]),
            body: body,
            isHTTP11: isHTTP11,
            peerPort: peer.port,
            connection: number,
            requestsBefore: requests,
            endsConnection: hasLostInput,
            tls: facts
        )
    }

    /// Remembers which descriptor the connection has now; −1 when it is closed.
    func setSocket(_ socket: CInt) {
        place.withLock { $0 = socket }
        if socket < 0 { tunnel?.release() }
    }

    /// Throws away what has arrived and was not read.
    func discardUnread() {
        place.withLock { socket in
            if socket >= 0 { Socket.discardUnread(socket) }
        }
    }

    /// Ends both directions, so that whoever reads from or writes to the connection notices.
    func cut() {
        // Under the lock, because the number may belong to another connection once this one is closed.
        place.withLock { socket in
            if socket >= 0 { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }

    private static let separator: [UInt8] = [0x3A, 0x20]
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
