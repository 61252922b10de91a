import CLibrary
import Locks
import Synchronization

/// A connection and the request that is being read from it, with buffers that each request reuses.
final class ServerConnection: @unchecked Sendable {
    // Reason: owned by one thread at a time, libmicrohttpd's worker or the exchange that took the socket over;
    // what others read is atomic, and `place` has a lock.
    enum Phase {
        /// The request line is known.
        case begun
        /// Reading was paused at the head, for which libmicrohttpd calls a second time.
        case resuming
        /// The head was checked; content may follow.
        case reading
    }
    let number: UInt64
    let peer: SocketAddress
    var phase = Phase.begun
    var requests = 0
    /// The request target, then field lines that each end in CRLF.
    var head: [UInt8] = []
    var targetCount = 0
    var isHTTP11 = true
    var wantsClose = false
    var wantsKeepAlive = false
    /// Whether libmicrohttpd has read beyond the request; those bytes are lost when the socket is taken over.
    private(set) var hasLostInput = false
    /// Bytes of the head of the request.
    var headSize = 0
    /// Bytes of all requests so far.
    private let requestBytes = Atomic(0)
    /// Its TLS tunnel; `nil` without TLS, and until the handshake is done.
    var tunnel: TLSTunnel?
    /// The greeting after the handshake; `nil` if there is none.
    var secondGreeting: RawReply?
    /// The result of the handshake.
    var facts: TLSFacts?
    var check = RequestCheck()
    /// The request whose content the front is reading; `nil` if there is none.
    var incoming: IncomingRequest?
    /// Whether the client sends nothing more.
    var isHalfClosed = false
    /// The pace at which libmicrohttpd is to read the content of the next request.
    var reading: RequestReading?
    /// The pace at which the content is read; `nil` for no stops and limits.
    var pace: ReadingPace?
    var body: [UInt8] = []
    /// The phase for its time limits.
    let stage = ConnectionPhase()
    private let contentBytes = Atomic(0)
    /// Its descriptor; −1 once it is closed.
    let place: Lock<CInt>

    init(number: UInt64, socket: CInt, peer: SocketAddress) {
        self.number = number
        self.peer = peer
        place = Lock(socket)
        head.reserveCapacity(512)
    }

    /// Begins the next request, given its target.
    func begin(target: UnsafePointer<CChar>) {
        phase = .begun
        stage.enter(.head)
        begin()
        head.append(contentsOf: UnsafeRawBufferPointer(start: target, count: strlen(target)))
        targetCount = head.count
    }

    /// Begins the next request with the head that `reader` has read, as far as it has.
    func begin(_ reader: HeadReader, in bytes: UnsafeBufferPointer<UInt8>) {
        begin()
        head.append(contentsOf: bytes[reader.target])
        targetCount = head.count
        for line in reader.lines {
            append(
                name: UnsafeBufferPointer(rebasing: bytes[line.name]),
                value: UnsafeBufferPointer(rebasing: bytes[line.value])
            )
        }
        check = reader.check
        isHTTP11 = reader.isHTTP11
        wantsClose = reader.wantsClose
        wantsKeepAlive = reader.wantsKeepAlive
    }

    /// Begins the next request, of which nothing is known.
    func begin() {
        head.removeAll(keepingCapacity: true)
        targetCount = 0
        check = RequestCheck()
        pace = nil
        isHTTP11 = true
        wantsClose = false
        wantsKeepAlive = false
        if !body.isEmpty { body = [] }
    }

    /// Begins a response; returns false if a time limit had passed before.
    func claim() -> Bool { stage.enter(.busy) }

    /// Begins to wait for content.
    func awaitContent() {
        contentBytes.store(0, ordering: .relaxed)
        stage.enter(.content)
    }

    /// Records the amount of content received.
    func countContent() { contentBytes.store(body.count, ordering: .relaxed) }

    /// The amount of the request's content received; may be called on any thread.
    var contentCount: Int { contentBytes.load(ordering: .relaxed) }

    /// Adds a field line.
    func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        check.see(name: name, value: value)
        append(name: name, value: value)
        if name.count == 10 { seeConnectionOption(name, value) }
    }

    private func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        head.append(contentsOf: name)
        head.append(contentsOf: Self.separator)
        head.append(contentsOf: value)
        head.append(contentsOf: Self.lineEnd)
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

    /// Whether the client allows another request on the connection.
    var isPersistent: Bool { isHTTP11 ? !wantsClose : wantsKeepAlive && !wantsClose }

    /// Whether content follows the head.
    var hasContentAhead: Bool { check.hasCoding || check.length ?? 0 > 0 }

    /// Counts the bytes of a completely read request.
    func countBytes() {
        countBytes(headSize + contentSize)
    }

    /// Counts bytes of requests.
    func countBytes(_ count: Int) {
        requestBytes.add(count, ordering: .relaxed)
    }

    /// Whether bytes have arrived beyond the requests read so far; may be called on any thread for an idle connection.
    func hasBegunRequest(_ socket: CInt) -> Bool {
        guard let taken = Socket.bytesTaken(socket) else { return false }
        // On an idle connection all bytes that were read are counted; otherwise it would have been closed.
        return taken + Socket.unreadCount(socket) > requestBytes.load(ordering: .relaxed)
    }

    /// Determines, before a raw reply, whether libmicrohttpd has already read part of the next request.
    func lookForLostInput(_ socket: CInt) {
        guard let taken = Socket.bytesTaken(socket) else { return }
        hasLostInput = taken > requestBytes.load(ordering: .relaxed)
    }

    /// The size of the content on the wire.
    ///
    /// Of chunked content this is the size for a single chunk: for several chunks an unnecessary close is better than a
    /// lost request.
    private var contentSize: Int {
        guard check.hasCoding else { return body.count }
        let lastChunk = 5
        return body.isEmpty
            ? lastChunk : String(body.count, radix: 16).utf8.count + body.count + 4 + lastChunk
    }

    /// Returns the request as a value.
    func request(method: UnsafePointer<CChar>) -> ServedRequest { request(method: String(cString: method)) }

    /// Returns the request as a value.
    func request(method: String) -> ServedRequest {
        var request = ServedRequest(
            method: method,
            target: String(decoding: head[..<targetCount], as: UTF8.self),
            fields: ServedField.lines(head[targetCount...]),
            body: body,
            isHTTP11: isHTTP11
        )
        (request.connection, request.peerPort) = (number, peer.port)
        (request.requestsBefore, request.endsConnection) = (requests, hasLostInput)
        request.tls = facts
        return request
    }

    /// Sets the descriptor of the connection; −1 once it is closed.
    func setSocket(_ socket: CInt) {
        place.withLock { $0 = socket }
        if socket < 0 { tunnel?.release() }
    }

    /// Discards received but unread bytes.
    func discardUnread() {
        place.withLock { socket in
            if socket >= 0 { Socket.discardUnread(socket) }
        }
    }

    /// Shuts down both directions, which ends pending reads and writes.
    func cut() {
        // Under the lock, because the descriptor may be reused once this connection is closed.
        place.withLock { socket in
            if socket >= 0 { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }

    private static let separator: [UInt8] = [0x3A, 0x20]
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
