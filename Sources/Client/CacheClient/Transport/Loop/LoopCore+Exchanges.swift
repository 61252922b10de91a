import Ccurl

// The loop's work on exchanges, on its own thread.
extension LoopCore {
    /// Starts an exchange as soon as its host may have another.
    func enter(_ exchange: CurlExchange) {
        if queues.enter(exchange) { begin(exchange) }
    }

    /// Starts an exchange, or ends it if that is impossible; then the next one of its host takes its place.
    private func begin(_ exchange: CurlExchange) {
        var next: CurlExchange? = exchange
        while let exchange = next {
            guard let code = startIfPossible(exchange) else { return }
            exchange.end(code)
            next = queues.leave(exchange)
        }
    }

    /// Starts an exchange; returns the reason if that is impossible.
    private func startIfPossible(_ exchange: CurlExchange) -> CURLcode? {
        if exchange.lacksLength { return CURLE_UPLOAD_FAILED }
        guard let easy = freeHandle() else { return CURLE_OUT_OF_MEMORY }
        exchange.easy = easy
        easy.begin(exchange)
        pool.activeCount += 1
        if !multi.add(easy) { finish(exchange, CURLE_OUT_OF_MEMORY) }
        return nil
    }

    private func freeHandle() -> EasyHandle? {
        if let ended = pool.takeEnded() {
            multi.remove(ended)
            ended.exchange = nil
            return isUsable(ended) ? ended : nil
        }
        return pool.take { EasyHandle(core: self, number: $0) }
    }

    /// Makes a removed handle usable for another transfer; drops it and returns false if that is impossible.
    private func isUsable(_ easy: EasyHandle) -> Bool {
        if easy.renew() { return true }
        pool.drop(easy)
        return false
    }

    private func keep(_ easy: EasyHandle) {
        easy.exchange = nil
        guard pool.hasRoom else { return pool.drop(easy) }
        if isUsable(easy) { pool.keep(easy) }
    }

    /// Reports what has arrived to the receivers: for a transfer that has ended, all that is left at once.
    func deliver() {
        endTransfers()
        guard !handlesWithNews.isEmpty else { return }
        // A receiver may start an exchange, for which there may be news at once.
        isDelivering = true
        swap(&handlesWithNews, &handlesReported)
        for easy in handlesReported {
            easy.hasNews = false
            easy.exchange?.flush()
        }
        handlesReported.removeAll(keepingCapacity: true)
        isDelivering = false
        endTransfers()
    }

    /// Reports the end of every transfer that has ended.
    func endTransfers() {
        isDelivering = true
        while let (easy, code) = multi.nextDone() {
            if let exchange = easy.exchange { finish(exchange, code) }
        }
        isDelivering = false
    }

    /// Reports the end; a transfer that has not ended is cancelled, which closes an HTTP/1 connection.
    func finish(_ exchange: CurlExchange, _ code: CURLcode?) {
        guard let easy = exchange.easy else {
            queues.withdraw(exchange)
            return exchange.end(code)
        }
        if let code, exchange.isRepeated(after: code) { return beginAgain(exchange, on: easy) }
        if code == nil { multi.remove(easy) }
        easy.isActive = false
        pool.activeCount -= 1
        note { $0.ended(easy.number) }
        exchange.end(code)
        exchange.easy = nil
        // The handle of a transfer that has ended by itself is removed, with its exchange, when there is time for
        // that.
        if code == nil { keep(easy) } else { pool.ended.append(easy) }
        if let next = queues.leave(exchange) { begin(next) }
    }

    /// Sends a request again, on a new connection.
    private func beginAgain(_ exchange: CurlExchange, on easy: EasyHandle) {
        multi.remove(easy)
        note { $0.ended(easy.number) }
        exchange.beginAgain()
        if easy.renew() {
            easy.begin(exchange, onNewConnection: true)
            if multi.add(easy) { return }
        }
        finish(exchange, CURLE_OUT_OF_MEMORY)
    }

    func removeFinished() {
        while let easy = pool.ended.popLast() {
            multi.remove(easy)
            keep(easy)
        }
    }

    // MARK: Calls by exchanges

    func opened(_ descriptor: Int32, for easy: EasyHandle, isSecure: Bool) {
        multi.opened(descriptor)
        note { $0.opened(descriptor, for: easy.number) }
        guard isSecure else { return }
        // While the handshake waits only for bytes from the server, nothing happens by itself.
        multi.follow(descriptor) { [weak self] waitsForInput in
            self?.note { $0.handshakes(descriptor, waitsForInput: waitsForInput) }
        }
    }

    func closes(_ descriptor: Int32) {
        multi.closes(descriptor)
        note { $0.closes(descriptor) }
    }
}
