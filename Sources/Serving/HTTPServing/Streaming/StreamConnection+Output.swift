import CLibrary
import Clocks

extension StreamConnection {
    /// Content up to this size is copied after its head, so that both are written with one call.
    private static let copyLimit = 32 << 10
    /// The number of bytes of immediate responses from which on the next request waits until they are written.
    private static let roundLimit = 256 << 10
    /// The maximum number of bytes that are written before other connections are served.
    private static let turn = 2 << 20

    /// Queues an immediate response; small ones are written when the input is used up, or many have come together.
    func answerAtOnce() {
        loop.output.append(contentsOf: loop.answer.head)
        if let file = loop.answer.file {
            sendAnswers(isMoreToCome: true)
            output.append(file)
        } else if loop.answer.body.count <= Self.copyLimit {
            loop.output.append(contentsOf: loop.answer.body)
            if loop.output.count >= Self.roundLimit { sendAnswers() }
        } else {
            sendAnswers()
            output.append(loop.answer.body)
        }
        if loop.answer.endsConnection { ending = .linger }
        if !output.isEmpty || ending != nil { sendAnswers() }
    }

    /// Writes the immediate responses; with `isMoreToCome` the system may wait for more bytes.
    func sendAnswers(isMoreToCome: Bool = false) {
        if !loop.output.isEmpty {
            let sent = output.isEmpty ? sendDirectly(isMoreToCome) : 0
            if sent < loop.output.count { output.append(Array(loop.output[sent...])) }
            loop.output.removeAll(keepingCapacity: true)
        }
        flush()
    }

    private func sendDirectly(_ isMoreToCome: Bool) -> Int {
        switch Socket.send(socket, loop.output[...], isMoreToCome: isMoreToCome) {
        case .bytes(let count): return count
        case .full: return 0
        case .failed:
            end()
            return loop.output.count
        }
    }

    /// Writes as much as the socket accepts; when everything is written, performs `ending`.
    ///
    /// A client that reads as fast as the server writes waits while the loop serves other connections.
    func flush() {
        if case .closed = phase { return }
        var left = Self.turn
        while !output.isEmpty {
            guard left > 0 else { return }
            switch output.writeFirst(to: socket, limit: left) {
            case .bytes(let count):
                left -= count
                sent(count)
            case .full: return
            case .failed: return end()
            }
        }
        guard let ending else { return }
        self.ending = nil
        conclude(ending)
    }

    private func sent(_ count: Int) {
        lastActivity = loop.clock.elapsed
        if case .exchange(let exchange) = phase { exchange.sent(count) }
    }

    /// Called when an exchange has written its response.
    func finish(_ exchange: StreamExchange, isPersistent: Bool) {
        // If the client stops within unread content, the next request could not be distinguished from its rest.
        ending = isPersistent && isContentComplete ? .next : .linger
        flush()
    }

    private func conclude(_ ending: Ending) {
        if case .exchange(let exchange) = phase { exchange.over() }
        switch ending {
        case .next:
            phase = .head
            useLeftover()
        case .linger:
            // Closing with unread bytes would reset the connection and destroy the response.
            phase = .lingering
            leftover = []
            shutdown(socket, CInt(SHUT_WR))
        case .close: end()
        }
    }
}
