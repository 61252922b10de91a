import CLibrary
import Clocks
import Cepoll

/// One connection of a stream server.
final class StreamConnection: @unchecked Sendable {
    // Reason: everything except the constants is accessed only on the loop's thread.
    enum Phase {
        /// The next request is awaited, or its head is incomplete.
        case head
        /// A request is being answered.
        case exchange(StreamExchange)
        /// The last response was written; further bytes from the client are discarded for a while.
        case lingering
        case closed
    }
    enum Content {
        case length(Int)
        case chunked(ChunkReader)
        case complete
    }
    let socket: CInt
    let number: UInt64
    let loop: StreamLoop
    var phase = Phase.head
    /// The remaining content of the current request.
    var content = Content.complete
    var readsContent = false
    var owesContinue = false
    /// Input that was read but not used.
    var leftover: [UInt8] = []
    /// Whether requests in `leftover` wait until the output is written.
    private(set) var awaitsOutput = false
    var output = OutputQueue()
    /// The action when everything is written.
    var ending: Ending?
    var interest: UInt32 = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
    /// Whether the client has closed its side but still waits for the response.
    private var isHalfClosed = false
    /// When something was last read or written.
    var lastActivity: Duration
    /// When the first byte of an incomplete head was read.
    var headBegan: Duration?
    /// The time spent waiting for the current content, and the amount received.
    var contentPace = ContentDeadline()

    enum Ending {
        case next
        case linger
        case close
    }

    init(_ socket: CInt, number: UInt64, loop: StreamLoop) {
        self.socket = socket
        self.number = number
        self.loop = loop
        lastActivity = loop.clock.elapsed
    }

    // MARK: Events

    func handle(events: UInt32) {
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return end() }
        if events & EPOLLIN.rawValue != 0 { readInput(isLast: events & EPOLLRDHUP.rawValue != 0) }
        if events & EPOLLOUT.rawValue != 0 {
            flush()
            // Pipelined requests wait until the output is written.
            if case .head = phase, output.isEmpty { useLeftover() }
        }
        if events & EPOLLRDHUP.rawValue != 0, case .exchange = phase, !isHalfClosed { end() }
        updateInterest()
    }

    /// Performs the commands that an exchange has queued.
    func serve(_ exchange: StreamExchange) {
        for command in exchange.takeCommands() {
            guard case .exchange(let current) = phase, current === exchange else { return }
            switch command {
            case .readContent: readContent()
            case .write(let bytes): output.append(bytes)
            case .finish(let isPersistent): finish(exchange, isPersistent: isPersistent)
            case .abort(let resets):
                flush()
                if resets { Socket.resetOnClose(socket) }
                end()
            }
        }
        flush()
        updateInterest()
    }

    /// Closes the connection and notifies the exchange.
    func end() {
        if case .closed = phase { return }
        let before = phase
        phase = .closed
        loop.close(self)
        if case .exchange(let exchange) = before { exchange.gone() }
    }

    func updateInterest() {
        var wanted = output.isEmpty ? 0 : EPOLLOUT.rawValue
        switch phase {
        // The output may just have been written: then they are next.
        case .head where awaitsOutput: wanted |= EPOLLOUT.rawValue
        case .head where output.isEmpty, .lingering: wanted |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        case .head: break
        case .exchange:
            if readsContent { wanted |= EPOLLIN.rawValue }
            if !isHalfClosed { wanted |= EPOLLRDHUP.rawValue }
        case .closed: return
        }
        guard wanted != interest else { return }
        interest = wanted
        loop.setInterest(self)
    }

    // MARK: Input

    private func readInput(isLast: Bool) {
        let scratch = loop.scratch
        let kept = leftover.count
        guard let base = scratch.baseAddress else { return }
        if kept > 0 { leftover.withUnsafeBufferPointer { _ = scratch.update(fromContentsOf: $0) } }
        let count = recv(socket, base + kept, min(scratch.count - kept, 64 << 10), 0)
        if count < 0 {
            if errno != EAGAIN, errno != EWOULDBLOCK, errno != EINTR { end() }
            return
        }
        lastActivity = loop.clock.elapsed
        if count == 0 { return inputEnded() }
        if case .lingering = phase { return }
        isHalfClosed = isLast && count < 64 << 10
        use(UnsafeBufferPointer(start: base, count: kept + count))
    }

    private func inputEnded() {
        switch phase {
        case .exchange where isHalfClosed && isContentComplete: break
        default: end()
        }
    }

    /// Processes as much input as is possible now and keeps the rest.
    func use(_ bytes: UnsafeBufferPointer<UInt8>) {
        var position = 0
        awaitsOutput = false
        while position < bytes.count {
            if case .head = phase, ending == nil, !output.isEmpty {
                awaitsOutput = true
                break
            }
            let taken = step(UnsafeBufferPointer(rebasing: bytes[position...]))
            if taken == 0 { break }
            position += taken
        }
        if position < bytes.count {
            leftover = Array(bytes[position...])
        } else if !leftover.isEmpty {
            leftover.removeAll()
        }
        sendAnswers()
        noteHead()
    }

    /// Processes the start of some input; returns the number of bytes used, zero if nothing can be processed.
    private func step(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        switch phase {
        case .head:
            return ending == nil ? readHead(bytes) : 0
        case .exchange(let exchange): return readsContent ? takeContent(bytes, exchange) : 0
        case .lingering: return bytes.count
        case .closed: return 0
        }
    }

    private func readHead(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let head = HeadReader.find(bytes) else {
            if let problem = HeadReader.problem(ofIncomplete: bytes, loop.configuration) {
                refuse(problem, toHEAD: HeadReader.isOfHEAD(bytes))
            }
            return 0
        }
        headBegan = nil
        loop.answer.reset()
        if loop.answerer?.answerAgain(UnsafeBufferPointer(rebasing: bytes[head]), &loop.answer) == true {
            answerAtOnce()
            return head.upperBound
        }
        switch loop.reader.read(bytes, head, limits: loop.configuration) {
        case .incomplete: return 0
        case .complete(let count):
            begin(UnsafeBufferPointer(rebasing: bytes[..<count]))
            return count
        case .refused(let problem):
            refuse(problem, toHEAD: HeadReader.isOfHEAD(bytes))
            return bytes.count
        }
    }

    private func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        let head = StreamHead(bytes: bytes, reader: loop.reader, connection: number)
        let check = loop.reader.check
        let hasContent = check.hasCoding || (check.length ?? 0) > 0
        if !hasContent {
            loop.answer.reset()
            if loop.answerer?.answer(head, &loop.answer) == true { return answerAtOnce() }
        }
        contentPace = ContentDeadline()
        content =
            check.hasCoding
            ? .chunked(ChunkReader(limit: loop.configuration.contentLimitBytes))
            : hasContent ? .length(check.length ?? 0) : .complete
        let exchange = StreamExchange(head.request, connection: self)
        if !hasContent { exchange.endContent(.complete) }
        owesContinue = exchange.request.expectsContinue
        readsContent = false
        phase = .exchange(exchange)
        sendAnswers()
        loop.handler.begin(exchange)
    }

    /// Queues the response to a refused request, to HEAD without content (RFC 9110 §9.3.2).
    func refuse(_ problem: RequestProblem, toHEAD isOfHEAD: Bool = false) {
        sendAnswers()
        let response = loop.handler.refusal(for: problem)
        output.append(isOfHEAD ? HeadReader.head(of: response) : response)
        ending = .linger
        flush()
    }
}
